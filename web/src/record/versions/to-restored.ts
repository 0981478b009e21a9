import { fieldsOf, textsOf, withoutFields } from '../../../../src/lang/json.ts'
import type { Present } from '../../api/edit-record.ts'
import { RequestFailure } from '../../api/failure.ts'
import type { WriteRequest } from '../../api/write-json.ts'

/**
 * Returns the body that restores a version, without the fields that the hub generates from others.
 */
export function toRestored(version: unknown): object {
  const record = fieldsOf(version)
  return withoutFields(record, textsOf(fieldsOf(record['_Meta'])['Generated']))
}

type Restoration = {
  readonly path: string
  readonly version: unknown
  /** The current state, which the version replaces. */
  readonly present: Present
}

/**
 * Builds the request that restores a version. It fails if the record has changed since it was read.
 * @throws RequestFailure if there is no ETag, because the whole record is replaced and changes of
 *   others would be lost
 */
export function toRestoreRequest({ path, version, present: { etag } }: Restoration): WriteRequest {
  if (etag === undefined) {
    const detail = `The response of ${path} has no ETag, so restoring could overwrite a newer change.`
    const hint = 'Check whether a proxy in front of the hub removes the ETag header.'
    throw new RequestFailure({ kind: 'broken', problem: { detail, hint } })
  }
  return { method: 'PUT', path, body: toRestored(version), ifMatch: etag }
}
