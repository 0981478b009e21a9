import { RequestFailure, isAbort, readFailure } from './failure.ts'

type TokenSource = () => Promise<string | undefined>

let tokenSource: TokenSource = () => Promise.resolve(undefined)

/** Says where access tokens come from; the login does, once. */
export function provideToken(source: TokenSource): void {
  tokenSource = source
}

/**
 * Every request of the page: with the token of whoever is logged in, to the hub that the page is from.
 * Nobody else is given the token.
 * @throws RequestFailure for every answer that is not a success, and for none
 */
export async function ask(request: Request): Promise<Response> {
  const isOwn = new URL(request.url).origin === location.origin
  const token = isOwn ? await tokenSource() : undefined
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`)
  return askAsAnybody(request)
}

/**
 * The same without a token: for what a login itself has to know.
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

/** Whether the hub answers at all. */
export function isReachable(): Promise<boolean> {
  return fetch('/explorer.json', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
