import { ask } from './ask.ts'
import { addressOf } from './query.ts'
import type { GetRequest } from './read-json.ts'
import { forgetAnswers } from './read-json.ts'

export type WriteRequest = GetRequest & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  /** Media type of the body if it is not plain JSON, such as a JSON Patch. */
  readonly contentType?: string
  /**
   * ETag of the state that the caller has seen. The write is refused if the record has changed
   * since.
   */
  readonly ifMatch?: string
}

/**
 * Writes with the rights of the logged-in user and returns the response's JSON. Cached responses
 * are dropped afterwards.
 * @throws RequestFailure
 */
export async function writeJson<Answer>(write: WriteRequest): Promise<Answer> {
  const answer: { readonly json: () => Promise<Answer> } = await send(write)
  return answer.json()
}

/**
 * Writes like `writeJson`, for operations whose response has no content.
 * @throws RequestFailure
 */
export async function writeOnly(write: WriteRequest): Promise<void> {
  await send(write)
}

async function send({
  method,
  path,
  query,
  body,
  contentType = 'application/json',
  ifMatch,
}: WriteRequest): Promise<Response> {
  const answer = await ask(
    new Request(new URL(addressOf(path, query ?? {}), location.origin), {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  forgetAnswers()
  return answer
}
