import { answersAhead } from './answers-ahead.ts'
import { ask } from './ask.ts'
import { addressOf } from './query.ts'
import type { Query } from './query.ts'

/** An answer whose body has the form that the caller vouches for. */
type Answer<Body> = { readonly json: () => Promise<Body> }

/**
 * Reads JSON from an address whose parameters or parts are known only when somebody asks:
 * `readJson<Page<Event>>('/v1/Event', { pagesize: 10 }, signal)`. The caller vouches for `Body`.
 * @throws RequestFailure
 */
export async function readJson<Body>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Body> {
  const options = signal === undefined ? {} : { signal }
  const expected = ahead.take({ path, query }, signal)
  const response: Answer<Body> = await (expected ?? readResponse(path, query, options))
  return response.json()
}

const ahead = answersAhead({
  read: async ({ path, query }, signal) => {
    const response = await readResponse(path, query, { signal })
    const body: unknown = await response.json()
    return { json: () => Promise.resolve(body) }
  },
  now: () => performance.now(),
})

/** Asks for what `readJson` will be requested in a moment: by a view that is still being loaded. */
export const expectJson = ahead.expect

/** Asks beside that for what follows from it. */
export const expectNextJson = ahead.expectNext

/**
 * As `readJson`, of what is expected, which stays expected.
 * @throws Error for anything else
 */
export async function peekJson<Body>(path: string, query: Query = {}): Promise<Body> {
  const answer: Promise<Answer<Body>> | undefined = ahead.peek({ path, query })
  if (answer === undefined) throw new Error(`Nobody expects ${path}`)
  return (await answer).json()
}

/** Forgets what was requested ahead: somebody else sees other data. */
export const forgetExpected = ahead.forget

/**
 * The answer itself, for other formats and headers.
 * @throws RequestFailure
 */
export function readResponse(
  path: string,
  query: Query = {},
  options: {
    readonly signal?: AbortSignal
    readonly accept?: string
    /** `no-cache` asks the hub whether what the browser has is still true (If-None-Match, 304). */
    readonly cache?: RequestCache
  } = {},
): Promise<Response> {
  const { signal, accept = 'application/json', cache = 'default' } = options
  const url = new URL(addressOf(path, query), location.origin)
  const init = { headers: { accept }, cache }
  return ask(new Request(url, signal === undefined ? init : { ...init, signal }))
}
