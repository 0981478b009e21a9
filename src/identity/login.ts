import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import type { Interaction, Provider } from 'oidc-provider'
import type { Queryable } from '../storage/database.ts'
import type { Accounts } from './accounts.ts'
import { requireClient } from './client-credentials.ts'
import { readForm } from './form.ts'
import { endSession } from './revocations.ts'
import type { Revocations } from './revocations.ts'
import { retryAfter, tokenError } from './token-error.ts'

/** A page of the token service. It loads nothing and runs no script. */
export type Page = { readonly title: string; readonly content: string }

/**
 * Returns the content security policy of a page: it may only show itself and send its form to the
 * hub. Browsers also apply `form-action` to every redirect, so the URL of the client at which a
 * login or logout ends is allowed.
 * @param end URL at which the form ends; only its origin counts, or its scheme if a policy cannot
 *   name the origin
 */
export function pagePolicy(end?: string): string {
  const targets = ["'self'", ...(end === undefined ? [] : [originOf(end)])].join(' ')
  return `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${targets}`
}

/**
 * Returns the origin of a URL, or its scheme. URLs of programs such as `org.example.app:/done` have
 * no origin, and the grammar of a policy has no IPv6 addresses (CSP 3, section 2.3.1).
 */
function originOf(address: string): string {
  const { hostname, origin, protocol } = new URL(address)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}

/**
 * Colours and fonts of the Explorer (`web/src/design/tokens.css`), from which people reach these
 * pages.
 */
const style = `
:root { color-scheme: light dark; --paper: light-dark(#fbfaf6, #15181b); --sheet: light-dark(#fff, #1b1f23);
  --ink: light-dark(#1d2125, #e9e6df); --soft: light-dark(#53595e, #a9adae); --line: light-dark(#8a8a83, #767d83);
  --accent: light-dark(#0d5866, #74c8d4); --accent-ink: light-dark(#fff, #0b1416);
  --bad: light-dark(#a8261f, #ff9e94); --focus: light-dark(#c15700, #ffb265) }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 10vh auto; padding: 0 1rem;
  color: var(--ink); background: var(--paper) }
svg { width: 2.25rem; fill: none; stroke-width: 2.25; stroke-linecap: round }
h1 { margin: .5rem 0; font: 400 2rem/1.2 'Iowan Old Style', Palatino, 'Noto Serif', Georgia, serif }
h1 + p { color: var(--soft) }
label { display: block; margin-top: 1rem; font-size: .875rem; font-weight: 600 }
input, button { min-height: 2.5rem; box-sizing: border-box; border: 1px solid var(--line); border-radius: 3px;
  background: var(--sheet); color: inherit; font: inherit }
input { width: 100%; padding: 0 .75rem }
button { margin: 1.5rem .5rem 0 0; padding: 0 1.25rem; font-weight: 600 }
button.main { border-color: var(--accent); background: var(--accent); color: var(--accent-ink) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.fault { border-left: 3px solid var(--bad); padding-left: .75rem }`

const mark = `<svg viewBox="0 0 28 28" aria-hidden="true">
<path stroke="light-dark(#4d6a1e, #b2cb7c)" d="M2 6c7 0 8 8 13 8"/>
<path stroke="light-dark(#4450a0, #a9b3f2)" d="M2 14h13"/>
<path stroke="light-dark(#a34412, #f2a277)" d="M2 22c7 0 8-8 13-8"/>
<circle stroke="currentColor" cx="19.5" cy="14" r="4.5"/></svg>`

