import { RequestFailure, toFailure } from '../api/failure.ts'
import type { Failure } from '../api/failure.ts'
import type { Tokens } from './tokens.ts'

/**
 * Tokens are renewed this long before they expire, so that no request carries an expired one. In
 * milliseconds.
 */
const margin = 30_000

/** Seconds until a failed renewal is retried. */
const patience = 5

/** A login that access tokens are taken from. */
export type Login = {
  readonly tokens: () => Tokens | undefined
  readonly take: (next: Tokens) => void
  /** Ends the session after the provider refused to renew it. */
  readonly end: () => void
  /** Requests new tokens from the provider. */
  readonly renew: (old: Tokens) => Promise<Tokens>
  /** Whether an error is a refusal by the provider. An outage does not end the session. */
  readonly isRefusal: (thrown: unknown) => boolean
  readonly now: () => number
}

/**
 * Returns a source of tokens for requests. It renews them in time, once for all concurrent callers.
 * The source throws a `RequestFailure` if the old token has expired and there is no new one yet.
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

/** Renews tokens. If the user has logged out or in again meanwhile, the result is dropped. */
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

/** Converts any error of the renewal to a temporary failure. */
function asPassing(thrown: unknown): Failure {
  const failure = toFailure(thrown)
  return failure.kind === 'offline' ? failure : { kind: 'unavailable', retryAfter: patience }
}
