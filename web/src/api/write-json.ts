import { ask } from './ask.ts'
import { addressOf } from './query.ts'
import type { GetRequest } from './read-json.ts'
import { forgetAnswers } from './read-json.ts'

type WriteRequest = GetRequest & {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  /** ETag of what the caller has seen: the write is refused where it is another by now. */
  readonly ifMatch?: string
}

/**
 * Writes with the rights of whoever is logged in. What was read before is requested anew afterwards.
 * @throws RequestFailure
 */
export async function writeJson<Answer>(write: WriteRequest): Promise<Answer> {
  const { method, path, query, body, ifMatch } = write
  const answer: { readonly json: () => Promise<Answer> } = await ask(
    new Request(new URL(addressOf(path, query ?? {}), location.origin), {
      method,
      headers: {
        'content-type': 'application/json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  forgetAnswers()
  return answer.json()
}
