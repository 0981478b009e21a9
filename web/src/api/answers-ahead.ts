import { addressOf } from './query.ts'
import type { Query } from './query.ts'

/** A GET, as a view requests it. */
export type GetRequest = { readonly path: string; readonly query?: Query }

/** An answer whose body has come. */
export type Answer = Pick<Response, 'json'>

/** What was requested ahead is shown at once or not at all. */
const longestAhead = 5000

type Deps = {
  readonly read: (asked: GetRequest, signal: AbortSignal) => Promise<Answer>
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
  let turn = 0
  const add = (asked: GetRequest): void => {
    const address = addressOf(asked.path, asked.query)
    if (!ahead.has(address)) ahead.set(address, begin(asked, read, now()))
  }
  const isFresh = ({ since }: Ahead) => now() - since < longestAhead
  /** Gives up what is expected at other addresses than these. */
  const keep = (wanted: ReadonlySet<string>): void => {
    turn += 1
    for (const [address, one] of ahead) {
      if (wanted.has(address) && isFresh(one)) continue
      one.stop.abort()
      ahead.delete(address)
    }
  }
  return {
    /** Asks for these, unless they are on their way; what else was expected nobody needs any more. */
    expect: (all: readonly GetRequest[]): void => {
      keep(new Set(all.map(({ path, query }) => addressOf(path, query))))
      for (const asked of all) add(asked)
    },
    /** Asks for these beside what is expected, once they are known; unless other things are by then. */
    expectNext: async (next: Promise<readonly GetRequest[]>): Promise<void> => {
      const began = turn
      const all = await next
      if (turn === began) for (const asked of all) add(asked)
    },
    /** Forgets what nobody took. */
    forget: (): void => {
      keep(new Set())
    },
    /** The answer at an address, which is left for who takes it; undefined where none is expected. */
    peek: ({ path, query }: GetRequest): Promise<Answer> | undefined =>
      ahead.get(addressOf(path, query))?.answer,
    take: (asked: GetRequest, signal?: AbortSignal) => taken({ ahead, isFresh }, asked, signal),
  }
}

function begin(asked: GetRequest, read: Deps['read'], since: number): Ahead {
  const stop = new AbortController()
  const answer = read(asked, stop.signal)
  // Nobody may ever take it.
  answer.catch(() => undefined)
  return { answer, since, stop }
}

type Kept = {
  readonly ahead: Map<string, Ahead>
  readonly isFresh: (one: Ahead) => boolean
}

/** The answer at an address. Whoever takes it has it alone, so that their signal ends the request. */
function taken(
  { ahead, isFresh }: Kept,
  { path, query }: GetRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> | undefined {
  if (signal?.aborted === true) return undefined
  const address = addressOf(path, query)
  const one = ahead.get(address)
  if (one === undefined) return undefined
  ahead.delete(address)
  if (!isFresh(one)) return undefined
  signal?.addEventListener('abort', () => {
    one.stop.abort()
  })
  return one.answer
}
