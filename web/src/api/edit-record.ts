import { fieldsOf } from '../../../src/lang/json.ts'
import type { Members } from '../../../src/lang/json.ts'
import type { Operation } from './patch.ts'
import { readResponse } from './read-json.ts'
import type { WriteRequest } from './write-json.ts'

/** A record as the hub gave it, and the ETag of that state; without one where it is still to be created. */
export type Present = { readonly record: Members; readonly etag: string | undefined }

/** A record as it is, with its ETag: what the browser has kept is requested again. @throws RequestFailure */
export async function readPresent(path: string, signal?: AbortSignal): Promise<Present> {
  const options = { cache: 'no-cache', ...(signal === undefined ? {} : { signal }) } as const
  const response = await readResponse(path, {}, options)
  return {
    record: fieldsOf(await response.json()),
    etag: response.headers.get('etag') ?? undefined,
  }
}

/** What changes a record by a JSON Patch, as long as nobody else has changed it since it was read. */
export function toPatchRequest(
  path: string,
  { etag }: Present,
  operations: readonly Operation[],
): WriteRequest {
  return {
    ...{ method: 'PUT', path, body: operations, contentType: 'application/json-patch+json' },
    ...(etag === undefined ? {} : { ifMatch: etag }),
  }
}
