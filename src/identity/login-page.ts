import { escape } from './page.ts'
import type { Page } from './page.ts'

type Shown = {
  /** Who wants to know. */
  readonly client: string
  readonly username: string
  /** What was wrong with the last try. */
  readonly fault?: string
}

/**
 * The login form. It goes to the address it came from, with the cookie of this login, which no other
 * site can make a browser send.
 */
export function loginPage({ client, username, fault }: Shown): Page {
  const alert =
    fault === undefined ? '' : `<p class="fault" role="alert" id="fault">${escape(fault)}</p>`
  const described = fault === undefined ? '' : ' aria-describedby="fault" aria-invalid="true"'
  const focus = (wanted: boolean) => (wanted ? ' autofocus' : '')
  return {
    title: 'Log in',
    content: `<p>to go on to <strong>${escape(client)}</strong></p>
${alert}
<form method="post">
<label for="username">User name</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false"
  required maxlength="200" value="${escape(username)}"${described}${focus(username === '')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
  required maxlength="1000"${described}${focus(username !== '')}>
<button class="main" name="action" value="login">Log in</button>
<button name="action" value="cancel" formnovalidate>Cancel</button>
</form>`,
  }
}

/** Said when a login is not, or no longer, under way in this browser. */
export const expiredLogin: Page = {
  title: 'This login has expired',
  content: '<p>Go back to where you came from and log in again. Cookies must be allowed.</p>',
}
