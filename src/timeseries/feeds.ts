import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { changedDatasets, couldSee } from '../changes/index.ts'
import type { Entry, Feed, FeedCaller, FeedQuery, FeedSource, Reading } from '../changes/index.ts'
import { AppError } from '../errors/index.ts'
import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { latestEventLevel, latestLevel, stationLevel } from './catalogue/levels.ts'
import type { Level } from './catalogue/levels.ts'
import { dataTypes, measurementsOf, stationsOf, trafficOf } from './datasets.ts'
import type { Profile } from './parameters.ts'
import { membersOf } from './read/members.ts'
import { planRead } from './read/plan.ts'
import type { ReadPlan } from './read/plan.ts'
import type { Representation } from './read/representation.ts'
import { timePrinter, utc } from './time.ts'
import { assertReferenceSystems } from './where/resolve.ts'

type Deps = { readonly database: Queryable; readonly profile?: Profile }

/**
 * A kind of feed of the time series service. There is one feed for each station type, or for each
 * origin of events.
 */
type Kind = {
  readonly prefix: 'stations' | 'latest' | 'traffic'
  readonly type: string
  readonly description: (name: string) => string
  readonly representation: Representation['type']
  readonly level: Level
  /** Fields that are shown by default; undefined for all. */
  readonly select?: string
  readonly datasets: (name: string) => readonly string[]
  /**
   * SQL for names (station types, origins) with records whose existence the caller may learn of.
   */
  readonly names: (visibility: Visibility) => Sql
  /** `key` identifies a record. `target`, of type `targetType`, looks it up and sorts the list. */
  readonly key: Sql
  readonly target: Sql
  readonly targetType: Sql
  readonly concerning: (name: string, caller: FeedCaller) => Sql
}

const latestKey = sql`latest_key(s.code, t.name, x.period, x.kind)`

/** SQL for the station types with available stations: one probe of the index for each type. */
const stationTypes = () => sql`
  select type as name from station_types() as type
  where exists (select from station where station.type = type.type and available)`

/**
 * Returns a condition for whether the caller could see a station. Everybody may list stations
 * (decision D60), so only rights of `false` (nobody) exclude one.
 */
const couldSeeStation = (rights: Sql) =>
  sql`(${rights} is null or jsonb_typeof(${rights}) = 'object')`

const stations: Kind = {
  prefix: 'stations',
  type: 'station',
  description: (name) => `Stations of the type ${name}, as in GET /v2/flat,node/${name}`,
  representation: 'node',
  level: stationLevel,
  datasets: (name) => [stationsOf(name)],
  names: stationTypes,
  key: sql`s.code`,
  target: sql`s.code`,
  targetType: sql`text`,
  concerning: () => sql`
    select xid, sequence, time, id as key, id as target,
      ${couldSeeStation(sql`before`)} as saw, ${couldSeeStation(sql`after`)} as sees
    from noted`,
}

/**
 * Returns a function for a condition: whether the caller could see the values of a series, given
 * the rights of its station.
 */
const couldSeeSeries =
  (name: string, { visibility }: FeedCaller, [dataType, period]: readonly [Sql, Sql]) =>
  (rights: Sql) =>
    couldSee(
      rights,
      { visibility, area: 'timeseries' },
      { type: sql`${name}::text`, dataType, period, types: [name] },
    )

/**
 * Returns SQL for an id of fixed width, by which changes are sorted. Sorted as texts, they are then
 * in the order of the numbers, regardless of the numbers that hidden series have taken.
 */
const targetOf = (id: Sql) => sql`lpad(${id}, 10, '0')`

/**
 * Latest values. A record changes when its value does, but also when its station, the access rights
 * of the station, or its data type changes.
 */
