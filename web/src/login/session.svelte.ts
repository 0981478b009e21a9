import { loadExplorer, provideToken } from '../api/index.ts'
import { keepPending, takePending } from './pending.ts'
import type { Provider } from './provider.ts'
import { readPerson } from './read-claims.ts'
import type { Person } from './read-claims.ts'
import { findTokens, keepTokens } from './tokens.ts'
import type { Tokens } from './tokens.ts'

/** Whether somebody is logged in. `none`: nobody can, since no client is registered for the page. */
export type SessionState =
  { readonly kind: 'none' } | { readonly kind: 'out' } | ({ readonly kind: 'in' } & Person)

/** Renewed so long before it ends that no request meets its end. */
const margin = 30_000

let canLogIn = $state(false)
let tokens = $state.raw<Tokens | undefined>(findTokens())
let renewal: Promise<void> | undefined

const state = $derived.by<SessionState>(() => {
  if (tokens !== undefined) return { kind: 'in', ...readPerson(tokens.access) }
  return { kind: canLogIn ? 'out' : 'none' }
})

/** Who is logged in, and how that changes. Requests carry the token by themselves. */
export const session = {
  get state(): SessionState {
    return state
  },
  logIn,
  logOut,
}

/** Call it once, before anything is asked. */
export function startSession(): void {
  provideToken(currentToken)
}

/** Whether people can log in at all; the hub says so. Browsers have what it takes on https only. */
export function offerLogin(registration: object | null): void {
  canLogIn = registration !== null && window.isSecureContext
}

async function logIn(): Promise<void> {
  const { flow, provider } = await loadProvider()
  const { url, verifier, state: sent } = await flow.startLogin(provider)
  keepPending({ verifier, state: sent, returnTo: `${location.pathname}${location.search}` })
  location.assign(url)
}

/** Takes what the browser came back with. @returns where to go on */
export async function finish(url: URL): Promise<string> {
  const pending = takePending()
  if (pending === undefined) throw new Error('No login was begun in this tab')
  const { flow, provider } = await loadProvider()
  take(await flow.finishLogin(provider, { url, verifier: pending.verifier, state: pending.state }))
  return pending.returnTo
}

async function logOut(): Promise<void> {
  const ended = tokens
  take(undefined)
  if (ended === undefined) return
  const { flow, provider } = await loadProvider()
  const url = flow.logoutAddress(provider, ended)
  if (url !== undefined) location.assign(url)
}

async function currentToken(): Promise<string | undefined> {
  const present = tokens
  if (present === undefined) return undefined
  if (present.expires - Date.now() < margin) {
    renewal ??= renewTokens(present).finally(() => (renewal = undefined))
    await renewal
  }
  return tokens?.access
}

/** A login that cannot be renewed has ended; the next answer says what that means. */
async function renewTokens(old: Tokens): Promise<void> {
  try {
    const { flow, provider } = await loadProvider()
    take(await flow.renew(provider, old))
  } catch {
    if (old.expires < Date.now()) take(undefined)
  }
}

function take(next: Tokens | undefined): void {
  tokens = next
  keepTokens(next)
}

let known: Promise<Provider> | undefined

/** What logins need is loaded when somebody logs in. */
async function loadProvider() {
  const flow = await import('./provider.ts')
  const { login } = await loadExplorer()
  if (login === null) throw new Error('This hub has no client for the page')
  known ??= flow.discover(login).catch((thrown: unknown) => {
    known = undefined
    throw thrown
  })
  return { flow, provider: await known }
}
