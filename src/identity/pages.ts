import type { Context } from 'oidc-provider'
import { escape, pagePolicy, toHtml } from './page.ts'
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
  const end = ctx.oidc.params['post_logout_redirect_uri']
  show(ctx, { title: 'Log out?', content: `${form}${button}` }, end)
}

export function loggedOutPage(ctx: Context): void {
  show(ctx, { title: 'You are logged out', content: '' })
}

/** @param end where the form of the page ends */
function show(ctx: Context, page: Page, end?: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy(end))
  ctx.body = toHtml(page)
}
