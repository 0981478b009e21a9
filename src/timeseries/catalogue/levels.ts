import { empty, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import {
  dataType,
  edge,
  edgeBegin,
  edgeEnd,
  event,
  eventLocation,
  eventProvenance,
  measurement,
  metadataHistory,
  parent,
  provenance,
  station,
} from './groups.ts'
import type { Group } from './groups.ts'

/** A column of a sort order. It is never null, so pages can be separated by comparing rows. */
export type OrderColumn = {
  readonly expression: Sql
  readonly type: 'text' | 'int4' | 'int8' | 'timestamptz' | 'text[]'
}

/** A total order (decisions D4, D46a). */
export type Order = {
  readonly columns: readonly OrderColumn[]
  /** Number of leading columns that an index supports, by which the next page finds its start. */
  readonly indexed: number
}

/** A group whose fields form a nested object inside the object that they belong to. */
export type Inline = { readonly member: string; readonly group: Group }

/** Groups that an object of the tree consists of. */
export type TreeObject = {
  readonly own: readonly Group[]
  readonly inline: readonly Inline[]
}

/** Objects by key, such as the stations of a type by their code (reference 1.8). */
export type TreeLevel = TreeObject & {
  /** Position of the key in the sort order of the tree. */
  readonly key: number
  /** Field of the outer object that holds these objects; undefined for the outermost. */
  readonly within: string | undefined
}

export type TreeShape = {
  readonly levels: readonly TreeLevel[]
  /** The list in the innermost objects, with one entry for each row. */
  readonly list:
    | (TreeObject & {
        readonly member: string
        /** Expression that is null if a row has no entry. */
        readonly present: Sql
        /** Whether the list is present even if none of its fields is selected. */
        readonly isAlways: boolean
      })
    | undefined
}

/**
 * One depth of the paths (reference 1.2): its fields, the relations that they are read from, and
 * the sort order. Everything about a depth is in its entry; the plan only combines it.
 */
export type Level = {
  readonly groups: readonly Group[]
  /** Range of history that is read, if any. Quotas limit its length (decision D62). */
  readonly range?: { readonly from: string; readonly to: string }
  /** @param visible the condition under which the caller may see values */
  readonly from: (visible: Sql) => Sql
  /** Returns the conditions of every request at this depth. */
  readonly where: (visible: Sql) => readonly Sql[]
  /**
   * Repeats the selection of the path as a condition on the relation that is scanned by time, so
   * that rows of other series are skipped before anything is joined to them.
   */
  readonly narrow?: (selected: Sql) => Sql
  /**
   * For a level whose rows are values or stations: the series (or stations, as `x`) that are chosen
   * before anything is read of them, and the relation of their values. Their descriptions are then
   * read separately, and cached.
   */
  readonly chosen?: {
    readonly from: Sql
    readonly where: (visible: Sql) => readonly Sql[]
    readonly values: Sql
  }
  /** Columns that the two lists of the path and the parameter `origin` select by. */
  readonly type: Sql
  readonly dataType: Sql | undefined
  readonly origin: Sql
  /**
   * Column of the order that flat rows show as `_timestamp`, whatever `select` is (reference 1.7).
   */
  readonly timestamp: { readonly key: number } | undefined
  /** Columns that together identify a row. */
  readonly identity: readonly Sql[]
  readonly flatOrder: Order
  readonly treeOrder: Order
  readonly tree: TreeShape
}

const byEdge: Order = {
  columns: [
    { expression: sql`e.type`, type: 'text' },
    { expression: sql`e.code`, type: 'text' },
  ],
  indexed: 2,
}

/** Edges connect stations. All are listed; only values are withheld (decision D60). */
export const edgeLevel: Level = {
  groups: [edge, edgeBegin, edgeEnd],
  from: () => sql`edge as g join station as e on e.id = g.station_id`,
  where: () => [sql`e.available`],
  type: sql`e.type`,
  dataType: undefined,
  origin: sql`e.origin`,
  timestamp: undefined,
  identity: [sql`e.type`, sql`e.code`],
  flatOrder: byEdge,
  treeOrder: byEdge,
  tree: {
    levels: [
      { key: 0, within: undefined, own: [], inline: [] },
      {
        key: 1,
        within: 'edges',
        own: [edge],
        inline: [
          { member: 'ebegin', group: edgeBegin },
          { member: 'eend', group: edgeEnd },
        ],
      },
    ],
    list: undefined,
  },
}

// Spelled like the fields of stations, so that a column is read only once to be shown and sorted.
const stype: OrderColumn = { expression: sql`"s".type`, type: 'text' }
const scode: OrderColumn = { expression: sql`"s".code`, type: 'text' }
const tname: OrderColumn = { expression: sql`t.name`, type: 'text' }
const mvalidtime: OrderColumn = { expression: sql`m.valid_time`, type: 'timestamptz' }
const mperiod: OrderColumn = { expression: sql`x.period`, type: 'int4' }
const kind: OrderColumn = { expression: sql`x.kind`, type: 'text' }
/** Completes an order in which stations of several types may have the same code. */
const series: OrderColumn = { expression: sql`x.id`, type: 'int4' }

const byStation: Order = { columns: [stype, scode], indexed: 2 }
const bySeries: Order = { columns: [stype, scode, tname, mperiod, kind], indexed: 2 }
const byTime: Order = { columns: [mvalidtime, scode, tname, mperiod, kind, series], indexed: 1 }
const bySeriesAndTime: Order = {
  columns: [stype, scode, tname, mvalidtime, mperiod, kind],
  indexed: 2,
}

const types: TreeLevel = { key: 0, within: undefined, own: [], inline: [] }

const stations: TreeLevel = {
  key: 1,
  within: 'stations',
  own: [station],
  inline: [{ member: 'sparent', group: parent }],
}

const dataTypes: TreeLevel = { key: 2, within: 'sdatatypes', own: [dataType], inline: [] }

const stationTree: TreeShape = { levels: [types, stations], list: undefined }

const seriesTree = (isAlways: boolean): TreeShape => ({
  levels: [types, stations, dataTypes],
  list: {
    member: 'tmeasurements',
    present: sql`m.series_id`,
    isAlways,
    own: [measurement],
    inline: [{ member: 'mprovenance', group: provenance }],
  },
})

const isAvailable = sql`s.available`

const stationFields: Level = {
  groups: [station, parent],
  from: () => sql`station as s`,
  where: () => [isAvailable],
  type: stype.expression,
  dataType: undefined,
  origin: sql`s.origin`,
  timestamp: undefined,
  identity: [stype.expression, scode.expression],
  flatOrder: byStation,
  treeOrder: byStation,
  tree: stationTree,
}

/** Stations in place of series. The kind is `text`: descriptions may be as long as texts. */
const stationsAsSeries = sql`
  station as s
  cross join lateral (
    select s.id, s.id as station_id, 0 as data_type_id, 0 as period, 'text' as kind) as x`

export const stationLevel: Level = {
  ...stationFields,
  chosen: { from: stationsAsSeries, where: () => [isAvailable], values: empty },
}

const recorded: OrderColumn = { expression: sql`mh.recorded`, type: 'timestamptz' }

/** Returns the level of metadata versions stored from `from` and before `to` (reference 1.2). */
export const metadataLevel = (range: { readonly from: string; readonly to: string }): Level => {
  const byVersion: Order = { columns: [stype, scode, recorded], indexed: 2 }
  return {
    ...stationFields,
    groups: [station, parent, metadataHistory],
    from: () => sql`station as s join station_metadata as mh on mh.station_id = s.id`,
    identity: [...stationFields.identity, recorded.expression],
    where: () => [
      isAvailable,
      sql`mh.recorded >= ${range.from}::timestamptz`,
      sql`mh.recorded < ${range.to}::timestamptz`,
    ],
    flatOrder: byVersion,
    treeOrder: byVersion,
    tree: {
      levels: stationTree.levels,
      list: {
        member: 'smetadatahistory',
        present: sql`mh.station_id`,
        isAlways: true,
        own: [metadataHistory],
        inline: [],
      },
    },
  }
}

const seriesFields = {
  groups: [station, parent, dataType, measurement, provenance],
  type: stype.expression,
  dataType: sql`t.name`,
  origin: sql`s.origin`,
}

/** One row for each series, with its latest value if the caller may see it (decision D41). */
export const dataTypeLevel: Level = {
  ...seriesFields,
  from: (visible) => sql`
    station as s
    join series as x on x.station_id = s.id
    join data_type as t on t.id = x.data_type_id
    left join latest as m on m.series_id = x.id and ${visible}`,
  where: () => [isAvailable],
  timestamp: undefined,
  identity: [series.expression],
  flatOrder: bySeries,
  treeOrder: bySeries,
  tree: seriesTree(false),
}

const valuesOf = (relation: Sql) => sql`
  ${relation} as m
  join series as x on x.id = m.series_id
  join station as s on s.id = x.station_id
  join data_type as t on t.id = x.data_type_id`

const shownSeries = (visible: Sql) => [isAvailable, visible]

/** Series, also as `m`: fields of values that are the same for a whole series refer to it. */
const chosenSeries = sql`
  series as x
  join station as s on s.id = x.station_id
  join data_type as t on t.id = x.data_type_id
  cross join lateral (select x.id as series_id) as m`

const valueLevel = {
  ...seriesFields,
  where: shownSeries,
  timestamp: { key: 0 },
  identity: [series.expression, mvalidtime.expression],
  flatOrder: byTime,
  treeOrder: bySeriesAndTime,
  tree: seriesTree(true),
}

export const latestLevel: Level = {
  ...valueLevel,
  chosen: { from: chosenSeries, where: shownSeries, values: sql`latest` },
  from: () => valuesOf(sql`latest`),
}

/**
 * Returns a condition with a set of series that is built once and probed for each value. `is true`
 * keeps PostgreSQL from turning it into a join, which would not read in the order of the index and
 * not stop at the limit.
 */
const isOfSeries = (selected: Sql) => sql`
  (m.series_id in (
    select x.id from series as x
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where ${selected})) is true`

/** Returns the level of the values from `from` and before `to`. */
export const historyLevel = (range: { readonly from: string; readonly to: string }): Level => ({
  ...valueLevel,
  chosen: { from: chosenSeries, where: shownSeries, values: sql`measurement` },
  range,
  from: () => valuesOf(sql`measurement`),
  narrow: isOfSeries,
  where: (visible) => [
    sql`m.valid_time >= ${range.from}::timestamptz`,
    sql`m.valid_time < ${range.to}::timestamptz`,
    ...shownSeries(visible),
  ],
})

const byVersion: Order = {
  columns: [
    { expression: sql`ev.origin`, type: 'text' },
    { expression: sql`ev.series`, type: 'text' },
    { expression: sql`ev.first_recorded`, type: 'timestamptz' },
    { expression: sql`ev.place`, type: 'int8' },
    { expression: sql`ev.uuid`, type: 'text' },
  ],
  indexed: 5,
}

const selecting = (...conditions: readonly Sql[]): Level => ({
  groups: [event, eventLocation, eventProvenance],
  from: () => sql`mobility_event as ev`,
  where: (visible) => [...conditions, visible],
  type: sql`ev.origin`,
  dataType: undefined,
  origin: sql`ev.origin`,
  timestamp: undefined,
  identity: [sql`ev.uuid`],
  flatOrder: byVersion,
  treeOrder: byVersion,
  tree: {
    levels: [
      { key: 0, within: undefined, own: [], inline: [] },
      { key: 1, within: 'eventseries', own: [], inline: [] },
      {
        key: 4,
        within: 'events',
        own: [event],
        inline: [
          { member: 'evlocation', group: eventLocation },
          { member: 'evprovenance', group: eventProvenance },
        ],
      },
    ],
    list: undefined,
  },
})

/** All states of all events. */
export const eventLevel: Level = selecting()

/** The newest state of each event series. */
export const latestEventLevel: Level = selecting(sql`
  not exists (
    select from mobility_event as newer
    where newer.origin = ev.origin and newer.series = ev.series
      and (newer.first_recorded, newer.place, newer.uuid) > (ev.first_recorded, ev.place, ev.uuid))`)

/** Returns the level of events not over at a time, including later ones (reference 1.10). */
export const eventsAt = (time: string): Level =>
  selecting(sql`(ev."end" is null or ev."end" > ${time}::timestamptz)`)

/**
 * Returns the level of events that took place between two times. An event that ends at `from` was
 * over; one that starts at `to` is included, unlike with measurements (reference 1.10).
 */
export const eventsBetween = ({
  from,
  to,
}: {
  readonly from: string
  readonly to: string
}): Level =>
  selecting(
    sql`(ev."end" is null or ev."end" > ${from}::timestamptz)`,
    sql`ev.start <= ${to}::timestamptz`,
  )
