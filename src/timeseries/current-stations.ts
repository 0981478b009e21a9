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

/** The newest value of a data type, of the shortest period where there are several as new. */
export type CurrentValue = {
  readonly value: unknown
  readonly time: Date
  /** When it was stored. */
  readonly written: Date
  /** Of the data types in `lasting`: when it was last another one. Unchanged for a month, the month's start. */
  readonly since?: Date
}

/** A station as everybody sees it, with its newest values. */
export type CurrentStation = {
  /** Those that were stored earlier have lower ones. */
  readonly id: number
  readonly type: string
  readonly code: string
  readonly name: string
  readonly origin: string | null
  readonly active: boolean
  /** Degrees (EPSG:4326). */
  readonly position: { readonly longitude: number; readonly latitude: number } | null
  readonly parent: { readonly type: string; readonly code: string } | null
  readonly metadata: Members
  /** When its metadata was last stored as something else; without any, when the station was. */
  readonly described: Date
  /** By data type; closed ones are missing. */
  readonly values: Readonly<Record<string, CurrentValue>>
}

export type CurrentStations = {
  /** By type and code. */
  readonly stations: readonly CurrentStation[]
}

/** Which stations, and which of their values. */
export type Concerned = {
  readonly types: readonly string[]
  /** None: stations alone; a change of values then makes no new version. */
  readonly dataTypes: readonly string[]
  /** Those of which it matters how long a value has lasted. */
  readonly lasting?: readonly string[]
}

/** Stations for what everybody may read: anonymous rights apply. */
export function stationSource(database: Queryable, visibilityOf: RuleTable['visibility']) {
  const rights = () => visibilityOf(anonymous)
  const lasted = new WeakMap<Concerned, Lasted>()
  return {
    /** Another value whenever everybody may see something else. */
    rights,
    /** Whether there may be values that are closed. */
    isPartial: ({ types }: Concerned) => !seesAll(rights(), 'timeseries', { types }),
    version: (concerned: Concerned) => loadVersion(database, concerned),
    load: async (concerned: Concerned): Promise<CurrentStations> => {
      const rows = await loadRows(database, concerned, rights())
      const known = lasted.get(concerned) ?? new Map()
      const current = await loadLasted(database, await inSlices(lastingIn(rows, concerned)), known)
      lasted.set(concerned, current)
      return { stations: await inSlices(toStations(rows, current)) }
    },
  }
}

export type StationSource = ReturnType<typeof stationSource>

async function loadVersion(database: Queryable, { types, dataTypes }: Concerned): Promise<string> {
  const level = dataTypes.length === 0 ? stationLevel : latestLevel
  const [row] = await database.texts(
    sql`select ${versionsOf('node', level, { kind: 'some', names: types })}`,
  )
  return row?.[0] ?? ''
}

async function loadRows(
  database: Queryable,
  concerned: Concerned,
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

/** `{"name": [value, milliseconds since 1970, those when it was stored, series]}` */
function valuesOf({ dataTypes }: Concerned, visibility: Visibility): Sql {
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

/** The values of which it matters how long they have lasted. */
function* lastingIn(
  rows: readonly TextRow[],
  { lasting = [] }: Concerned,
): Generator<undefined, readonly ReadValue[]> {
  if (lasting.length === 0) return []
  const found: ReadValue[] = []
  for (const row of rows) {
    found.push(...valuesIn(row).filter(({ name }) => lasting.includes(name)))
    yield
  }
  return found
}

/** Until when the history of a series was read, its value then, and when it was last another one before. */
type Known = { readonly until: number; readonly value: string; readonly since: number | null }
/** By series. */
type Lasted = ReadonlyMap<number, Known>

/**
 * Reads since when values have lasted, and no further back than is unknown: what stands for days would be read
 * for days with each new value. A value that arrives late, before others that are known, counts when the value
 * has changed, or after a restart.
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

/** What is known of the same value: after another one, what is new is read at once. */
function lastOf({ series, time, value }: ReadValue, known: Lasted): Known | undefined {
  const last = known.get(series)
  return last !== undefined && last.until <= time && last.value === JSON.stringify(value)
    ? last
    : undefined
}

/** Of the newest value `m` of a series: in milliseconds since 1970; null where it has lasted for 30 days. */
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

/** Unchanged for 30 days, the start of the month: the same on every node. */
function sinceOf({ until, since }: Known): Date {
  if (since !== null) return new Date(since)
  const newest = new Date(until)
  return new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth(), 1))
}
