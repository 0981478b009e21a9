import { visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import type { OrderKey } from '../content/index.ts'
import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import {
  constant,
  geometry,
  json,
  measured,
  optional,
  printedTime,
  scalar,
  text,
  time,
} from './properties.ts'
import type { CompareId, Property } from './properties.ts'

/**
 * Entities of the standard (OGC 18-088, 8.2). Each is a table with properties, and with relations
 * to other entities.
 */
export const entityNames = [
  'Thing',
  'Location',
  'HistoricalLocation',
  'Datastream',
  'Sensor',
  'ObservedProperty',
  'Observation',
  'FeatureOfInterest',
] as const
export type EntityName = (typeof entityNames)[number]

/** Names of the entity sets. */
export const setNames: Readonly<Record<EntityName, string>> = {
  Thing: 'Things',
  Location: 'Locations',
  HistoricalLocation: 'HistoricalLocations',
  Datastream: 'Datastreams',
  Sensor: 'Sensors',
  ObservedProperty: 'ObservedProperties',
  Observation: 'Observations',
  FeatureOfInterest: 'FeaturesOfInterest',
}

/**
 * A relation from an entity to others: to all rows whose column `theirs` equals the entity's column
 * `own`.
 */
export type Relation = {
  readonly target: EntityName
  readonly isMany: boolean
  readonly own: string
  readonly theirs: string
  /**
   * Selects the series of related observations, because `theirs` has no index.
   * @param owners a value of `own`, or a query for several values
   */
  readonly series?: (owners: Sql) => Sql
}

type Key = Pick<OrderKey, 'type'> & { readonly column: string }

export type Entity = {
  readonly name: EntityName
  /** Subquery for the rows that are visible to the reader. */
  readonly table: Sql
  readonly properties: Readonly<Record<string, Property>>
  readonly relations: Readonly<Record<string, Relation>>
  /** Columns that identify a row. They come last in every sort order. */
  readonly key: readonly Key[]
  /** Returns SQL for the identifier of a row, as text. */
  readonly id: (row: Sql) => Sql
  readonly compareId: CompareId
}

export type Entities = Readonly<Record<EntityName, Entity>>

type Model = Pick<Entity, 'table' | 'properties' | 'relations'>

/**
 * Returns the entities as a reader sees them (docs/sensorthings.md): a station is a Thing, its
 * Location and its FeatureOfInterest; a series is a Datastream and its Sensor; a data type is an
 * ObservedProperty.
 * @param root URL of the service
 */
export function entitiesFor(visibility: Visibility, root: string): Entities {
  const sees = (row: Sql) =>
    visible(visibility, 'timeseries', {
      closed: sql`${row}.closed`,
      origin: sql`${row}.origin`,
      type: sql`${row}.station_type`,
      dataType: sql`${row}.data_type`,
      period: sql`${row}.period`,
    })
  return {
    Thing: withId('Thing', thing),
    Location: withId('Location', location),
    HistoricalLocation: withId('HistoricalLocation', historicalLocation),
    Datastream: withId('Datastream', datastream(sees)),
    Sensor: withId('Sensor', sensor(sees)),
    ObservedProperty: withId('ObservedProperty', observedProperty(root)),
    Observation: observation(sees),
    FeatureOfInterest: withId('FeatureOfInterest', featureOfInterest),
  }
}

/** Largest identifier of type `integer` in PostgreSQL. Identifiers are positive. */
const greatestId = 2_147_483_647

function withId(name: EntityName, model: Model): Entity {
  return {
    ...model,
    name,
    key: [{ column: 'id', type: 'integer' }],
    id: (row) => sql`${row}.id::text`,
    compareId: (row, id, operator) =>
      /^\d{1,10}$/.test(id) && Number(id) <= greatestId
        ? sql`(${row}.id ${operator} ${Number(id)}::integer)`
        : undefined,
  }
}

const toOne = (target: EntityName, own: string, theirs = 'id'): Relation => {
  return { target, isMany: false, own, theirs }
}
const toMany = (target: EntityName, theirs: string, own = 'id'): Relation => {
  return { target, isMany: true, own, theirs }
}

const stations = sql`select * from station where available`
const placed = sql`${stations} and point is not null`
const column = (name: string) => (row: Sql) => sql`${row}.${identifier(name)}`
const encoded = constant('application/geo+json')

/** Describes what belongs to a station: `Position of ParkingStation parking-0001`. */
const described = (before: string) => (row: Sql) =>
  sql`concat(${before}::text, ${row}.type, ' ', ${row}.code)`

const place = geometry(column('point'))

const thing: Model = {
  table: stations,
  properties: {
    name: text(column('name')),
    description: text(described('')),
    properties: json(
      (
        row,
      ) => sql`jsonb_build_object('type', ${row}.type, 'code', ${row}.code, 'origin', ${row}.origin,
        'active', ${row}.active, 'metadata', ${row}.metadata)`,
      {
        type: text(column('type')),
        code: text(column('code')),
        origin: text(column('origin')),
        active: scalar('boolean', column('active')),
        metadata: json(column('metadata')),
      },
    ),
  },
  relations: {
    Datastreams: toMany('Datastream', 'station_id'),
    Locations: toMany('Location', 'id'),
    HistoricalLocations: toMany('HistoricalLocation', 'id'),
  },
}

const location: Model = {
  table: placed,
  properties: {
    name: text(column('name')),
    description: text(described('Position of ')),
    encodingType: encoded,
    location: place,
  },
  relations: {
    Things: toMany('Thing', 'id'),
    HistoricalLocations: toMany('HistoricalLocation', 'id'),
  },
}

/**
 * The hub stores no past positions. There is one entry: the last known position, with the time at
 * which it was received.
 */
const historicalLocation: Model = {
  table: placed,
  properties: { time: time(column('received')) },
  relations: { Thing: toOne('Thing', 'id'), Locations: toMany('Location', 'id') },
}

/** A station is a feature of interest only if it has series. */
const featureOfInterest: Model = {
  table: sql`${stations} and exists (select from series where station_id = station.id)`,
  properties: {
    name: text(column('name')),
    description: text(described('')),
    encodingType: encoded,
    feature: place,
  },
  relations: {
    Observations: {
      ...toMany('Observation', 'station_id'),
      series: (stations) => sql`select id from series where station_id in (${stations})`,
    },
  },
}

const series = sql`
  select x.id, x.period, x.kind, x.station_id, x.data_type_id, s.type as station_type, s.code, s.name, s.origin,
    s.closed, t.name as data_type, t.unit
  from series as x
  join station as s on s.id = x.station_id and s.available
  join data_type as t on t.id = x.data_type_id`

type Sees = (row: Sql) => Sql

const observationTypes = 'http://www.opengis.net/def/observationType/OGC-OM/2.0'

const datastream = (sees: Sees): Model => ({
  table: series,
  properties: {
    name: text((row) => sql`concat(${row}.name, ': ', ${row}.data_type)`),
    description: text(
      (row) => sql`concat(${row}.data_type, ' of ', ${row}.station_type, ' ', ${row}.code,
        case when ${row}.period > 0 then concat(', every ', ${row}.period, ' s') end)`,
    ),
    observationType: text(
      (row) => sql`${`${observationTypes}/OM_`}::text || case ${row}.kind
        when 'number' then 'Measurement' else 'Observation' end`,
    ),
    unitOfMeasurement: json(
      (row) =>
        sql`jsonb_build_object('name', ${row}.unit, 'symbol', ${row}.unit, 'definition', null)`,
      { name: text(column('unit')), symbol: text(column('unit')) },
    ),
    phenomenonTime: { ...optional(text(spanOf(sees))), type: 'none' },
    properties: json(
      (row) =>
        sql`jsonb_build_object('period', ${row}.period, 'kind', ${row}.kind, 'origin', ${row}.origin)`,
      {
        period: scalar('number', column('period')),
        kind: text(column('kind')),
        origin: text(column('origin')),
      },
    ),
  },
  relations: {
    Thing: toOne('Thing', 'station_id'),
    Sensor: toOne('Sensor', 'id'),
    ObservedProperty: toOne('ObservedProperty', 'data_type_id'),
    Observations: toMany('Observation', 'series_id'),
  },
})

/**
 * Returns SQL for the interval from the oldest to the newest value that the reader sees, including
 * values in files; null if there are none.
 */
function spanOf(sees: Sees) {
  return (row: Sql) => {
    const chosen = sql`where series_id = ${row}.id and ${sees(row)}`
    const values = sql`select valid_time from measurement ${chosen} order by valid_time`
    const first = sql`least((${values} limit 1), (select min(first_time) from cold_series ${chosen}))`
    const last = sql`greatest((${values} desc limit 1), (select max(last_time) from cold_series ${chosen}))`
    return sql`${printedTime(first)} || '/' || ${printedTime(last)}`
  }
}

/**
 * Describes the source of a series. The hub does not record instruments, so each series has a
 * sensor of its own, which is described by its origin and by the collector of its newest value.
 */
const sensor = (sees: Sees): Model => ({
  table: series,
  properties: {
    name: text((row) => sql`concat(${row}.data_type, ' at ', ${row}.name)`),
    description: text(
      (row) =>
        sql`concat('Source of ', ${row}.data_type, ' of ', ${row}.station_type, ' ', ${row}.code)`,
    ),
    encodingType: constant('text/plain'),
    metadata: text((row) => sql`coalesce(${row}.origin, 'unknown')`),
    properties: optional(
      json(
        (row) => sql`(
          select jsonb_build_object('collector', p.name, 'version', p.version, 'lineage', p.lineage)
          from latest as m join provenance as p on p.id = m.provenance_id
          where m.series_id = ${row}.id and ${sees(row)})`,
      ),
    ),
  },
  relations: { Datastreams: toMany('Datastream', 'id') },
})

const observedProperty = (root: string): Model => ({
  table: sql`select * from data_type`,
  properties: {
    name: text(column('name')),
    definition: text((row) => sql`concat(${`${root}/ObservedProperties(`}::text, ${row}.id, ')')`),
    description: text((row) => sql`coalesce(${row}.description, ${row}.name)`),
    properties: json(
      (row) =>
        sql`jsonb_build_object('unit', ${row}.unit, 'rtype', ${row}.rtype, 'metadata', ${row}.metadata)`,
      {
        unit: text(column('unit')),
        rtype: text(column('rtype')),
        metadata: json(column('metadata')),
      },
    ),
  },
  relations: { Datastreams: toMany('Datastream', 'data_type_id') },
})

/**
 * Describes measured values. Both times of an observation are the same: the hub stores only when a
 * value is valid.
 */
const observation = (sees: Sees): Entity => ({
  name: 'Observation',
  table: sql`
    select m.series_id, m.valid_time, m.number, m.text, m.json, x.station_id
    from measurement as m
    join (${series}) as x on x.id = m.series_id
    where ${sees(sql`x`)}`,
  properties: {
    phenomenonTime: time(column('valid_time')),
    result: measured,
    resultTime: time(column('valid_time')),
  },
  relations: {
    Datastream: toOne('Datastream', 'series_id'),
    FeatureOfInterest: toOne('FeatureOfInterest', 'station_id'),
  },
  key: [
    { column: 'series_id', type: 'integer' },
    { column: 'valid_time', type: 'timestamptz' },
  ],
  id: (row) => sql`concat(${row}.series_id, rtrim(to_char(
    extract(epoch from ${row}.valid_time) * 1000 + ${-yearOne}::bigint, 'FM000000000000000.999'), '.'))`,
  compareId: (row, id, operator) => {
    const [, seriesId = '', milliseconds = '', microseconds = ''] =
      observationId.exec(id.padStart(16, '0')) ?? []
    const moment = new Date(Number(milliseconds) + yearOne)
    const isNone = seriesId === '' || Number(seriesId) > greatestId || moment.getTime() > latestTime
    if (isNone) return undefined
    const written = moment.toISOString().replace('Z', `${microseconds}Z`)
    return sql`((${row}.series_id, ${row}.valid_time) ${operator} (${Number(seriesId)}::integer, ${written}::timestamptz))`
  },
})

/**
 * An observation is identified by its series and its time: the milliseconds since the year 1 in
 * fifteen digits, and microseconds after a point if there are any. Most identifiers are 64-bit
 * integers, which clients expect.
 */
const observationId = /^(\d{1,10})(\d{15})(?:\.(\d{1,3}))?$/
const yearOne = Date.parse('0001-01-01T00:00:00Z')
const latestTime = Date.parse('9999-12-31T23:59:59.999Z')
