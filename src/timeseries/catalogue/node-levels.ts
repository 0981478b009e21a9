import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { dataType, measurement, metadataHistory, parent, provenance, station } from './groups.ts'
import type { Level, Order, OrderColumn, TreeLevel, TreeShape } from './level.ts'

// Written as the fields of stations are: what is shown and ordered by is read once.
const stype: OrderColumn = { expression: sql`"s".type`, type: 'text' }
const scode: OrderColumn = { expression: sql`"s".code`, type: 'text' }
const tname: OrderColumn = { expression: sql`t.name`, type: 'text' }
const mvalidtime: OrderColumn = { expression: sql`m.valid_time`, type: 'timestamptz' }
const mperiod: OrderColumn = { expression: sql`x.period`, type: 'int4' }
const kind: OrderColumn = { expression: sql`x.kind`, type: 'text' }
/** Ends an order in which a code may stand for stations of several types. */
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

export const stationLevel: Level = {
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

const recorded: OrderColumn = { expression: sql`mh.recorded`, type: 'timestamptz' }

/** The versions of the metadata stored from one time on and before another (reference 1.2). */
export const metadataLevel = (range: { readonly from: string; readonly to: string }): Level => {
  const byVersion: Order = { columns: [stype, scode, recorded], indexed: 2 }
  return {
    ...stationLevel,
    groups: [station, parent, metadataHistory],
    from: () => sql`station as s join station_metadata as mh on mh.station_id = s.id`,
    identity: [...stationLevel.identity, recorded.expression],
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

/** One row for each series, with its latest value where the caller may see it (decision D41). */
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
  values: { relation: sql`latest`, ofSeries: shownSeries },
  from: () => valuesOf(sql`latest`),
}

/**
 * A set that is made once and probed for each value. `is true` keeps PostgreSQL from making a join of
 * it, which would read in another order than that of the index and not stop at the limit.
 */
const isOfSeries = (selected: Sql) => sql`
  (m.series_id in (
    select x.id from series as x
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where ${selected})) is true`

/** The values from one time on and before another. */
export const historyLevel = (range: { readonly from: string; readonly to: string }): Level => ({
  ...valueLevel,
  values: { relation: sql`measurement`, ofSeries: shownSeries },
  range,
  from: () => valuesOf(sql`measurement`),
  narrow: isOfSeries,
  where: (visible) => [
    sql`m.valid_time >= ${range.from}::timestamptz`,
    sql`m.valid_time < ${range.to}::timestamptz`,
    ...shownSeries(visible),
  ],
})
