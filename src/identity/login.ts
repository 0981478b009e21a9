import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import type { Interaction, Provider } from 'oidc-provider'
import type { Accounts } from './accounts.ts'
import { readForm } from './form.ts'
import { escape, pagePolicy, toHtml } from './page.ts'
import type { Page } from './page.ts'
import { retryAfter } from './token-error.ts'

type Deps = { readonly accounts: Accounts; readonly provider: () => Promise<Provider> }

const WRONG = 'The user name or the password is wrong. After several tries, wait a minute.'
const DISABLED = 'This account is disabled. The operator of the hub can say why.'

/** Shows the login page of an authorization request that is under way. */
export function showLogin({ provider }: Deps) {
  return async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const login = await findLogin(await provider(), raw, reply)
    if (login === undefined) return show(reply.code(400), expiredLogin)
    const { client_id: client = '', login_hint: username = '', redirect_uri: end } = login.params
    return show(reply, loginPage({ client, username }), end)
  }
}

/** Takes the form of the login page: goes on with the authorization, or shows the page again. */
export function submitLogin({ accounts, provider: current }: Deps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const provider = await current()
    const form = await readForm(request)
    const login = await findLogin(provider, request.raw, reply)
    if (login === undefined) return show(reply.code(400), expiredLogin)
    const goOn = async (result: Readonly<Record<string, unknown>>) =>
      reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
    if (form.get('action') === 'cancel') {
      return goOn({ error: 'access_denied', error_description: 'The login was cancelled' })
    }
    const username = form.get('username') ?? ''
    const tried = { secret: form.get('password') ?? '', address: request.ip }
    const user = await accounts.checkPassword(username, tried).catch((error: unknown) => {
      // The page says the same as for a wrong password, so that guessing tells nothing.
      if (error instanceof errors.OIDCProviderError && error.statusCode === 429) {
        void reply.header('retry-after', retryAfter(error))
        return undefined
      }
      throw error
    })
    if (user?.enabled === true) return goOn({ login: { accountId: user.id } })
    const fault = user === undefined ? WRONG : DISABLED
    const { client_id: client = '', redirect_uri: end } = login.params
    return show(reply.code(400), loginPage({ client, username, fault }), end)
  }
}

/** The login that the cookie of this request belongs to. */
async function findLogin(
  provider: Provider,
  raw: FastifyRequest['raw'],
  reply: FastifyReply,
): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(raw, reply.raw)
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

/** @param end where the form of the page ends */
function show(reply: FastifyReply, page: Page, end?: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': pagePolicy(end), 'cache-control': 'no-store' })
    .send(toHtml(page))
}

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
function loginPage({ client, username, fault }: Shown): Page {
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
const expiredLogin: Page = {
  title: 'This login has expired',
  content: '<p>Go back to where you came from and log in again. Cookies must be allowed.</p>',
}
