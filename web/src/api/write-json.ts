import { ask } from './ask.ts'
import { addressOf } from './query.ts'
import type { GetRequest } from './read-json.ts'
import { forgetAnswers } from './read-json.ts'

export type WriteRequest = GetRequest & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  /** Of the body, where it is not plain JSON, such as a JSON Patch. */
  readonly contentType?: string
  /** ETag of what the caller has seen: the write is refused where it is another by now. */
  readonly ifMatch?: string
}

/**
 * Writes with the rights of whoever is logged in. What was read before is requested anew afterwards.
 * @throws RequestFailure
 */
export async function writeJson<Answer>(write: WriteRequest): Promise<Answer> {
  const answer: { readonly json: () => Promise<Answer> } = await send(write)
  return answer.json()
}

/** The same where the answer is only that it is done. @throws RequestFailure */
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
