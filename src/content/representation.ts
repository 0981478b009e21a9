import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Entity } from './entity.ts'
import { canSelectInDatabase, parseFields, selectFields, selectInDatabase } from './fields.ts'
import type { FieldPath } from './fields.ts'
import { reduceLanguage } from './reduce-language.ts'

export { languages } from './reduce-language.ts'

type StoredForm = {
  readonly entity: Entity
  readonly reduced: boolean
  readonly representation: Representation
}

/**
 * What to read of each record: its fields where the database can select them, otherwise the record
 * without its closed members where the caller may not see them (decision D34).
 */
export function dataOf({ entity, reduced, representation }: StoredForm): Sql {
  if (representation.selectedBy === 'database') {
    return selectInDatabase({ entity, reduced, ...representation })
  }
  if (!reduced) return sql`data`
  const members = [...entity.closedMembers]
  return sql`
    case when data ?| ${members}::text[]
      then jsonb_set(data - ${members}::text[], '{_Meta,Reduced}', 'true') else data end`
}

/**
 * The representation of records to which a member is added when they are read: `fields` does not cut it
 * (reference content.md 8.1.6). What is asked for inside of it is selected after it is there.
 */
export function withMember(wanted: Representation, name: string): Representation {
  const { fields } = wanted
  if (fields.length === 0) return wanted
  const isAsked = fields.some(
    ({ steps: [first] }) => first?.kind !== 'member' || first.name === name,
  )
  if (isAsked) return { ...wanted, selectedBy: 'hub' }
  return { ...wanted, fields: [...fields, ...parseFields([name])] }
}

/**
 * Removes members that say nothing: null, and empty texts, arrays and objects, from the inside out,
 * so that an object which becomes empty goes too (decision D24). Elements of arrays stay in place.
 */
export function removeNullValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNullValues)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, removeNullValues(member)])
      .filter(([, member]) => !saysNothing(member)),
  )
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

type RepresentationQuery = {
  readonly language?: string
  readonly fields?: readonly string[]
  readonly removenullvalues: boolean
}

/**
 * What the parameters of a request want to see of each record.
 * @throws AppError HUB-QRY-004 for a path in `fields` that cannot be read
 */
export function toRepresentation(
  { language, fields: written, removenullvalues }: RepresentationQuery,
  of: { readonly entity: Entity; readonly reduced: boolean },
): Representation {
  const fields = parseFields(written ?? [])
  const selectedBy = canSelectInDatabase({ ...of, fields, language }) ? 'database' : 'hub'
  return { language, fields, selectedBy, removeNullValues: removenullvalues }
}

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
