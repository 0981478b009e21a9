import { fieldsOf, textsOf, withoutFields } from '../../../../src/lang/json.ts'

/**
 * Returns the body that restores a version, without the fields that the hub generates from others.
 */
export function toRestored(version: unknown): object {
  const record = fieldsOf(version)
  return withoutFields(record, textsOf(fieldsOf(record['_Meta'])['Generated']))
}
