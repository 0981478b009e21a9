import { empty, identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** Type of a field: decides how it is printed and what it can be compared with. */
export type FieldType =
  | 'text'
  | 'boolean'
  /** A whole number of up to 32 bits. */
  | 'integer'
  /** A whole number of up to 64 bits: a count or a sum. */
  | 'bigint'
  /** A number with a fraction, in double precision. */
  | 'number'
  /** A timestamp with time zone. */
  | 'time'
  /** jsonb: passed through as it is stored. */
  | 'json'
  /** A measured value: JSON text of a number, a string or an object. */
  | 'value'
  /** A PostGIS point, printed as `{"x":…,"y":…,"srid":4326}`. */
  | 'point'
  /** A PostGIS geometry, printed as GeoJSON with `bbox` and `crs`. */
  | 'geometry'

/** Role of a field in records of any kind, and its label for people. */
export type Shown = {
  readonly role: 'title' | 'municipality' | 'capacity' | 'code' | 'source' | 'status' | 'place'
  readonly label: readonly [de: string, it: string, en: string]
}

/** A field of the interface (reference 1.7), with the SQL expression for its value. */
export type Field = {
  readonly name: string
  readonly type: FieldType
  readonly expression: Sql
  /** Shown with each value, but the same for all values of a series. */
  readonly isOfSeries?: true
  readonly shown?: Shown
  /** Columns of a measured value. The kind of the series decides which of them is filled. */
  readonly parts?: ValueParts
}

export type ValueParts = {
  readonly number: Sql
  readonly text: Sql
  readonly json: Sql
  /** Null if there is no value of any kind. An index contains this column. */
  readonly present: Sql
}

/** Returns SQL for a field as text. It is JSON already, except for texts, booleans and times. */
export function printed({ type, expression }: Pick<Field, 'type' | 'expression'>): Sql {
  switch (type) {
    case 'point':
      return sql`'{"x":' || ST_X(${expression}) || ',"y":' || ST_Y(${expression}) || ',"srid":4326}'`
    case 'geometry':
      // Nine decimals. Option 3 adds the bounding box and the short name of the reference system.
      return sql`ST_AsGeoJSON(${expression}, 9, 3)`
    case 'text':
    case 'boolean':
    case 'integer':
    case 'bigint':
    case 'number':
    case 'time':
    case 'json':
    case 'value':
      return expression
  }
}

/** Fields that come from one relation and have the same place in the tree. */
export type Group = {
  readonly name: string
  readonly fields: readonly Field[]
  /** Join that the fields need in addition to what their level reads anyway. */
  readonly join: Sql
  /** Condition that rows must meet as soon as one of the fields is shown. */
  readonly condition: Sql
}

/** Returns a group whose fields need no join and that hides no rows. */
export const groupOf = (name: string, fields: readonly Field[]): Group => ({
  name,
  fields,
  join: empty,
  condition: sql`true`,
})

/** Returns the fields that every station has. The prefix identifies the station (reference 1.7). */
function describeStation(prefix: string): readonly Field[] {
  const row = identifier(prefix)
  return [
    {
      name: `${prefix}name`,
      type: 'text',
      expression: sql`${row}.name`,
      shown: { role: 'title', label: ['Name', 'Nome', 'Name'] },
    },
    { name: `${prefix}type`, type: 'text', expression: sql`${row}.type` },
    {
      name: `${prefix}code`,
      type: 'text',
      expression: sql`${row}.code`,
      shown: { role: 'code', label: ['Code', 'Codice', 'Code'] },
    },
    {
      name: `${prefix}origin`,
      type: 'text',
      expression: sql`${row}.origin`,
      shown: { role: 'source', label: ['Herkunft', 'Origine', 'Origin'] },
    },
    {
      name: `${prefix}active`,
      type: 'boolean',
      expression: sql`${row}.active`,
      shown: { role: 'status', label: ['Aktiv', 'Attivo', 'Active'] },
    },
    { name: `${prefix}available`, type: 'boolean', expression: sql`${row}.available` },
  ]
}

function coordinateOf(prefix: string): Field {
  return {
    name: `${prefix}coordinate`,
    type: 'point',
    expression: sql`${identifier(prefix)}.point`,
    shown: { role: 'place', label: ['Ort', 'Luogo', 'Place'] },
  }
}

function metadataOf(prefix: string): Field {
  return {
    name: `${prefix}metadata`,
    type: 'json',
    expression: sql`${identifier(prefix)}.metadata`,
  }
}

export const station = groupOf('station', [
  ...describeStation('s'),
  coordinateOf('s'),
  metadataOf('s'),
])

export const parent: Group = {
  name: 'parent',
  fields: [...describeStation('p'), coordinateOf('p'), metadataOf('p')],
  join: sql`left join station as p on p.id = s.parent_id`,
  condition: sql`(s.parent_id is null or p.available)`,
}

export const dataType = groupOf('dataType', [
  { name: 'tname', type: 'text', expression: sql`t.name` },
  { name: 'tunit', type: 'text', expression: sql`t.unit` },
  { name: 'ttype', type: 'text', expression: sql`t.rtype` },
  { name: 'tdescription', type: 'text', expression: sql`t.description` },
  { name: 'tmetadata', type: 'json', expression: sql`t.metadata` },
])

export const measurement = groupOf('measurement', [
  { name: 'mvalidtime', type: 'time', expression: sql`m.valid_time` },
  { name: 'mtransactiontime', type: 'time', expression: sql`m.transaction_time` },
  // The period is stored with the series but belongs to the value: no value, no period (D41).
  {
    name: 'mperiod',
    type: 'integer',
    expression: sql`case when m.series_id is not null then x.period end`,
    isOfSeries: true,
  },
  {
    name: 'mvalue',
    type: 'value',
    expression: sql`coalesce(m.number::text, m.json::text, to_json(m.text)::text)`,
    parts: {
      number: sql`m.number`,
      text: sql`m.text`,
      json: sql`m.json`,
      present: sql`m.series_id`,
    },
  },
])

/** Versions of a station's metadata, each with the time from which it is valid (reference 1.7). */
export const metadataHistory = groupOf('metadataHistory', [
  { name: 'mhmetadata', type: 'json', expression: sql`mh.metadata` },
  { name: 'mhtransactiontime', type: 'time', expression: sql`mh.recorded` },
])

/**
 * Returns the provenance of values or of events.
 * @param row alias of the relation with the `provenance_id`
 */
const provenanceOf = (row: 'm' | 'ev'): Group => ({
  ...groupOf('provenance', [
    { name: 'prname', type: 'text', expression: sql`pr.name` },
    { name: 'prversion', type: 'text', expression: sql`pr.version` },
    { name: 'prlineage', type: 'text', expression: sql`pr.lineage` },
  ]),
  join: sql`left join provenance as pr on pr.id = ${identifier(row)}.provenance_id`,
})

export const provenance = provenanceOf('m')
export const eventProvenance = provenanceOf('ev')

export const edge = groupOf('edge', [
  ...describeStation('e'),
  { name: 'edirected', type: 'boolean', expression: sql`g.directed` },
  { name: 'egeometry', type: 'geometry', expression: sql`g.geometry` },
])

export const edgeBegin: Group = {
  name: 'edgeBegin',
  fields: [...describeStation('sb'), coordinateOf('sb')],
  join: sql`left join station as sb on sb.id = g.from_id`,
  condition: sql`(g.from_id is null or sb.available)`,
}

export const edgeEnd: Group = {
  name: 'edgeEnd',
  fields: [...describeStation('se'), coordinateOf('se')],
  join: sql`left join station as se on se.id = g.to_id`,
  condition: sql`(g.to_id is null or se.available)`,
}

export const event = groupOf('event', [
  { name: 'evuuid', type: 'text', expression: sql`ev.uuid` },
  { name: 'evseriesuuid', type: 'text', expression: sql`ev.series` },
  { name: 'evorigin', type: 'text', expression: sql`ev.origin` },
  { name: 'evcategory', type: 'text', expression: sql`ev.category` },
  { name: 'evname', type: 'text', expression: sql`ev.name` },
  { name: 'evdescription', type: 'text', expression: sql`ev.description` },
  { name: 'evtransactiontime', type: 'time', expression: sql`ev.recorded` },
  { name: 'evstart', type: 'time', expression: sql`ev.start` },
  { name: 'evend', type: 'time', expression: sql`ev."end"` },
  { name: 'evmetadata', type: 'json', expression: sql`ev.metadata` },
])

export const eventLocation = groupOf('eventLocation', [
  { name: 'evldescription', type: 'text', expression: sql`ev.location_description` },
  { name: 'evlgeometry', type: 'geometry', expression: sql`ev.geometry` },
])

/**
 * Columns that access rules for time series compare, in every statement that joins stations, data
 * types and series.
 */
export const visibleColumns = {
  closed: sql`s.closed`,
  origin: sql`s.origin`,
  type: sql`s.type`,
  dataType: sql`t.name`,
  period: sql`x.period`,
}
