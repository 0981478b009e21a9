import { isEmbedded } from '../address/index.ts'
import { forgetPerson, isReachable, loadExplorer, once, provideToken } from '../api/index.ts'
import { keepPending, takePending, readPerson, findTokens, keepTokens } from './tokens.ts'
import type { Person, Tokens } from './tokens.ts'
import { tokenSource } from './token-source.ts'

/**
 * State of the session. `none`: nobody can log in, for example because no client is registered for
 * the page.
 */
export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'out' }
  | ({ readonly kind: 'in' } & Person)

/** A problem to show: the session has expired, or a login or logout failed. */
export type Trouble =
  | { readonly kind: 'ended' }
  | { readonly kind: 'login' | 'logout'; readonly reason: string }

// Components depend on the person, not on the tokens, which change every few minutes.
let tokens = isEmbedded ? undefined : findTokens()
let person = $state.raw(personOf(tokens))
let canLogIn = $state(false)
let trouble = $state.raw<Trouble>()

const isIn = $derived(person !== undefined)
const state = $derived.by<SessionState>(() =>
  person === undefined ? { kind: canLogIn ? 'out' : 'none' } : { kind: 'in', ...person },
)

/** The session of the user. Requests get its token automatically. */
export const session = {
  get state(): SessionState {
    return state
  },
  get isIn(): boolean {
    return isIn
  },
  get trouble(): Trouble | undefined {
    return trouble
  },
  /** Dismisses the current problem. */
  forgetTrouble: (): void => {
    trouble = undefined
  },
  /** Starts a login. Never rejects: a failure becomes `trouble`. */
  logIn: (): Promise<void> => tellTrouble('login', logIn),
  /** Logs out. Never rejects: a failure becomes `trouble`. */
  logOut: (): Promise<void> => tellTrouble('logout', logOut),
}

/** Registers the token source. Must be called once, before the first request. */
export function startSession(): void {
  const source = tokenSource({
    tokens: () => tokens,
    take,
    end: () => {
      take(undefined)
      trouble = { kind: 'ended' }
    },
    renew: async (old) => {
      const { flow, provider } = await loadProvider()
      return flow.renew(provider, old)
    },
    isRefusal: (thrown) => isRefusal(thrown),
    now: Date.now,
  })
  provideToken(source)
}

/**
 * Sets whether users can log in, by the hub's settings. Browsers support the required cryptography
 * on HTTPS only.
 */
export function offerLogin(registration: object | null): void {
  canLogIn = !isEmbedded && registration !== null && window.isSecureContext
}

async function tellTrouble(kind: 'login' | 'logout', step: () => Promise<void>): Promise<void> {
  trouble = undefined
  try {
    await step()
  } catch (thrown) {
    trouble = { kind, reason: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

async function logIn(): Promise<void> {
  const before = misses
  const { flow, provider } = await loadProvider().catch(async (thrown: unknown) => {
    // Some browsers never retry a module that failed to load, and a new version of the page may
    // have renamed it.
    if (before > 0 && misses > before && (await isReachable())) location.reload()
    throw thrown
  })
  const { url, verifier, state: sent } = await flow.startLogin(provider)
  keepPending({ verifier, state: sent, returnTo: placeToReturnTo() })
  location.assign(url)
}

/** Returns the URL to return to after a login, but never the view that finishes logins. */
function placeToReturnTo(): string {
  const { pathname, search, hash } = location
  return pathname === '/login/done' ? '/' : `${pathname}${search}${hash}`
}

/**
 * Finishes a login with the URL to which the provider redirected.
 * @returns the URL to return to, or undefined if no login was started in this tab
 */
export async function finish(url: URL): Promise<string | undefined> {
  const pending = takePending()
  if (pending === undefined) return undefined
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

function take(next: Tokens | undefined): void {
  tokens = next
  keepTokens(next)
  const found = personOf(next)
  if (JSON.stringify(found) === JSON.stringify(person)) return
  person = found
  forgetPerson()
}

function personOf(found: Tokens | undefined): Person | undefined {
  return found === undefined ? undefined : readPerson(found.access)
}

/** How often loading the login code has failed. */
let misses = 0
let isRefusal: (thrown: unknown) => boolean = () => false

/** Loads the login code and the provider's metadata, on first use. */
const loadProvider = once(async () => {
  const flow = await import('./provider.ts').catch((thrown: unknown) => {
    misses += 1
    throw thrown
  })
  isRefusal = flow.isRefusal
  const { login } = await loadExplorer()
  if (login === null) throw new Error('This hub has no client for the page')
  return { flow, provider: await flow.discover(login) }
})
