import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { LoadedRecord } from '../formats/index.ts'
import { dataOf } from '../representation/index.ts'
import { matchesOf, nearestShown, versionOf, withNearest } from './matches.ts'
import type { ListPlan } from './plan.ts'

/** Records of one statement: what is held in memory, and how long a statement of a stream takes. */
const recordsPerStatement = 100

/** The identifiers of the records of a long page in list order, in chunks, each a JSON array as text. */
export type Everything = {
  /** Version of the dataset of the same snapshot. */
  readonly version: string
  readonly chunks: readonly string[]
}

/**
 * Which records a stream will give, in one statement: so every order that a list can have is kept, also
 * one that no index serves, and no record is doubled or skipped whatever is written meanwhile (decision
 * D9). The identifiers stay packed; they are some thousandths of the records.
 */
export async function loadEverything(database: Queryable, plan: ListPlan): Promise<Everything> {
  const rows = await database.texts(sql`
    select version, ids
    from (select ${versionOf(plan)} as version) as dataset
    left join (
      select chunk, json_agg(id order by place) as ids
      from (
        select id, place, (place - 1) / ${recordsPerStatement}::bigint as chunk
        from (
          select id, row_number() over (order by ${plan.order}) as place
          from ${matchesOf(plan)}) as numbered
        where ${placesOf(plan)}) as placed
      group by chunk) as chunks on true
    order by chunk`)
  return {
    version: rows[0]?.[0] ?? '',
    chunks: rows.flatMap(([, ids]) => (typeof ids === 'string' ? [ids] : [])),
  }
}

function placesOf({ pageNumber, pageSize }: ListPlan): Sql {
  const first = BigInt(pageNumber - 1) * BigInt(pageSize) + 1n
  const last = first + BigInt(pageSize) - 1n
  return sql`place between ${String(first)}::numeric and ${String(last)}::numeric`
}

/**
 * The records of a chunk, in its order, as they are now. The conditions are asked again: what has been
 * deleted or closed since, or matches no longer, is not shown.
 */
export async function loadChunk(
  database: Queryable,
  plan: ListPlan,
  chunk: string,
): Promise<readonly LoadedRecord[]> {
  const rows = await database.texts(sql`
    select id, ${dataOf(plan)}, ${nearestShown(plan.nearby)}
    from (select * from ${matchesOf(inChunk(plan, chunk))}) as matches
    join json_array_elements_text(${chunk}::json) with ordinality as wanted (wanted_id, wanted_place)
      on wanted_id = id
    order by wanted_place`)
  const records = rows.flatMap(([id, data, nearest = null]) =>
    typeof id === 'string' && typeof data === 'string' ? [{ id, data, nearest }] : [],
  )
  return withNearest(plan.nearby, records)
}

/** The names of all members of the records of a chunk, as the caller sees them. */
export async function loadMemberNames(
  database: Queryable,
  plan: ListPlan,
  chunk: string,
): Promise<readonly string[]> {
  const rows = await database.texts(sql`
    select distinct member_name
    from (select * from ${matchesOf({ ...inChunk(plan, chunk), nearby: undefined })}) as matches
    cross join lateral jsonb_object_keys(${dataOf(plan)}) as members (member_name)`)
  return rows.flatMap(([name]) => name ?? [])
}

function inChunk(plan: ListPlan, chunk: string): ListPlan {
  const isInChunk = sql`id = any(array(select json_array_elements_text(${chunk}::json)))`
  return { ...plan, where: all([isInChunk, plan.where]) }
}
