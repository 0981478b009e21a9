import { all, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'

/**
 * Many values of a column as one text, so that neither the driver nor the protocol has anything to do
 * for each: that takes longer than reading it.
 */
export type Packed = {
  readonly column: Sql
  readonly unpack: (text: string) => readonly (string | null)[]
}

/** Numbers: PostgreSQL writes no quotes around the elements of their arrays. */
export function packNumbers(expression: Sql): Packed {
  return { column: sql`array_agg(${expression})::text`, unpack: unpackNumbers }
}

/** Times, none of which is null: there is a blank in them, so each stands in quotes. */
export function packTimes(expression: Sql): Packed {
  return { column: sql`array_agg(${expression})::text`, unpack: unpackTimes }
}

/** JSON, in which PostgreSQL prints no line break; an absent value is not JSON. */
export function packJson(expression: Sql): Packed {
  return {
    column: sql`string_agg(coalesce((${expression})::text, ''), chr(10))`,
    unpack: (text) => text.split('\n').map((json) => (json === '' ? null : json)),
  }
}

/** Numbers as PostgreSQL reads an array; the driver would put every one in quotes. */
export function arrayOf(numbers: readonly string[]): string {
  return `{${numbers.join(',')}}`
}

/** The elements of an array of numbers that are all there. */
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

/** Which kinds of values there are beside numbers (decision D41). */
export type ValueKinds = { readonly text: boolean; readonly json: boolean }

export function areNumbers({ text, json }: ValueKinds): boolean {
  return !text && !json
}

/** Prints the kinds of series, of which the column has one each. */
export function kindsOfSeries(kind: Sql): Sql {
  return sql`concat(bool_or(${kind} = 'text'), ' ', bool_or(${kind} = 'json'))`
}

/** @param printed by `kindsOfSeries`; of no series nothing */
export function readKinds(printed: string | null | undefined): ValueKinds {
  const [text, json] = (printed ?? '').split(' ')
  return { text: text === 't', json: json === 't' }
}

type Selection = {
  /** The condition under which the caller may see values. */
  readonly visible: Sql
  /** What the path and `origin` select. */
  readonly selected: readonly Sql[]
}

/**
 * Prints the kinds of all series that a path selects and whose values the caller may see. So it tells
 * nothing of closed series.
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
