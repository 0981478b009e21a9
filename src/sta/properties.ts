import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'

/** As what a value can be compared. */
export type Kind = 'text' | 'number' | 'boolean' | 'time' | 'geometry'

/** What is made of a row, by the name of its table in a statement. */
type OfRow = (row: Sql) => Sql

/**
 * How the identifier of a row compares with another one, in the order of `$orderby=id`; undefined for a text that no row
 * can have.
 */
export type CompareId = (row: Sql, id: string, operator: Sql) => Sql | undefined

/** A property of an entity. */
export type Property = {
  /** `any`: what it is depends on the value. `none`: it cannot be compared. `id`: only by `compareId`. */
  readonly type: Kind | 'any' | 'none' | 'id'
  /** Its value as such a one; null where it is none. */
  readonly as: (row: Sql, kind: Kind) => Sql
  readonly isNull: OfRow
  /** As JSON text; null leaves it out. */
  readonly printed: OfRow
  /** Of an identifier. */
  readonly compareId?: CompareId
  /** The value of that name inside of it. */
  readonly at?: (name: string) => Property | undefined
}

/** A property that is a value of one kind. */
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

/** Places are GeoJSON; null where they are not known. */
export const geometry = (value: OfRow): Property => ({
  ...scalar('geometry', value),
  printed: (row) => sql`coalesce(st_asgeojson(${value(row)}, 9, 0), 'null')`,
})

/**
 * A property that is JSON.
 * @param known what is inside of it and has a column of its own
 */
export function json(value: OfRow, known: Readonly<Record<string, Property>> = {}): Property {
  return {
    type: 'any',
    as: (row, kind) => ofJson(value(row), kind),
    isNull: (row) => sql`(coalesce(${value(row)}, 'null') = 'null')`,
    printed: (row) => sql`coalesce(${value(row)}::text, 'null')`,
    at: (name) =>
      Object.hasOwn(known, name)
        ? known[name]
        : json((row) => sql`(${value(row)} -> ${name}::text)`),
  }
}

/** Left out where it has no value. */
export const optional = (property: Property): Property => ({
  ...property,
  printed: (row) => sql`nullif(${property.printed(row)}, 'null')`,
})

/** What was measured, in one of three columns. */
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
  at: (name) => json((row) => sql`(${row}.json -> ${name}::text)`),
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

/** ISO 8601 in UTC with milliseconds. */
export function printedTime(moment: Sql): Sql {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
