import { RequestFailure, toFailure } from '../api/failure.ts'
import type { Failure } from '../api/failure.ts'
import type { Tokens } from './tokens.ts'

/** Renewed so long before it ends that no request meets its end. */
const margin = 30_000

/** Seconds until what failed is tried again. */
const patience = 5

/** A login of which access tokens are made. */
export type Login = {
  readonly tokens: () => Tokens | undefined
  readonly take: (next: Tokens) => void
  /** The provider has ended it. */
  readonly end: () => void
  /** Asks the provider for new tokens. */
  readonly renew: (old: Tokens) => Promise<Tokens>
  /** Whether the provider has answered, and with no: an outage ends no login. */
  readonly isRefusal: (thrown: unknown) => boolean
  readonly now: () => number
}

/**
 * A token for each request, renewed in time, and once for all who ask meanwhile. It throws a
 * `RequestFailure` where the old token is over and there is no new one yet.
 */
export function tokenSource(login: Login): () => Promise<string | undefined> {
  let renewal: Promise<void> | undefined
  return async () => {
    const present = login.tokens()
    if (present === undefined) return undefined
    if (present.expires - login.now() < margin) {
      renewal ??= renew(login, present).finally(() => (renewal = undefined))
      await renewal
    }
    return login.tokens()?.access
  }
}

/** Who has logged out, or in anew, while it was going on is left alone. */
async function renew(login: Login, old: Tokens): Promise<void> {
  const isOver = old.expires <= login.now()
  if (old.refresh === undefined) {
    if (isOver) login.end()
    return
  }
  try {
    const next = await login.renew(old)
    if (login.tokens() === old) login.take(next)
  } catch (thrown) {
    if (login.tokens() !== old) return
    if (login.isRefusal(thrown)) login.end()
    else if (isOver) throw new RequestFailure(asPassing(thrown))
  }
}

/** The provider is out of reach, which passes, whatever it says of itself. */
function asPassing(thrown: unknown): Failure {
  const failure = toFailure(thrown)
  return failure.kind === 'offline' ? failure : { kind: 'unavailable', retryAfter: patience }
}
