import { visible } from '../access/index.ts'
import type { Entry, Feed, FeedCaller, FeedQuery, FeedSource, Reading } from '../changes/index.ts'
import { AppError } from '../errors/index.ts'
import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { latestEventLevel, latestLevel, stationLevel } from './catalogue/levels.ts'
import type { Level } from './catalogue/levels.ts'
import { eventsOf, measurementsOf, stationsOf } from './datasets.ts'
import type { Profile } from './parameters.ts'
import { membersOf } from './read/members.ts'
import { planRead } from './read/plan.ts'
import type { ReadPlan } from './read/plan.ts'
import type { Representation } from './read/representation.ts'
import { timePrinter, utc } from './time.ts'

type Deps = { readonly database: Queryable; readonly profile?: Profile }

/** A kind of feed of the time series service; there is one for each station type, or each origin of events. */
type Kind = {
  readonly prefix: 'stations' | 'latest' | 'traffic'
  readonly type: string
  readonly description: (name: string) => string
  readonly representation: Representation['type']
  readonly level: Level
  /** Fields that are shown where none are named; all where it is left out. */
  readonly select?: string
  readonly datasets: (name: string) => readonly string[]
  /** What names a record, what it is found by, and the order of the list. */
  readonly key: Sql
  readonly target: Sql
  readonly targetType: Sql
  readonly concerning: (name: string, caller: FeedCaller) => Sql
}

const latestKey = sql`latest_key(s.code, t.name, x.period, x.kind)`

const stations: Kind = {
  prefix: 'stations',
  type: 'station',
  description: (name) => `Stations of the type ${name}, as in GET /v2/flat,node/${name}`,
  representation: 'node',
  level: stationLevel,
  datasets: (name) => [stationsOf(name)],
  key: sql`s.code`,
  target: sql`s.code`,
  targetType: sql`text`,
  // Stations are listed to everybody (decision D60).
  concerning: () => sql`
    select sequence, xid, time, id as key, id as target,
      coalesce((former ->> 'available')::boolean, false) as seen,
      not (former ->> 'available')::boolean as fresh
    from noted`,
}

const sawSeries = (
  name: string,
  { visibility }: FeedCaller,
  [dataType, period]: readonly [Sql, Sql],
) =>
  sql`(coalesce((former ->> 'available')::boolean, false) and ${visible(visibility, 'timeseries', {
    closed: sql`coalesce((former ->> 'closed')::boolean, true)`,
    origin: sql`former ->> 'origin'`,
    type: sql`${name}::text`,
    dataType,
    period,
    types: [name],
  })})`

const latest: Kind = {
  prefix: 'latest',
  type: 'latest',
  description: (name) =>
    `Latest values of stations of the type ${name}, one for each series, as in GET /v2/flat,node/${name}/*/latest`,
  representation: 'node',
  level: latestLevel,
  select: 'sorigin,stype,scode,tname,tunit,mperiod,mvalidtime,mvalue',
  datasets: (name) => [measurementsOf(name), stationsOf(name)],
  key: latestKey,
  target: sql`x.id`,
  targetType: sql`integer`,
  concerning: (name, caller) => sql`
    select noted.sequence, noted.xid, noted.time, ${latestKey} as key, x.id::text as target,
      false as seen, null::boolean as fresh
    from noted
    join series as x on x.id = case when noted.id ~ '^[0-9]{1,9}$' then noted.id::integer end
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where noted.dataset = ${measurementsOf(name)}
    union all
    select sequence, xid, time, former ->> 'key', null,
      ${sawSeries(name, caller, [sql`former ->> 'dataType'`, sql`(former ->> 'period')::integer`])}, null
    from noted where dataset = ${measurementsOf(name)} and former ? 'key'
    union all
    select noted.sequence, noted.xid, noted.time, ${latestKey}, x.id::text,
      former is not null and ${sawSeries(name, caller, [sql`t.name`, sql`x.period`])},
      case when former is not null then not ${sawSeries(name, caller, [sql`t.name`, sql`x.period`])} end
    from noted
    join station as s on s.type = ${name} and s.code = noted.id
    join series as x on x.station_id = s.id
    join data_type as t on t.id = x.data_type_id
    where noted.dataset = ${stationsOf(name)}`,
}

const seesEvent = (row: Sql, { visibility }: FeedCaller) =>
  visible(visibility, 'event', {
    closed: sql`coalesce((${row} ->> 'closed')::boolean, true)`,
    origin: sql`${row} ->> 'origin'`,
    type: sql`${row} ->> 'category'`,
  })

const traffic: Kind = {
  prefix: 'traffic',
  type: 'event',
  description: (name) =>
    `Mobility events of ${name}, each in its newest state, as in GET /v2/flat,event/${name}/latest`,
  representation: 'event',
  level: latestEventLevel,
  datasets: (name) => [eventsOf(name)],
  key: sql`ev.series`,
  target: sql`ev.series`,
  targetType: sql`text`,
  // A closed state ends what those saw who saw an earlier state.
  concerning: (_name, caller) => sql`
    select noted.sequence, noted.xid, noted.time, known.series as key, known.series as target,
      exists (
        select from mobility_event as other
        where other.origin = known.origin and other.series = known.series
          and ${visible(caller.visibility, 'event', {
            closed: sql`other.closed`,
            origin: sql`other.origin`,
            type: sql`other.category`,
          })}) as seen, null::boolean as fresh
    from noted join mobility_event as known on known.uuid = noted.id
    union all
    select sequence, xid, time, former ->> 'key', former ->> 'key', ${seesEvent(sql`former`, caller)}, null
    from noted where former is not null`,
}

const kinds = [stations, latest, traffic]

/** The feeds of the time series service: stations and latest values by station type, events by origin. */
export function timeseriesFeeds(deps: Deps): FeedSource {
  const namesOf = async ({ prefix }: Kind) => {
    const rows = await deps.database.texts(
      prefix === 'traffic'
        ? sql`select distinct origin from mobility_event where not closed order by 1`
        : sql`select type from station_types() as type order by 1`,
    )
    return rows.flatMap(([name]) => name ?? [])
  }
  return {
    list: async () => {
      const feeds: Feed[] = []
      for (const kind of kinds) {
        for (const name of await namesOf(kind)) feeds.push(feedOf(kind, name, deps))
      }
      return feeds
    },
    find: async (full) => {
      const [kind, name] = kindOf(full)
      if (kind === undefined || !(await namesOf(kind)).includes(name)) return undefined
      return feedOf(kind, name, deps)
    },
  }
}

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
    datasets: kind.datasets(name),
    area: kind.representation === 'event' ? 'event' : 'timeseries',
    ruleType: kind.representation === 'event' ? undefined : name,
    takes: ['select', 'where'],
    needsToken: false,
    open: (query, caller) => Promise.resolve(open({ kind, name, caller }, deps, query)),
  }
}

type Opened = { readonly kind: Kind; readonly name: string; readonly caller: FeedCaller }

function open({ kind, name, caller }: Opened, deps: Deps, query: FeedQuery): Reading {
  const plan = planFor({ kind, name, caller }, deps, query)
  const { target, targetType } = kind
  const order = sql`order by ${target} limit`
  return {
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
  const asked = { ...(where && { where }), ...(select && { select }) }
  const plan = planRead(
    {
      representation: { structure: 'flat', type: kind.representation },
      level: kind.level,
      types: { kind: 'some', names: [name] },
      visibility: caller.visibility,
      profile,
      clientOriginPrefixes: [],
    },
    { limit: -1, offset: 0, shownull: false, distinct: false, bom: false, ...asked },
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
