import { isEmbedded } from '../address/index.ts'
import { forgetPerson, isReachable, loadExplorer, once, provideToken } from '../api/index.ts'
import { keepPending, takePending, readPerson, findTokens, keepTokens } from './tokens.ts'
import type { Person, Tokens } from './tokens.ts'
import { tokenSource } from './token-source.ts'

/** Whether somebody is logged in. `none`: nobody can, since no client is registered for the page. */
export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'out' }
  | ({ readonly kind: 'in' } & Person)

/** What has to be told: that a login is over, or that a step of one did not work. */
export type Trouble =
  | { readonly kind: 'ended' }
  | { readonly kind: 'login' | 'logout'; readonly reason: string }

// Whoever shows something depends on the person, not on tokens, which change every few minutes.
let tokens = isEmbedded ? undefined : findTokens()
let person = $state.raw(personOf(tokens))
let canLogIn = $state(false)
let trouble = $state.raw<Trouble>()

const isIn = $derived(person !== undefined)
const state = $derived.by<SessionState>(() =>
  person === undefined ? { kind: canLogIn ? 'out' : 'none' } : { kind: 'in', ...person },
)

/** Who is logged in, and how that changes. Requests carry the token by themselves. */
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
  /** What was told has been read. */
  forgetTrouble: (): void => {
    trouble = undefined
  },
  /** It never rejects: what went wrong is told as `trouble`. */
  logIn: (): Promise<void> => tellTrouble('login', logIn),
  /** As `logIn`. */
  logOut: (): Promise<void> => tellTrouble('logout', logOut),
}

/** Call it once, before anything is asked. */
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

/** Whether people can log in at all; the hub says so. Browsers have what it takes on https only. */
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
    // Some browsers never request a missing part again, and a newer version of the page may have another.
    if (before > 0 && misses > before && (await isReachable())) location.reload()
    throw thrown
  })
  const { url, verifier, state: sent } = await flow.startLogin(provider)
  keepPending({ verifier, state: sent, returnTo: placeToReturnTo() })
  location.assign(url)
}

/** Where a login is finished nobody wants to be. */
function placeToReturnTo(): string {
  const { pathname, search, hash } = location
  return pathname === '/login/done' ? '/' : `${pathname}${search}${hash}`
}

/**
 * Takes what the browser came back with.
 * @returns where to go on; undefined where no login was begun in this tab
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

/** How often the code of logins did not arrive. */
let misses = 0
let isRefusal: (thrown: unknown) => boolean = () => false

/** What logins need is loaded when somebody logs in. */
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
