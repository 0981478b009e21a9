import type { Context } from 'oidc-provider'

/** The few pages of the token service that people see. They load nothing from anywhere. */

type Shown = { readonly title: string; readonly content: string }

export function errorPage(ctx: Context, out: Readonly<Record<string, string>>): void {
  const reason = out['error_description'] ?? out['error'] ?? ''
  show(ctx, { title: 'That did not work', content: `<p>${escape(reason)}</p>` })
}

/** `form` is oidc-provider's own, with its protection against forged requests. */
export function logoutPage(ctx: Context, form: string): void {
  const button =
    '<button type="submit" form="op.logoutForm" name="logout" value="yes">Log out</button>'
  show(ctx, { title: 'Log out?', content: `${form}${button}` })
}

export function loggedOutPage(ctx: Context): void {
  show(ctx, { title: 'You are logged out', content: '' })
}

function show(ctx: Context, { title, content }: Shown): void {
  ctx.type = 'html'
  ctx.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${content}
</html>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}
