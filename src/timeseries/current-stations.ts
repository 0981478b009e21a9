import { inSlices } from '../async/index.ts'
import { anonymous, seesAll, visible } from '../access/index.ts'
import type { RuleTable, Visibility } from '../access/index.ts'
import { parseObject } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, TextRow } from '../storage/index.ts'
import { latestLevel, stationLevel } from './catalogue/levels.ts'
import { versionsOf } from './datasets.ts'
import { visibleColumns } from './catalogue/groups.ts'

/**
 * The newest value of a data type. Of several equally new values, the one with the shortest period.
 */
export type CurrentValue = {
  readonly value: unknown
  readonly time: Date
  /** When the value was stored. */
  readonly written: Date
  /**
   * The time of the last different value, for data types in `lasting`. For a value unchanged for 30
   * days, the start of the month of `time`.
   */
  readonly since?: Date
}

/** A station as anonymous callers see it, with its newest values. */
export type CurrentStation = {
  /** Database id. Stations that were stored earlier have lower ids. */
  readonly id: number
  readonly type: string
  readonly code: string
  readonly name: string
  readonly origin: string | null
  readonly active: boolean
  /** Coordinates in degrees (EPSG:4326). */
  readonly position: { readonly longitude: number; readonly latitude: number } | null
  readonly parent: { readonly type: string; readonly code: string } | null
  readonly metadata: Members
  /** When the metadata last changed, or when the station was stored if it has never had any. */
  readonly described: Date
  /** Newest values by data type. Closed values are missing. */
  readonly values: Readonly<Record<string, CurrentValue>>
}

export type CurrentStations = {
  /** Sorted by type and code. */
  readonly stations: readonly CurrentStation[]
}

/** Selects stations and their values. */
export type StationSelection = {
  readonly types: readonly string[]
  /** If empty, stations are loaded without values, and a change of values makes no new version. */
  readonly dataTypes: readonly string[]
  /** Data types for which `since` is loaded. */
  readonly lasting?: readonly string[]
}

/** Returns a source of stations for what everybody may read: anonymous rights apply. */
export function stationSource(database: Queryable, visibilityOf: RuleTable['visibility']) {
  const rights = () => visibilityOf(anonymous)
  const lasted = new WeakMap<StationSelection, Lasted>()
  return {
    /** Returns the anonymous rights: a different value whenever they may reveal something else. */
    rights,
    /** Reports whether some of the values may be closed. */
    isPartial: ({ types }: StationSelection) => !seesAll(rights(), 'timeseries', { types }),
    version: (concerned: StationSelection) => loadVersion(database, concerned),
    load: async (concerned: StationSelection): Promise<CurrentStations> => {
      const rows = await loadRows(database, concerned, rights())
      const known = lasted.get(concerned) ?? new Map()
      const current = await loadLasted(database, await inSlices(lastingIn(rows, concerned)), known)
      lasted.set(concerned, current)
      return { stations: await inSlices(toStations(rows, current)) }
    },
  }
}

export type StationSource = ReturnType<typeof stationSource>

async function loadVersion(
  database: Queryable,
  { types, dataTypes }: StationSelection,
): Promise<string> {
  const level = dataTypes.length === 0 ? stationLevel : latestLevel
  const [row] = await database.texts(
    sql`select ${versionsOf('node', level, { kind: 'some', names: types })}`,
  )
  return row?.[0] ?? ''
}

async function loadRows(
  database: Queryable,
  concerned: StationSelection,
  visibility: Visibility,
): Promise<readonly TextRow[]> {
  return database.texts(sql`
    select s.type, s.code, s.name, s.origin, s.active, ST_X(s.point), ST_Y(s.point), p.type, p.code,
      s.metadata, ${valuesOf(concerned, visibility)},
      floor(extract(epoch from coalesce(
        (select max(d.recorded) from station_metadata as d where d.station_id = s.id),
        s.received)) * 1000), s.id
    from station as s left join station as p on p.id = s.parent_id
    where s.type = any(${concerned.types}::text[]) and s.available
    order by s.type, s.code`)
}

/**
 * SQL for a JSON object of the newest values by data type: `{"name": [value, time, time when
 * stored, series]}`, with times in milliseconds since 1970.
 */
function valuesOf({ dataTypes }: StationSelection, visibility: Visibility): Sql {
  if (dataTypes.length === 0) return sql`null`
  const sees = visible(visibility, 'timeseries', visibleColumns)
  return sql`(
    select json_object_agg(name, json_build_array(value, milliseconds, written, series)) from (
      select distinct on (t.name) t.name, x.id as series,
        coalesce(to_jsonb(m.number), m.json, to_jsonb(m.text)) as value,
        floor(extract(epoch from m.valid_time) * 1000) as milliseconds,
        floor(extract(epoch from m.transaction_time) * 1000) as written
      from series as x
      join latest as m on m.series_id = x.id
      join data_type as t on t.id = x.data_type_id
      where x.station_id = s.id and t.name = any(${dataTypes}::text[]) and ${sees}
      order by t.name, m.valid_time desc, x.period, x.kind) as newest)`
}

type ReadValue = {
  readonly name: string
  readonly value: unknown
  readonly time: number
  readonly written: number
  readonly series: number
}

