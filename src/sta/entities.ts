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

/** Entities of the standard (OGC 18-088, 8.2): each is a table, with properties and relations to others. */
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

/** The names of their sets. */
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

/** How an entity leads to others: to those whose column `theirs` equals its column `own`. */
export type Relation = {
  readonly target: EntityName
  readonly isMany: boolean
  readonly own: string
  readonly theirs: string
  /** The series that observations are in, for no index has `theirs`. @param owners a value of `own`, or a query of some */
  readonly series?: (owners: Sql) => Sql
}

type Key = Pick<OrderKey, 'type'> & { readonly column: string }

export type Entity = {
  readonly name: EntityName
  /** A subquery: the rows that the reader sees. */
  readonly table: Sql
  readonly properties: Readonly<Record<string, Property>>
  readonly relations: Readonly<Record<string, Relation>>
  /** What distinguishes its rows and ends every order. */
  readonly key: readonly Key[]
  /** The identifier of a row as text. */
  readonly id: (row: Sql) => Sql
  readonly compareId: CompareId
}

export type Entities = Readonly<Record<EntityName, Entity>>

type Model = Pick<Entity, 'table' | 'properties' | 'relations'>

/**
 * The model of a hub in the eyes of a reader (docs/sensorthings.md): a station is a Thing, its Location and its
 * FeatureOfInterest; a series is a Datastream and its Sensor; a data type is an ObservedProperty.
 * @param root address of the service
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

/** Identifiers of PostgreSQL: positive and up to this. */
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

/** Of what belongs to a station: `Position of ParkingStation parking-0001`. */
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

/** The hub keeps no positions of the past: there is the last known one, of the time when it was reported. */
const historicalLocation: Model = {
  table: placed,
  properties: { time: time(column('received')) },
  relations: { Thing: toOne('Thing', 'id'), Locations: toMany('Location', 'id') },
}

/** A feature of interest is one that has series. */
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

/** From the oldest to the newest value that the reader sees, also in files; null where there is none. */
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
 * Who is behind a series. The hub knows no instruments, so each series has a sensor of its own, described by the
 * origin and by who collected its newest value.
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

/** The hub knows one time of a value: when it is valid. */
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
 * An observation is known by its series and its time: the milliseconds since the year 1 in fifteen digits, and
 * microseconds behind a point where there are any. Most are whole numbers of 64 bits, which clients expect.
 */
const observationId = /^(\d{1,10})(\d{15})(?:\.(\d{1,3}))?$/
const yearOne = Date.parse('0001-01-01T00:00:00Z')
const latestTime = Date.parse('9999-12-31T23:59:59.999Z')
