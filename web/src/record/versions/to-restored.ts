import { fieldsOf, textsOf, withoutFields } from '../../../../src/lang/json.ts'

/** A version as it is written again: the hub generates its own fields anew from the others. */
export function toRestored(version: unknown): object {
  const record = fieldsOf(version)
  return withoutFields(record, textsOf(fieldsOf(record['_Meta'])['Generated']))
}
