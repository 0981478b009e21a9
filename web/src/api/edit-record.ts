import { fieldsOf } from '../../../src/lang/json.ts'
import type { Members } from '../../../src/lang/json.ts'
import type { Operation } from './patch.ts'
import { readResponse } from './read-json.ts'
import type { WriteRequest } from './write-json.ts'

/** A record and its ETag; a record that is yet to be created has none. */
export type Present = { readonly record: Members; readonly etag: string | undefined }

/**
 * Reads the current state of a record and its ETag. A copy in the browser's cache is revalidated.
 * @throws RequestFailure
 */
export async function readPresent(path: string, signal?: AbortSignal): Promise<Present> {
  const options = { cache: 'no-cache', ...(signal === undefined ? {} : { signal }) } as const
  const response = await readResponse(path, {}, options)
  return {
    record: fieldsOf(await response.json()),
    etag: response.headers.get('etag') ?? undefined,
  }
}

/**
 * Builds the JSON Patch request that changes a record. It fails if the record has changed since it
 * was read.
 */
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