const latest: Kind = {
  prefix: 'latest',
  type: 'latest',
  description: (name) =>
    `Latest values of stations of the type ${name}, one for each series, as in GET /v2/flat,node/${name}/*/latest`,
  representation: 'node',
  level: latestLevel,
  select: 'sorigin,stype,scode,tname,tunit,mperiod,mvalidtime,mvalue',
  datasets: (name) => [measurementsOf(name), stationsOf(name), dataTypes],
  names: stationTypes,
  key: latestKey,
  target: sql`x.id`,
  targetType: sql`integer`,
  concerning: (name, caller) => {
    const sees = couldSeeSeries(name, caller, [sql`t.name`, sql`x.period`])
    const couldSeeNamed = (rights: Sql) =>
      couldSeeSeries(name, caller, [
        sql`${rights} ->> 'dataType'`,
        sql`(${rights} ->> 'period')::integer`,
      ])(rights)
    const isNamed = sql`(coalesce(before ? 'key', false) or coalesce(after ? 'key', false))`
    const named = sql`noted.xid, noted.sequence, noted.time, ${latestKey} as key, ${targetOf(sql`x.id::text`)} as target`
    const series = sql`
      join station as s on s.id = x.station_id and s.type = ${name}
      join data_type as t on t.id = x.data_type_id`
    return sql`
      select ${named}, ${sees(sql`before`)} as saw, ${sees(sql`after`)} as sees
      from noted
      join series as x on x.id = case when noted.id ~ '^[0-9]{1,10}$' then noted.id::bigint end
      ${series}
      where noted.dataset = ${measurementsOf(name)} and not ${isNamed}
      union all
      select xid, sequence, time, coalesce(before ->> 'key', after ->> 'key'), ${targetOf(sql`id`)},
        ${couldSeeNamed(sql`before`)}, ${couldSeeNamed(sql`after`)}
      from noted where dataset = ${measurementsOf(name)} and ${isNamed}
      union all
      select ${named}, ${sees(sql`before`)}, ${sees(sql`after`)}
      from noted
      join station as s on s.type = ${name} and s.code = noted.id
      join series as x on x.station_id = s.id
      join data_type as t on t.id = x.data_type_id
      where noted.dataset = ${stationsOf(name)}
      union all
      select ${named}, seen.now, seen.now
      from noted
      join data_type as t on t.name = noted.id
      join series as x on x.data_type_id = t.id
      join station as s on s.id = x.station_id and s.type = ${name}
      cross join lateral (select rights_of(s) as rights) as one
      cross join lateral (select ${sees(sql`one.rights`)} as now) as seen
      where noted.dataset = ${dataTypes}`
  },
}

const couldSeeEvent = (rights: Sql, visibility: Visibility) =>
  couldSee(rights, { visibility, area: 'event' }, { type: sql`${rights} ->> 'category'` })

/**
 * SQL for the origins with events that the caller may see. `content.announcement` has the newest
 * state of each event; each origin with open events takes one probe of its index.
 */
const origins = (visibility: Visibility) => sql`
  with recursive found as (
    (select origin from content.announcement order by origin limit 1)
    union all
    select (
      select next.origin from content.announcement as next
      where next.origin > found.origin order by next.origin limit 1)
    from found where found.origin is not null)
  select origin as name from found where exists (
    select from content.announcement as newest
    where newest.origin = found.origin and ${visible(visibility, 'event', {
      closed: sql`newest.closed`,
      origin: sql`newest.origin`,
      type: sql`newest.category`,
    })})`

const traffic: Kind = {
  prefix: 'traffic',
  type: 'event',
  description: (name) =>
    `Mobility events of ${name}, each in its newest state, as in GET /v2/flat,event/${name}/latest`,
  representation: 'event',
  level: latestEventLevel,
  datasets: (name) => [trafficOf(name)],
  names: origins,
  key: sql`ev.series`,
  target: sql`ev.series`,
  targetType: sql`text`,
  concerning: (_name, { visibility }) => sql`
    select xid, sequence, time, id as key, id as target,
      ${couldSeeEvent(sql`before`, visibility)} as saw, ${couldSeeEvent(sql`after`, visibility)} as sees
    from noted`,
}

const kinds = [stations, latest, traffic]

/** Returns the feeds of stations and latest values by station type, and of events by origin. */
export function timeseriesFeeds(deps: Deps): FeedSource {
  const list = async (kind: Kind, visibility: Visibility) => {
    const rows = await deps.database.texts(sql`${kind.names(visibility)} order by name`)
    return rows.flatMap(([name]) => (typeof name === 'string' ? feedOf(kind, name, deps) : []))
  }
  return {
    list: async (visibility) =>
      (await Promise.all(kinds.map((kind) => list(kind, visibility)))).flat(),
    every: async () => {
      const rows = await deps.database.texts(noted)
      return rows.flatMap(([prefix, name]) => {
        const kind = kinds.find((one) => one.prefix === prefix)
        return kind === undefined || typeof name !== 'string' ? [] : feedOf(kind, name, deps)
      })
    },
    find: (full) => {
      const [kind, name] = kindOf(full)
      return kind === undefined ? undefined : feedOf(kind, name, deps)
    },
  }
}

