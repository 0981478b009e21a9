import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'

/** Types as which values can be compared. */
export type Kind = 'text' | 'number' | 'boolean' | 'time' | 'geometry'

/** Builds SQL from a row, which is given by the name of its table in a statement. */
type OfRow = (row: Sql) => Sql

/**
 * Compares the identifier of a row with another identifier, in the order of `$orderby=id`. Returns
 * undefined for a text that cannot be the identifier of a row.
 */
export type CompareId = (row: Sql, id: string, operator: Sql) => Sql | undefined

/** A property of an entity. */
export type Property = {
  /**
   * Type of the value. `any`: depends on the value. `none`: cannot be compared. `id`: can be
   * compared only by `compareId`.
   */
  readonly type: Kind | 'any' | 'none' | 'id'
  /** Returns SQL for the value as this kind; null if it is not of this kind. */
  readonly as: (row: Sql, kind: Kind) => Sql
  readonly isNull: OfRow
  /** Returns SQL for its JSON text; null leaves the property out. */
  readonly printed: OfRow
  /** Set only for identifiers. */
  readonly compareId?: CompareId
  /** Finds the nested value with this name. */
  readonly at?: (name: string) => Property | undefined
}

/** Creates a property with a value of one kind. */
export function scalar(type: Kind, value: OfRow, shown: OfRow = value): Property {
  return {
    type,
    as: value,
    isNull: (row) => sql`(${value(row)} is null)`,
    printed: (row) => sql`coalesce(to_json(${shown(row)})::text, 'null')`,
  }
}

export const text = (value: OfRow): Property => scalar('text', value)

export const constant = (value: string): Property => text(() => sql`${value}::text`)

export const time = (value: OfRow): Property =>
  scalar('time', value, (row) => printedTime(value(row)))

/** Creates a property that is printed as GeoJSON; null if the place is unknown. */
export const geometry = (value: OfRow): Property => ({
  ...scalar('geometry', value),
  printed: (row) => sql`coalesce(st_asgeojson(${value(row)}, 9, 0), 'null')`,
})

/**
 * Creates a property with a JSON value.
 * @param known nested values that have a column of their own
 */
export function json(value: OfRow, known: Readonly<Record<string, Property>> = {}): Property {
  return {
    type: 'any',
    as: (row, kind) => ofJson(value(row), kind),
    isNull: (row) => sql`(coalesce(${value(row)}, 'null') = 'null')`,
    printed: (row) => sql`coalesce(${value(row)}::text, 'null')`,
    at: (name) => (Object.hasOwn(known, name) ? known[name] : inside(value, name)),
  }
}

/** Finds a field of an object by its name, or an element of a list by its place. */
function inside(value: OfRow, name: string): Property {
  return json((row) => sql`(${value(row)} #> array[${name}::text])`)
}

/** Makes a property optional: it is left out if it has no value. */
export const optional = (property: Property): Property => ({
  ...property,
  printed: (row) => sql`nullif(${property.printed(row)}, 'null')`,
})

/** The measured value, which is in one of three columns. */
export const measured: Property = {
  type: 'any',
  as: (row, kind) => {
    if (kind === 'number') return sql`${row}.number`
    return kind === 'text'
      ? sql`coalesce(${row}.text, ${row}.json #>> '{}')`
      : ofJson(sql`${row}.json`, kind)
  },
  isNull: (row) => sql`(num_nonnulls(${row}.number, ${row}.text, ${row}.json) = 0)`,
  printed: (row) =>
    sql`coalesce(to_json(${row}.number)::text, to_json(${row}.text)::text, ${row}.json::text, 'null')`,
  at: (name) => inside((row) => sql`${row}.json`, name),
}

function ofJson(value: Sql, kind: Kind): Sql {
  switch (kind) {
    case 'number':
      return sql`content_number(${value})`
    case 'boolean':
      return sql`content_flag(${value})`
    case 'time':
      return sql`content_time((${value}) #>> '{}')`
    case 'geometry':
      return sql`geometry_from_geojson((${value}) #>> '{}')`
    case 'text':
      return sql`((${value}) #>> '{}')`
  }
}

/** Returns SQL that prints a time in ISO 8601, in UTC with milliseconds. */
export function printedTime(moment: Sql): Sql {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
