import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { memberName, nearIds, nearestOf } from '../nearby/index.ts'
import type { Nearby } from '../nearby/index.ts'
import { tableOf } from '../table.ts'
import { addMembers } from './add-members.ts'
import type { ListPlan } from './plan.ts'

type Planned = Pick<ListPlan, 'entity' | 'where' | 'nearby'>

/** The matching records, as what follows a `from`, up to the end of its conditions. */
export function matchesOf({ entity, where, nearby }: Planned): Sql {
  const table = tableOf(entity)
  if (nearby === undefined) return sql`${table} where ${where}`
  const nearest = nearestOf(nearby, { table, where, within: nearby.within })
  return sql`(${nearest}) as near join ${table} using (id) where true`
}

/** The same where records are only counted: what they are near of is not looked for. */
export function countableOf({ entity, where, nearby }: Planned): Sql {
  const table = tableOf(entity)
  if (nearby === undefined) return sql`${table} where ${where}`
  return sql`(${nearIds(nearby, { table, where, within: nearby.within })}) as near`
}

/** Prints the versions of all datasets that a list is taken from (decision D22). */
export function versionOf({ entity, nearby }: Pick<Planned, 'entity' | 'nearby'>): Sql {
  const own = sql`dataset_version(${entity.name})`
  return nearby === undefined ? own : sql`concat(${own}, ' ', ${nearby.matching.versions})`
}

/** What decides which records match, beside their entity; it tells two choices apart, and holds the caller's rights. */
export function choiceOf({ where, nearby }: Pick<Planned, 'where' | 'nearby'>): unknown {
  const own = [where.text, where.values]
  if (nearby === undefined) return own
  const { matching, within } = nearby
  return [...own, matching.stations.text, matching.stations.values, within]
}

/** The station that a record is near of, as JSON; null where a list asks for none. */
export function nearestShown(nearby: Nearby | undefined): Sql {
  return nearby === undefined ? sql`null` : nearby.matching.toShown(sql`near_distance`)
}

type Loaded = {
  readonly id: string
  readonly data: string
  /** As `nearestShown` gives it. */
  readonly nearest: string | null
}

/** Records with the stations that they are near of. */
export function withNearest(
  nearby: Nearby | undefined,
  records: readonly Loaded[],
): Promise<readonly { readonly id: string; readonly data: string }[]> {
  if (nearby === undefined) return Promise.resolve(records)
  const texts = new Map(records.map(({ id, nearest }) => [id, nearest ?? 'null']))
  const textOf = (id: string) => texts.get(id) ?? 'null'
  return addMembers([{ name: memberName, textOf }], records)
}
