import { anonymous, seesAll, visible } from '../access/index.ts'
import type { RuleTable, Visibility } from '../access/index.ts'
import { parseObject } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, TextRow } from '../storage/index.ts'
import { latestLevel, stationLevel } from './catalogue/levels.ts'
import { dataTypes as allDataTypes, measurementsOf, stationsOf, versionsOf } from './datasets.ts'

/** The newest value of a data type, of the shortest period where there are several as new. */
export type CurrentValue = {
  readonly value: unknown
  readonly time: Date
  /** Of the data types in `lasting`: when it was last another one. Unchanged for a month, the month's start. */
  readonly since?: Date
}

/** A station as everybody sees it, with its newest values. */
export type CurrentStation = {
  readonly type: string
  readonly code: string
  readonly name: string
  readonly origin: string | null
  readonly active: boolean
  /** Degrees (EPSG:4326). */
  readonly position: { readonly longitude: number; readonly latitude: number } | null
  readonly parent: { readonly type: string; readonly code: string } | null
  readonly metadata: Members
  /** By data type; closed ones are missing. */
  readonly values: Readonly<Record<string, CurrentValue>>
}

export type CurrentStations = {
  /** By type and code. */
  readonly stations: readonly CurrentStation[]
  /** When one of them last changed, or what rules show of them. */
  readonly stationsChanged: Date
  /** When one of their values last did, or a station. */
  readonly valuesChanged: Date
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
  return {
    /** Another value whenever everybody may see something else. */
    rights,
    /** Whether there may be values that are closed. */
    isPartial: ({ types }: Concerned) => !seesAll(rights(), 'timeseries', { types }),
    version: (concerned: Concerned) => loadVersion(database, concerned),
    load: (concerned: Concerned) => loadCurrentStations(database, concerned, rights()),
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

async function loadCurrentStations(
  database: Queryable,
  concerned: Concerned,
  visibility: Visibility,
): Promise<CurrentStations> {
  const { types } = concerned
  const [times] = await database.texts(
    sql`select ${newestChange(types.map(stationsOf))}, ${newestChange([...types.map(measurementsOf), allDataTypes])}`,
  )
  const rows = await database.texts(sql`
    select s.type, s.code, s.name, s.origin, s.active, ST_X(s.point), ST_Y(s.point), p.type, p.code,
      s.metadata, ${valuesOf(concerned, visibility)}
    from station as s left join station as p on p.id = s.parent_id
    where s.type = any(${types}::text[]) and s.available
    order by s.type, s.code`)
  const [stations, values] = [times?.[0], times?.[1]].map((time) => new Date(Number(time ?? 0)))
  const stationsChanged = stations ?? new Date(0)
  return {
    stations: rows.map(toStation),
    stationsChanged,
    valuesChanged: values !== undefined && values > stationsChanged ? values : stationsChanged,
  }
}

/** Milliseconds since 1970; null where nothing changed yet. */
function newestChange(datasets: readonly string[]): Sql {
  const each = datasets.map(
    (dataset) => sql`
      (select time from change where dataset = ${dataset} order by xid desc limit 1)`,
  )
  const rules = sql`(select max(time) from audit where dataset = 'AccessRule')`
  return sql`floor(extract(epoch from greatest(${join([...each, rules], ', ')})) * 1000)`
}

/** `{"name": [value, milliseconds since 1970, those of its beginning or null]}` */
function valuesOf({ dataTypes, lasting = [] }: Concerned, visibility: Visibility): Sql {
  if (dataTypes.length === 0) return sql`null`
  const sees = visible(visibility, 'timeseries', {
    closed: sql`s.closed`,
    origin: sql`s.origin`,
    type: sql`s.type`,
    dataType: sql`t.name`,
    period: sql`x.period`,
  })
  return sql`(
    select json_object_agg(name, json_build_array(value, milliseconds, since)) from (
      select distinct on (t.name) t.name,
        coalesce(to_jsonb(m.number), m.json, to_jsonb(m.text)) as value,
        floor(extract(epoch from m.valid_time) * 1000) as milliseconds,
        case when t.name = any(${lasting}::text[]) then ${sinceWhen} end as since
      from series as x
      join latest as m on m.series_id = x.id
      join data_type as t on t.id = x.data_type_id
      where x.station_id = s.id and t.name = any(${dataTypes}::text[]) and ${sees}
      order by t.name, m.valid_time desc, x.period, x.kind) as newest)`
}

/** Of the newest value `m` of a series: in milliseconds since 1970. */
const sinceWhen = sql`floor(1000 * extract(epoch from coalesce(
  (select max(h.valid_time) from measurement as h
    where h.series_id = m.series_id and h.valid_time < m.valid_time
      and h.valid_time > m.valid_time - interval '30 days'
      and (h.number is distinct from m.number or h.text is distinct from m.text
        or h.json is distinct from m.json)),
  date_trunc('month', m.valid_time, 'UTC'))))`

function toStation(row: TextRow): CurrentStation {
  const [type, code, name, origin, active, x, y, parentType, parentCode, metadata, values] = row
  const [longitude, latitude] = [Number(x), Number(y)]
  return {
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
    values: Object.fromEntries(Object.entries(parseObject(values ?? '{}')).flatMap(toValue)),
  }
}

function toValue([name, pair]: readonly [string, unknown]): readonly (readonly [
  string,
  CurrentValue,
])[] {
  const list: readonly unknown[] = Array.isArray(pair) ? pair : []
  const [value, milliseconds, since] = list
  if (value === null) return []
  const begun = typeof since === 'number' ? { since: new Date(since) } : {}
  return [[name, { value, time: new Date(Number(milliseconds)), ...begun }]]
}
