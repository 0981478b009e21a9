import { LRUCache } from 'lru-cache'
import { hash } from 'node:crypto'
import { shareRunning } from '../../../async/index.ts'
import { sql, unestimated } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { measurementsOf, stationsOf } from '../../datasets.ts'
import {
  chooseSeries,
  dataTypesOf,
  readState,
  stateColumns,
  stateOf,
  textsOf,
} from './choose-series.ts'
import type { Before, ChosenSeries, Followed, Stages } from './choose-series.ts'

/**
 * Returns the chosen series, from the cache if possible.
 * @param stale a choice that is outdated
 * @param versions of what is shown, if nothing else is read that could confirm the choice
 * @returns undefined if there are too many series to hold in memory
 */
export type ChooseSeries = (
  stages: Stages,
  stale?: ChosenSeries,
  versions?: Sql,
) => Promise<ChosenSeries | undefined>

/**
 * Milliseconds for which a choice of too many series is not tried again. Changes that reduce them
 * without a deletion, such as stations that become unavailable, may take effect this late.
 */
const longestTooMany = 60_000

/** Limit on the series of all cached choices together. Each takes some 200 bytes. */
const maxRemembered = 100_000

/**
 * Chooses series, and caches the choice for the next request: to join, test and sort them takes
 * longer than to read their latest values. Values arrive all the time, while stations and series
 * hardly ever change, so the statement that reads the values also checks whether the choice is
 * still valid. The caller's rights are part of the conditions, so nobody gets another caller's
 * choice.
 */
export function rememberChoices(database: Queryable): ChooseSeries {
  const known = new LRUCache<string, ChosenSeries>({
    maxSize: maxRemembered,
    sizeCalculation: ({ ids, before }) => ids.length + (before?.changed.size ?? 0) + 1,
  })
  const tooMany = new LRUCache<string, Followed>({
    max: 1000,
    ttl: longestTooMany,
    noUpdateTTL: true,
  })
  const share = shareRunning<ChosenSeries | undefined>()
  const areTooMany = async (key: string) => {
    const followed = tooMany.get(key)
    if (followed === undefined) return false
    const { isLess, snapshot } = await findDeletions(database, followed)
    if (isLess) tooMany.delete(key)
    else tooMany.set(key, { ...followed, snapshot })
    return !isLess
  }
  return async (stages, stale, versions) => {
    const key = keyOf(stages)
    if (await areTooMany(key)) return undefined
    const remembered = known.get(key)
    const isOther = remembered !== undefined && remembered.catalogue !== stale?.catalogue
    if (isOther && versions === undefined) return remembered
    const choose = async () => {
      const same = remembered && (await confirm(database, stages, { stale: remembered, versions }))
      if (same !== undefined) return same
      const { chosen, followed } = await chooseSeries(database, stages, versions)
      if (chosen === undefined) tooMany.set(key, followed)
      return chosen
    }
    // After a change, concurrent requests share a new choice. Not with versions: they must not be
    // of a state before the request.
    const chosen = await (versions === undefined
      ? share(`${key} ${stale?.catalogue ?? ''}`, choose)
      : choose())
    if (chosen !== undefined) known.set(key, chosen)
    return chosen
  }
}

/**
 * Returns the same choice if stations have changed but the choice of their series would not:
 * usually a station only has a new name or new metadata. The position of a series in the order
 * depends on nothing that can change.
 * @returns undefined if the series must be chosen again, such as after a deletion or for a new data
 * type
 */
async function confirm(
  database: Queryable,
  { series: { from, where } }: Stages,
  { stale, versions }: { readonly stale: ChosenSeries; readonly versions: Sql | undefined },
): Promise<ChosenSeries | undefined> {
  if (stale.followed === undefined) return undefined
  // After more changes, the series are chosen again. For few series the limit is lower, because
  // choosing costs little.
  const maxChanges = Math.min(5000, 50 + 4 * stale.ids.length)
  const [row] = await database.texts(sql`
    with ${changedStations(stale.followed, maxChanges + 1)}
    select ${stateOf(versions)},
      (select count(*) > ${maxChanges}::integer or bool_or(kind = 'delete') from written),
      (select array_agg(id) from changed),
      (select array_agg(x.id) from ${from} where ${where} and s.id = any(array(select id from changed)))`)
  const [isMore, changed, chosen] = row?.slice(stateColumns) ?? []
  const now = readState(row)
  const before = { catalogue: stale.catalogue, changed: new Set(textsOf(changed ?? null)) }
  const isFollowed = isMore !== 't' && dataTypesOf(now.catalogue) === dataTypesOf(stale.catalogue)
  if (!isFollowed || !isSame(stale, before.changed, textsOf(chosen ?? null))) return undefined
  return { ...stale, ...now, before: now.catalogue === stale.catalogue ? stale.before : before }
}

/**
 * Defines `written`, the recorded changes of stations (at most `most` per type), and `changed`, the
 * ids of these stations and their children. Each step looks up its rows by an index, even in a
 * generic plan.
 */
function changedStations({ snapshot, types }: Followed, most: number): Sql {
  const prefix = stationsOf('')
  return sql`
    written as (
      select noted.*
      from (
        select unnest(${unestimated(sql`${types}::text[]`)})
        union select type from station_types() as type
      ) as known (type) cross join lateral (
        select dataset, id, kind from change
        where dataset = ${prefix} || known.type and ${isAfter({ snapshot })}
        order by xid limit ${unestimated(sql`${most}::integer`)}) as noted
    ), noted as (
      select distinct station.id
      from written cross join lateral (
        select id from station
        where type = substr(dataset, ${prefix.length + 1}::integer) and code = written.id limit 1) as station
    ), changed as (
      -- A child that was linked in the same moment shows its parent, and is not noted.
      select id from noted union
      select child.id from noted cross join lateral (
        select id from station where parent_id = noted.id order by id) as child
    )`
}

/** Reports whether the same series of the changed stations were chosen before. */
function isSame(
  { ids, stations }: ChosenSeries,
  changed: Before['changed'],
  chosen: readonly string[],
): boolean {
  const now = new Set(chosen)
  const known = ids.filter((_id, place) => changed.has(stations[place] ?? ''))
  return known.length === now.size && known.every((id) => now.has(id))
}

/**
 * Matches changes in the log that the snapshot does not see. The first condition uses the index.
 */
const isAfter = ({ snapshot }: Pick<Followed, 'snapshot'>): Sql =>
  sql`xid >= ${unestimated(sql`pg_snapshot_xmin(${snapshot}::pg_snapshot)`)}
    and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)`

/**
 * Reports whether stations or series were deleted. The next check starts from the returned
 * `snapshot`.
 */
async function findDeletions(database: Queryable, followed: Followed) {
  const [row] = await database.texts(sql`
    select pg_current_snapshot(), exists (
      select from change
      where ${isAfter(followed)} and kind = 'delete' and dataset = any(array(
        select prefix || type
        from unnest(${[stationsOf(''), measurementsOf('')]}::text[]) as prefix,
          unnest(${followed.types}::text[]) as type)))`)
  return { snapshot: row?.[0] ?? followed.snapshot, isLess: row?.[1] === 't' }
}

function keyOf({ series: { from, where, order } }: Stages): string {
  const parts = [from, where, ...order].map(({ text, values }) => [text, values])
  return hash('sha256', JSON.stringify(parts), 'base64')
}