/**
 * SQL for the kind and name of all feeds: those of every station type and origin with a recorded
 * change, of which the newest is kept, and those of every existing station type.
 */
const noted = sql`
  with datasets as (${changedDatasets}),
  types as (
    select substr(dataset, length(${stationsOf('')}) + 1) as name from datasets
    where starts_with(dataset, ${stationsOf('')})
    union select station_types())
  select prefix, name from types cross join (values ('stations'), ('latest')) as kinds (prefix)
  union all
  select 'traffic', substr(dataset, length(${trafficOf('')}) + 1) from datasets
  where starts_with(dataset, ${trafficOf('')})`

function kindOf(full: string): readonly [Kind | undefined, string] {
  const dot = full.indexOf('.')
  return [
    kinds.find(({ prefix }) => prefix === full.slice(0, Math.max(0, dot))),
    full.slice(dot + 1),
  ]
}

function feedOf(kind: Kind, name: string, deps: Deps): Feed {
  return {
    name: `${kind.prefix}.${name}`,
    type: kind.type,
    description: kind.description(name),
    area: kind.representation === 'event' ? 'event' : 'timeseries',
    ruleType: kind.representation === 'event' ? undefined : name,
    // Everybody may list stations (decision D60).
    isOpen: kind === stations,
    takes: ['select', 'where'],
    needsToken: false,
    isKnown: async (visibility) => {
      const [row] = await deps.database.texts(sql`
        select exists (select from (${kind.names(visibility)}) as known where known.name = ${name})`)
      return row?.[0] === 't'
    },
    open: (query, caller) => open({ kind, name, caller }, deps, query),
  }
}

type Opened = { readonly kind: Kind; readonly name: string; readonly caller: FeedCaller }

async function open(
  { kind, name, caller }: Opened,
  deps: Deps,
  query: FeedQuery,
): Promise<Reading> {
  const plan = planFor({ kind, name, caller }, deps, query)
  await assertReferenceSystems(deps.database, plan.systems)
  const { target, targetType } = kind
  const order = sql`order by ${target} limit`
  return {
    datasets: kind.datasets(name),
    concerning: kind.concerning(name, caller),
    load: async (targets) => {
      const rows = await loadRows(
        deps,
        { kind, plan },
        sql`${target} = any(${targets}::text[]::${targetType}[])`,
      )
      return rows.map(({ key, value }) => ({ key, value }))
    },
    list: async (after, limit) => {
      const begin = after === undefined ? sql`true` : sql`${target} > ${after}::text::${targetType}`
      const rows = await loadRows(deps, { kind, plan }, sql`${begin} ${order} ${limit}::bigint`)
      return { entries: rows, next: rows.length < limit ? undefined : rows.at(-1)?.target }
    },
  }
}

function planFor(
  { kind, name, caller }: Opened,
  { profile = 'strict' }: Deps,
  query: FeedQuery,
): ReadPlan {
  const { where } = query
  const select = query.select ?? kind.select
  const given = { ...(where && { where }), ...(select && { select }) }
  const plan = planRead(
    {
      representation: { structure: 'flat', type: kind.representation },
      level: kind.level,
      types: { kind: 'some', names: [name] },
      visibility: caller.visibility,
      profile,
      clientOriginPrefixes: [],
    },
    { limit: -1, offset: 0, shownull: false, distinct: false, bom: false, ...given },
  )
  if (plan.rows === 'every') return plan
  throw new AppError('HUB-QRY-001', 'A feed shows single records, not aggregates.', {
    issues: [{ parameter: 'select', detail: 'has an aggregate' }],
  })
}

type Row = Entry & { readonly target: string }

async function loadRows(
  { database }: Deps,
  { kind: { key, target }, plan }: { readonly kind: Kind; readonly plan: ReadPlan },
  condition: Sql,
): Promise<readonly Row[]> {
  const columns = plan.shown.map(({ key: name, type }, place) => ({
    key: name,
    type,
    index: place + 2,
  }))
  const write = membersOf(columns, { showNull: false, printTime: timePrinter(utc) })
  const rows = await database.texts(sql`
    select ${join([key, target, ...plan.shown.map(({ printed }) => printed)], ', ')}
    from ${plan.from} where ${plan.where} and ${condition}`)
  return rows.map((row) => ({ key: row[0] ?? '', target: row[1] ?? '', value: `{${write(row)}}` }))
}
