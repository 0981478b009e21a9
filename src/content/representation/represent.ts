import { selectFields } from '../fields/select-fields.ts'
import type { FieldPath } from '../fields/path.ts'
import { reduceLanguage } from './reduce-language.ts'
import { removeNullValues } from './remove-null-values.ts'

/** What the caller wants to see of each record. The defaults want the record as it is. */
export type Representation = {
  readonly language?: string | undefined
  readonly fields: readonly FieldPath[]
  readonly removeNullValues: boolean
}

/**
 * The JSON text of one record for the caller: first the language, then the fields, then the nulls.
 * A record that needs no change is passed on as the text the database gave, with its `Self` added.
 * @param stored JSON text of the stored record
 * @param self absolute address of the record
 */
export function represent(stored: string, self: string, wanted: Representation): string {
  const complete = `${stored.slice(0, -1)}, "Self": ${JSON.stringify(self)}}`
  if (wanted.language === undefined && wanted.fields.length === 0 && !wanted.removeNullValues) {
    return complete
  }
  const record: unknown = JSON.parse(complete)
  const reduced = wanted.language === undefined ? record : reduceLanguage(record, wanted.language)
  const selected =
    wanted.fields.length > 0 && typeof reduced === 'object' && reduced !== null
      ? selectFields(reduced, wanted.fields)
      : reduced
  return JSON.stringify(wanted.removeNullValues ? removeNullValues(selected) : selected)
}
