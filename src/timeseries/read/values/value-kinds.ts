import { all, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'

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

type Wanted = {
  /** The condition under which the caller may see values. */
  readonly visible: Sql
  /** What the path and `origin` select. */
  readonly selected: readonly Sql[]
}

/**
 * Prints the kinds of all series that a path selects and whose values the caller may see. So it tells
 * nothing of closed series.
 */
export function selectKinds({ visible, selected }: Wanted): Sql {
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
