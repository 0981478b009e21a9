import { ask } from './ask.ts'
import { Cache } from './cache.ts'
import { addressOf } from './query.ts'
import type { Query } from './query.ts'

/** A GET, as a view requests it. */
export type GetRequest = { readonly path: string; readonly query?: Query }

/** An answer whose body has come, in the form that the caller vouches for. */
type Answer<Body> = { readonly json: () => Promise<Body> }

/** The answers of the last seconds: of one view to its parts, and of a link to the view behind it. */
const answers = new Cache<Pick<Response, 'json'>>({ fresh: 5000, most: 40 })

/**
 * Reads JSON from an address whose parameters or parts are known only when somebody asks:
 * `readJson<Page<Event>>('/v1/Event', { pagesize: 10 }, signal)`. The caller vouches for `Body`. Who
 * requests the same at the same time shares one request.
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
 * Asks for what `readJson` will be requested in a moment, by a view that is still being loaded, and for what
 * follows from it as soon as that is known. What else was expected nobody needs any more.
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
  // Only now: what is requested again goes on.
  before.abort()
  const more = await coming
  if (!signal.aborted) prefetchJson(more ?? [])
}

/** Asks for what will perhaps be requested: by the view behind a link. */
export function prefetchJson(all: readonly GetRequest[]): void {
  for (const one of all)
    answers.expect(addressOf(one.path, one.query), (signal) => loadJson(one, signal))
}

/** What comes next is requested anew: who asks again wants to know. */
export function forgetAnswers(): void {
  answers.forget()
}

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
  const { signal, accept = 'application/json', cache: mode = 'default' } = options
  const url = new URL(addressOf(path, query), location.origin)
  const init = { headers: { accept }, cache: mode }
  return ask(new Request(url, signal === undefined ? init : { ...init, signal }))
}