/** Returns the page as HTML. `title` is text; `content` is HTML whose texts are already escaped. */
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
${mark}
<h1>${escape(title)}</h1>
${content}
</main>
</body>
</html>`
}

/** Escapes a text for HTML, including attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)
}

/** Host names of the local machine (RFC 8252, section 7.3). */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Schemes that a browser executes or opens itself. */
const NEVER = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']

type ApplicationType = 'native' | 'web'

/**
 * Returns the type of a client. `native` is an app that receives its response on the local machine,
 * at any port or by a scheme of its own.
 */
export function applicationType(uris: readonly string[]): ApplicationType {
  return uris.length > 0 && uris.every((uri) => typeOf(uri) === 'native') ? 'native' : 'web'
}

/** Returns why the redirect URIs of one client are not allowed, or undefined if they are. */
export function redirectFault(uris: readonly string[]): string | undefined {
  for (const uri of uris) {
    const parsed = URL.parse(uri)
    if (parsed === null)
      return `${uri} is not a URL; write it in full, such as https://site.example/login`
    if (uri.includes('#')) return `${uri} must not have a fragment (#…)`
    if (uri.includes('*')) return `${uri} must be exact; wildcards are not offered`
    if (NEVER.includes(parsed.protocol)) return `${uri} has a scheme that is not allowed`
  }
  if (new Set(uris.map(typeOf)).size > 1) {
    return 'A client is either a web site or an app: its URLs are all on the web, or all on this machine or of a scheme of its own'
  }
  return undefined
}

function typeOf(uri: string): ApplicationType {
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:') return 'web'
  return protocol === 'http:' && !LOOPBACK.includes(hostname) ? 'web' : 'native'
}

type Deps = { readonly accounts: Accounts; readonly provider: () => Promise<Provider> }

const WRONG = 'The user name or the password is wrong. After several tries, wait a minute.'
const DISABLED = 'This account is disabled. The operator of the hub can say why.'

/** Returns the handler that shows the login page of an authorization request in progress. */
export function showLogin({ provider }: Deps) {
  return async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const login = await findLogin(await provider(), raw, reply)
    if (login === undefined) return show(reply.code(400), expiredLogin)
    const { client_id: client = '', login_hint: username = '', redirect_uri: end } = login.params
    return show(reply, loginPage({ client, username }), end)
  }
}

/** Returns the handler of the login form: continues the authorization, or shows the page again. */
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
      // The page is the same as for a wrong password, so that guessing reveals nothing.
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

/** @param end URL at which the form ends after its redirects */
function show(reply: FastifyReply, page: Page, end?: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': pagePolicy(end), 'cache-control': 'no-store' })
    .send(toHtml(page))
}

type Shown = {
  /** The client that the user logs in to. */
  readonly client: string
  readonly username: string
  /** Why the last attempt failed. */
  readonly fault?: string
}

/**
 * Returns the login form. It is submitted to the URL of its page, with the cookie of this login,
 * which no other site can make a browser send.
 */
function loginPage({ client, username, fault }: Shown): Page {
  const alert =
    fault === undefined ? '' : `<p class="fault" role="alert" id="fault">${escape(fault)}</p>`
  const described = fault === undefined ? '' : ' aria-describedby="fault" aria-invalid="true"'
  const focus = (wanted: boolean) => (wanted ? ' autofocus' : '')
  return {
    title: 'Log in',
    content: `<p>to continue to <strong>${escape(client)}</strong></p>
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

/** The page for a login that does not exist in this browser, or has expired. */
const expiredLogin: Page = {
  title: 'This login has expired',
  content: '<p>Go back to where you came from and log in again. Cookies must be allowed.</p>',
}

type LogOutDeps = {
  readonly accounts: Accounts
  readonly database: Queryable
  readonly revocations: Revocations
  readonly provider: () => Promise<Provider>
}

/**
 * Handles `POST …/logout`. A program logs its user out with the refresh token, as with Keycloak; a
 * browser is redirected to the confirmation page (OpenID Connect RP-Initiated Logout 1.0, section
 * 2).
 * @throws token errors 400, 401
 */
export function logOut({ accounts, database, revocations, provider }: LogOutDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = await readForm(request)
    const refreshToken = form.get('refresh_token')
    const { url, headers, ip } = request
    if (refreshToken === null) {
      const [path = ''] = url.split('?')
      return reply.redirect(`${path}?${form.toString()}`, 303)
    }
    const asking = { authorization: headers.authorization, form, address: ip }
    const client = await requireClient(asking, accounts)
    const { RefreshToken } = await provider()
    const token = await RefreshToken.find(refreshToken)
    if (token?.clientId !== client.clientId || token.grantId === undefined) {
      throw tokenError(400, 'invalid_grant', 'Invalid refresh token')
    }
    await revocations.revoke({ kind: 'session', id: token.grantId })
    await endSession(database, token.grantId)
    return reply.code(204).header('cache-control', 'no-store').send()
  }
}
