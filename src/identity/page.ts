/** A page of the token service. It loads nothing from anywhere and runs no script. */
export type Page = { readonly title: string; readonly content: string }

/**
 * What its pages may do: show themselves, and send their form here. Browsers hold a form to that on every redirect
 * too, so the address of the client at which a login or logout ends is allowed.
 * @param end where the form ends; only its origin counts, or its scheme where a policy cannot name that
 */
export function pagePolicy(end?: string): string {
  const targets = ["'self'", ...(end === undefined ? [] : [originOf(end)])].join(' ')
  return `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${targets}`
}

/**
 * Addresses of programs such as `org.example.app:/done` have no origin, and the grammar of a policy knows no IPv6
 * address (CSP 3, section 2.3.1): there the scheme is allowed.
 */
function originOf(address: string): string {
  const { hostname, origin, protocol } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 10vh auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff }
label { display: block; margin-top: 1rem; font-weight: 600 }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid #595959 }
button { font: inherit; margin: 1.5rem .5rem 0 0; padding: .5rem 1.25rem; border: 1px solid #1b1b1b;
  background: #fff; color: inherit }
button.main { background: #14508c; border-color: #14508c; color: #fff }
:focus-visible { outline: 3px solid #d97700; outline-offset: 2px }
.fault { border-left: 4px solid #b3261e; padding-left: .75rem }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 }
  input, button { color: inherit; background: #242424; border-color: #999 } }`

/** The page as HTML. `title` is text; `content` is HTML whose texts are escaped already. */
export function toHtml({ title, content }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${content}
</main>
</body>
</html>`
}

/** A text as it may stand in HTML, in attributes too. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}