function valuesIn(row: TextRow): readonly ReadValue[] {
  return Object.entries(parseObject(row[10] ?? '{}')).flatMap(([name, list]) => {
    const known: readonly unknown[] = Array.isArray(list) ? list : []
    const [value, time, written, series] = known
    if (value === null) return []
    return [{ name, value, time: Number(time), written: Number(written), series: Number(series) }]
  })
}

/** Collects the values of the data types in `lasting`, in one step for each station. */
function* lastingIn(
  rows: readonly TextRow[],
  { lasting = [] }: StationSelection,
): Generator<undefined, readonly ReadValue[]> {
  if (lasting.length === 0) return []
  const found: ReadValue[] = []
  for (const row of rows) {
    found.push(...valuesIn(row).filter(({ name }) => lasting.includes(name)))
    yield
  }
  return found
}

/**
 * What is known of the history of a series: the time up to which it was read, the value at that
 * time, and the time of the last different value, null if there was none within 30 days.
 */
type Known = { readonly until: number; readonly value: string; readonly since: number | null }
/** Keyed by series. */
type Lasted = ReadonlyMap<number, Known>

/**
 * Loads the time of the last different value of each series. It reads only the part of the history
 * that is not known yet: otherwise, while a value stays the same for days, every new value would
 * make it read these days again. A late value, older than values already known, is taken into
 * account only after the value changes or the process restarts.
 */
async function loadLasted(
  database: Queryable,
  values: readonly ReadValue[],
  known: Lasted,
): Promise<Lasted> {
  const current = new Map<number, Known>()
  const missing: ReadValue[] = []
  for (const value of values) {
    const last = lastOf(value, known)
    if (last?.until === value.time) current.set(value.series, last)
    else missing.push(value)
  }
  if (missing.length === 0) return current
  const given = missing.map((value) => {
    const { until = null, since = null } = lastOf(value, known) ?? {}
    return { series: value.series, time: value.time, until, since }
  })
  const rows = await database.texts(sql`
    select series, ${sinceWhen} from (
      select given.series, m.number, m.text, m.json, m.valid_time, greatest(
          m.valid_time - interval '30 days', to_timestamp(given.until / 1000.0)) as start,
        to_timestamp(given.since / 1000.0) as since
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (series integer, time bigint, until bigint, since bigint)
      join latest as m on m.series_id = given.series) as m`)
  const since = new Map(rows.map(([series, time]) => [Number(series), time]))
  for (const { series, time, value } of missing) {
    const found = since.get(series)
    const begun = typeof found === 'string' ? Number(found) : null
    current.set(series, { until: time, value: JSON.stringify(value), since: begun })
  }
  return current
}

/**
 * Returns what is known of a series whose value is still the same. After a change nothing is
 * reused, because the last different value is found at once.
 */
function lastOf({ series, time, value }: ReadValue, known: Lasted): Known | undefined {
  const last = known.get(series)
  return last !== undefined && last.until <= time && last.value === JSON.stringify(value)
    ? last
    : undefined
}

/**
 * SQL for the time of the last value that differs from the newest value `m` of a series, in
 * milliseconds since 1970; null if the value has lasted for 30 days.
 */
const sinceWhen = sql`floor(1000 * extract(epoch from coalesce(
  (select max(h.valid_time) from measurement as h
    where h.series_id = m.series and h.valid_time < m.valid_time and h.valid_time >= m.start
      and (h.number is distinct from m.number or h.text is distinct from m.text
        or h.json is distinct from m.json)),
  case when m.since > m.valid_time - interval '30 days' then m.since end)))`

function* toStations(
  rows: readonly TextRow[],
  lasted: Lasted,
): Generator<undefined, readonly CurrentStation[]> {
  const stations: CurrentStation[] = []
  for (const row of rows) {
    stations.push(toStation(row, lasted))
    yield
  }
  return stations
}

function toStation(row: TextRow, lasted: Lasted): CurrentStation {
  const [type, code, name, origin, active, x, y, parentType, parentCode, metadata] = row
  const [longitude, latitude] = [Number(x), Number(y)]
  return {
    id: Number(row[12]),
    type: type ?? '',
    code: code ?? '',
    name: name ?? '',
    origin: origin ?? null,
    active: active === 't' || active === 'true',
    position: typeof x === 'string' && typeof y === 'string' ? { longitude, latitude } : null,
    parent:
      typeof parentType === 'string' && typeof parentCode === 'string'
        ? { type: parentType, code: parentCode }
        : null,
    metadata: parseObject(metadata ?? '{}'),
    described: new Date(Number(row[11] ?? 0)),
    values: Object.fromEntries(valuesIn(row).map((read) => [read.name, toValue(read, lasted)])),
  }
}

function toValue({ value, time, written, series }: ReadValue, lasted: Lasted): CurrentValue {
  const known = lasted.get(series)
  const read = { value, time: new Date(time), written: new Date(written) }
  return known === undefined ? read : { ...read, since: sinceOf(known) }
}

/**
 * Returns the time of the last different value, or for a value unchanged for 30 days the start of
 * its month, which is the same on every node.
 */
function sinceOf({ until, since }: Known): Date {
  if (since !== null) return new Date(since)
  const newest = new Date(until)
  return new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth(), 1))
}
