import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { identifier } from '../../sql/index.ts'
import { tableOf } from '../table.ts'
import type { Branch, FindPlan } from './plan.ts'

/** A record that was found: its entity, by its place in the plan, and its identifier. */
export type Found = readonly [place: number, id: string]

/** Which records a page has, how many there are, and of which state of the datasets that is true. */
export type FoundPage = {
  readonly version: string
  /** By the place of the entity in the plan. */
  readonly counts: ReadonlyMap<number, number>
  /** The records of the page in their order, some at a time: texts of JSON. */
  readonly chunks: readonly string[]
}

/** What is held in memory, and how long a statement takes. */
const recordsPerChunk = 100

/** One state of all the datasets, a text to compare. */
export async function loadVersion(database: Queryable, plan: FindPlan): Promise<string> {
  const [row] = await database.texts(sql`select ${versionOf(plan)}`)
  return row?.[0] ?? ''
}

/**
 * Finds the records of a page in one statement: all entities in one snapshot, so totals and order are
 * those of the page. The order ends with type and identifier, so pages never overlap (decision D4).
 */
export async function loadFound(database: Queryable, plan: FindPlan): Promise<FoundPage> {
  const { pageNumber, pageSize, branches } = plan
  const order = orderOf(plan)
  const offset = BigInt(pageNumber - 1) * BigInt(pageSize)
  const rows = await database.texts(sql`
    with matches as materialized (${unionOf(branches.map((_, place) => branchOf(plan, place)))})
    select version, counts, chunk
    from (
      select ${versionOf(plan)} as version,
        (select json_object_agg(place, count)
          from (select place, count(*) as count from matches group by place) as counted) as counts
    ) as dataset
    left join (
      select (number - 1) / ${recordsPerChunk}::bigint as part,
        json_agg(json_build_array(place, id) order by number) as chunk
      from (
        select place, id, row_number() over (order by ${order}) as number
        from (
          select * from matches order by ${order}
          limit ${pageSize}::bigint offset least(${String(offset)}::numeric, 9e18)::bigint) as page) as numbered
      group by part) as chunks on true
    order by part`)
  return {
    version: rows[0]?.[0] ?? '',
    counts: toCounts(rows[0]?.[1] ?? '{}'),
    chunks: rows.flatMap(([, , chunk]) => (typeof chunk === 'string' ? [chunk] : [])),
  }
}

function versionOf({ branches }: FindPlan): Sql {
  const names = branches.map(({ list }) => list.entity.name)
  return sql`(
    select string_agg(dataset_version(name), ' ' order by name)
    from unnest(${names}::text[]) as dataset (name))`
}

/** The matches of one entity. */
function branchOf(plan: FindPlan, place: number): Sql {
  const branch = plan.branches[place]
  if (branch === undefined) throw new RangeError(`no entity ${String(place)}`)
  const { list, where, rank } = branch
  const rows = sql`
    select ${place}::integer as place, id, ${rank} as rank${keysOf(branch)}
    from ${tableOf(list.entity)} where ${where}`
  if (plan.limitTo === undefined) return rows
  return sql`(select * from (${rows}) as found order by ${orderOf(plan)} limit ${plan.limitTo})`
}

function keysOf({ keys }: Branch): Sql {
  return keys.reduce((before, key, index) => sql`${before}, ${key} as ${keyAt(index)}`, sql``)
}

const keyAt = (index: number) => identifier(`key ${String(index)}`)

function unionOf(parts: readonly Sql[]): Sql {
  return parts.reduce((before, part) => sql`${before} union all ${part}`)
}

/** What is sorted by, the best matches, type, identifier. What is missing comes behind all else. */
function orderOf({ directions }: FindPlan): Sql {
  const keys = directions.map((direction, index) => {
    const key = keyAt(index)
    return direction === 'ascending'
      ? sql`(${key} is null), ${key}`
      : sql`(${key} is null) desc, ${key} desc`
  })
  return join([...keys, sql`rank`, sql`place`, sql`id`], ', ')
}

function toCounts(text: string): ReadonlyMap<number, number> {
  const counts: unknown = JSON.parse(text)
  const entries = typeof counts === 'object' && counts !== null ? Object.entries(counts) : []
  return new Map(entries.map(([place, count]) => [Number(place), Number(count)]))
}

/** The records of a chunk, in its order. */
export function parseChunk(chunk: string): readonly Found[] {
  const found: unknown = JSON.parse(chunk)
  if (!Array.isArray(found)) return []
  return found.flatMap((one: unknown): readonly Found[] =>
    Array.isArray(one) ? [[Number(one[0]), String(one[1])]] : [],
  )
}
