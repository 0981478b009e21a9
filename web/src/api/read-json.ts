import { ask } from './ask.ts'
import { Cache } from './cache.ts'
import { addressOf } from './query.ts'
import type { Query } from './query.ts'

/** A GET request of a view. */
export type GetRequest = { readonly path: string; readonly query?: Query }

/** A response whose body has been received. The caller vouches for its type. */
type Answer<Body> = { readonly json: () => Promise<Body> }

/**
 * Responses of the last seconds, shared by the parts of a view, and by a link and the view that it
 * opens.
 */
const answers = new Cache<Pick<Response, 'json'>>({ fresh: 5000, most: 40 })

/**
 * Reads JSON from a path: `readJson<Page<Event>>('/v1/Event', { pagesize: 10 }, signal)`. It is for
 * paths and parameters that are known only at runtime, so the caller vouches for `Body`. Concurrent
 * calls for the same URL share one request.
 * @throws RequestFailure
 */
export async function readJson<Body>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Body> {
  const answer: Answer<Body> = await answers.get(
    addressOf(path, query),
    (stop) => loadJson({ path, query }, stop),
    signal,
  )
  return answer.json()
}

async function loadJson({ path, query }: GetRequest, signal: AbortSignal) {
  const response = await readResponse(path, query, { signal })
  const body: unknown = await response.json()
  return { json: () => Promise.resolve(body) }
}

let expecting = new AbortController()

/**
 * Starts the requests that a view will make while the view itself is still loading, and then those
 * that follow from the first results. Requests that were expected for another view are aborted.
 */
export async function expectJson(
  first: readonly GetRequest[],
  next: (signal: AbortSignal) => Promise<readonly GetRequest[]> | undefined,
): Promise<void> {
  const before = expecting
  expecting = new AbortController()
  const { signal } = expecting
  answers.endOthers(new Set(first.map(({ path, query }) => addressOf(path, query))))
  prefetchJson(first)
  const coming = next(signal)?.catch(() => [])
  // Only now, so that a request that both views need is not aborted.
  before.abort()
  const more = await coming
  if (!signal.aborted) prefetchJson(more ?? [])
}

/** Starts requests that may be needed soon, by the view behind a link. */
export function prefetchJson(all: readonly GetRequest[]): void {
  for (const one of all)
    answers.expect(addressOf(one.path, one.query), (signal) => loadJson(one, signal))
}

/** Drops all cached responses, because the user asked for current data. */
export function forgetAnswers(): void {
  answers.forget()
}

/**
 * Returns the response itself, for other formats and for headers.
 * @throws RequestFailure
 */
export function readResponse(
  path: string,
  query: Query = {},
  options: {
    readonly signal?: AbortSignal
    readonly accept?: string
    /** `no-cache` revalidates the copy in the browser's cache (If-None-Match, 304). */
    readonly cache?: RequestCache
  } = {},
): Promise<Response> {
  const { signal, accept = 'application/json', cache: mode = 'default' } = options
  const url = new URL(addressOf(path, query), location.origin)
  const init = { headers: { accept }, cache: mode }
  return ask(new Request(url, signal === undefined ? init : { ...init, signal }))
}
