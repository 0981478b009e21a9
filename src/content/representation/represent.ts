import { selectFields } from '../fields/select-fields.ts'
import type { FieldPath } from '../fields/path.ts'
import { reduceLanguage } from './reduce-language.ts'
import { removeNullValues } from './remove-null-values.ts'

/** What the caller wants to see of each record. The defaults want the record as it is. */
export type Representation = {
  readonly language?: string | undefined
  readonly fields: readonly FieldPath[]
  /**
   * Who selects the fields. The database, where it can: then what it gives has them already, and no
   * record is parsed here.
   */
  readonly selectedBy: 'database' | 'hub'
  readonly removeNullValues: boolean
}

/**
 * The JSON text of one record for the caller: first the language, then the fields, then the nulls.
 * A record that needs no change is passed on as the text the database gave, with its `Self` added.
 * @param stored JSON text of the stored record, or of its fields where the database selected them
 * @param self absolute address of the record
 */
export function represent(stored: string, self: string, wanted: Representation): string {
  const isSelected = wanted.selectedBy === 'database'
  const complete = isSelected ? stored : withSelf(stored, self)
  const reduced =
    wanted.language === undefined ? complete : reduceLanguage(complete, wanted.language)
  const mustSelect = wanted.fields.length > 0 && !isSelected
  if (!mustSelect && !wanted.removeNullValues) return reduced
  const record: unknown = JSON.parse(reduced)
  const selected =
    mustSelect && typeof record === 'object' && record !== null
      ? selectFields(record, wanted.fields)
      : record
  return JSON.stringify(wanted.removeNullValues ? removeNullValues(selected) : selected)
}

/** The address depends on the deployment, so it is not stored. */
function withSelf(stored: string, self: string): string {
  return `${stored.slice(0, -1)}, "Self": ${JSON.stringify(self)}}`
}
