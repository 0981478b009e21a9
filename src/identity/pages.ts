import type { Context } from 'oidc-provider'
import { PAGE_POLICY, escape, toHtml } from './page.ts'
import type { Page } from './page.ts'

/** The pages that oidc-provider lets us draw. */

export function errorPage(ctx: Context, out: Readonly<Record<string, string>>): void {
  const reason = out['error_description'] ?? out['error'] ?? ''
  show(ctx, { title: 'That did not work', content: `<p>${escape(reason)}</p>` })
}

/** `form` is oidc-provider's own, with its protection against forged requests. */
export function logoutPage(ctx: Context, form: string): void {
  const button =
    '<button class="main" type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>'
  show(ctx, { title: 'Log out?', content: `${form}${button}` })
}

export function loggedOutPage(ctx: Context): void {
  show(ctx, { title: 'You are logged out', content: '' })
}

function show(ctx: Context, page: Page): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', PAGE_POLICY)
  ctx.body = toHtml(page)
}
