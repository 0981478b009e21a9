import { RequestFailure, isAbort, readFailure } from './failure.ts'

type TokenSource = () => Promise<string | undefined>

let tokenSource: TokenSource = () => Promise.resolve(undefined)

/** Sets the source of access tokens. The login calls it once. */
export function provideToken(source: TokenSource): void {
  tokenSource = source
}

/**
 * Sends a request of the page. Requests to the page's own hub carry the token of the logged-in
 * user; no other origin receives it.
 * @throws RequestFailure if the response is not a success, or if there is none
 */
export async function ask(request: Request): Promise<Response> {
  const isOwn = new URL(request.url).origin === location.origin
  const token = isOwn ? await tokenSource() : undefined
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
  return askAsAnybody(request)
}

/**
 * Sends a request without a token. The login itself needs it before there is one.
 * @throws RequestFailure
 */
export async function askAsAnybody(request: Request): Promise<Response> {
  const response = await fetch(request).catch((thrown: unknown) => {
    if (isAbort(thrown)) throw thrown
    throw new RequestFailure({ kind: 'offline' })
  })
  if (!response.ok) throw new RequestFailure(await readFailure(response))
  return response
}

/** Reports whether the hub responds at all. */
export function isReachable(): Promise<boolean> {
  return fetch('/explorer.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
