import { all, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'

/**
 * Many values of a column in one text, so that neither the driver nor the protocol handles each
 * value: that takes longer than reading it.
 */
export type Packed = {
  readonly column: Sql
  readonly unpack: (text: string) => readonly (string | null)[]
}

/** Packs numbers. PostgreSQL does not quote numbers in an array. */
export function packNumbers(expression: Sql): Packed {
  return { column: sql`array_agg(${expression})::text`, unpack: unpackNumbers }
}

/** Packs times, none of which may be null. A time contains a space, so PostgreSQL quotes it. */
export function packTimes(expression: Sql): Packed {
  return { column: sql`array_agg(${expression})::text`, unpack: unpackTimes }
}

/**
 * Packs JSON, in which PostgreSQL prints no line break. A missing value becomes an empty text,
 * which is not JSON.
 */
export function packJson(expression: Sql): Packed {
  return {
    column: sql`string_agg(coalesce((${expression})::text, ''), chr(10))`,
    unpack: (text) => text.split('\n').map((json) => (json === '' ? null : json)),
  }
}

/** Prints numbers as a PostgreSQL array. The driver would quote each of them. */
export function arrayOf(numbers: readonly string[]): string {
  return `{${numbers.join(',')}}`
}

/** Returns the elements of an array of numbers without nulls. */
export function unpackPlain(array: string): readonly string[] {
  return array.slice(1, -1).split(',')
}

export function unpackTimes(array: string): readonly string[] {
  return array.slice(2, -2).split('","')
}

function unpackNumbers(array: string): readonly (string | null)[] {
  const elements = unpackPlain(array)
  return array.includes('N')
    ? elements.map((element) => (element === 'NULL' ? null : element))
    : elements
}

/** The kinds of values besides numbers (decision D41). */
export type ValueKinds = { readonly text: boolean; readonly json: boolean }

export function areNumbers({ text, json }: ValueKinds): boolean {
  return !text && !json
}

/** Selects the kinds of series. The column holds the kind of each series. */
export function kindsOfSeries(kind: Sql): Sql {
  return sql`concat(bool_or(${kind} = 'text'), ' ', bool_or(${kind} = 'json'))`
}

/**
 * Parses the kinds of series.
 * @param printed by `kindsOfSeries`; empty if there are no series
 */
export function readKinds(printed: string | null | undefined): ValueKinds {
  const [text, json] = (printed ?? '').split(' ')
  return { text: text === 't', json: json === 't' }
}

type Selection = {
  /** The condition under which the caller may see values. */
  readonly visible: Sql
  /** Conditions of the path and of `origin`. */
  readonly selected: readonly Sql[]
}

/**
 * Selects the kinds of all series that a path selects and whose values the caller may see. So it
 * reveals nothing about closed series.
 */
export function selectKinds({ visible, selected }: Selection): Sql {
  return sql`
    select ${kindsOfSeries(sql`x.kind`)}
    from series as x
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where ${all([sql`s.available`, visible, ...selected])}`
}

export async function loadKinds(database: Queryable, statement: Sql): Promise<ValueKinds> {
  const [row] = await database.texts(statement)
  return readKinds(row?.[0])
}
