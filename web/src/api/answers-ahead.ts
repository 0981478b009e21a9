import { addressOf } from './query.ts'
import type { Query } from './query.ts'

/** A GET, as a view asks for it. */
export type Asked = { readonly path: string; readonly query?: Query }

/** An answer whose body has come. */
export type Answer = Pick<Response, 'json'>

/** What was asked for ahead is shown at once or not at all. */
const longestAhead = 5000

type Deps = {
  readonly read: (asked: Asked, signal: AbortSignal) => Promise<Answer>
  readonly now: () => number
}

type Ahead = {
  readonly answer: Promise<Answer>
  readonly since: number
  readonly stop: AbortController
}

/**
 * Answers that are on their way before whoever needs them is there. Each is taken once; a failure is
 * heard by who takes it.
 */
export function answersAhead({ read, now }: Deps) {
  const ahead = new Map<string, Ahead>()
  const isFresh = (since: number) => now() - since < longestAhead

  /** Forgets what nobody took. */
  const forget = (): void => {
    for (const { stop } of ahead.values()) stop.abort()
    ahead.clear()
  }

  const begin = (asked: Asked): Ahead => {
    const stop = new AbortController()
    const answer = read(asked, stop.signal)
    // Nobody may ever take it.
    answer.catch(() => undefined)
    return { answer, since: now(), stop }
  }

  /** Asks for these, unless they are on their way; what else was expected nobody needs any more. */
  const expect = (all: readonly Asked[]): void => {
    const wanted = new Map(all.map((asked) => [addressOf(asked.path, asked.query), asked]))
    for (const [address, { stop, since }] of ahead) {
      if (wanted.has(address) && isFresh(since)) continue
      stop.abort()
      ahead.delete(address)
    }
    for (const [address, asked] of wanted) {
      if (!ahead.has(address)) ahead.set(address, begin(asked))
    }
  }

  /** The answer at an address. Whoever takes it has it alone, so that their signal ends the request. */
  const take = ({ path, query }: Asked, signal?: AbortSignal): Promise<Answer> | undefined => {
    if (signal?.aborted === true) return undefined
    const address = addressOf(path, query)
    const taken = ahead.get(address)
    if (taken === undefined) return undefined
    ahead.delete(address)
    if (!isFresh(taken.since)) return undefined
    signal?.addEventListener('abort', () => {
      taken.stop.abort()
    })
    return taken.answer
  }

  return { expect, forget, take }
}
