import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { dataType, measurement, parent, provenance, station } from './groups.ts'
import type { Level, Order, OrderColumn, TreeLevel, TreeShape } from './level.ts'

const stype: OrderColumn = { expression: sql`s.type`, type: 'text' }
const scode: OrderColumn = { expression: sql`s.code`, type: 'text' }
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

const seriesTree: TreeShape = {
  levels: [types, stations, dataTypes],
  list: {
    member: 'tmeasurements',
    present: sql`m.series_id`,
    own: [measurement],
    inline: [{ member: 'mprovenance', group: provenance }],
  },
}

const isAvailable = sql`s.available`

export const stationLevel: Level = {
  groups: [station, parent],
  from: () => sql`station as s`,
  where: () => [isAvailable],
  type: sql`s.type`,
  dataType: undefined,
  origin: sql`s.origin`,
  timestamp: undefined,
  flatOrder: byStation,
  treeOrder: byStation,
  tree: stationTree,
}

const seriesFields = {
  groups: [station, parent, dataType, measurement, provenance],
  type: sql`s.type`,
  dataType: sql`t.name`,
  origin: sql`s.origin`,
  tree: seriesTree,
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
  flatOrder: bySeries,
  treeOrder: bySeries,
}

const valuesOf = (relation: Sql) => sql`
  ${relation} as m
  join series as x on x.id = m.series_id
  join station as s on s.id = x.station_id
  join data_type as t on t.id = x.data_type_id`

const valueLevel = {
  ...seriesFields,
  where: (visible: Sql) => [isAvailable, visible],
  timestamp: { key: 0 },
  flatOrder: byTime,
  treeOrder: bySeriesAndTime,
}

export const latestLevel: Level = { ...valueLevel, from: () => valuesOf(sql`latest`) }

/** The values from one time on and before another. */
export const historyLevel = (range: { readonly from: string; readonly to: string }): Level => ({
  ...valueLevel,
  from: () => valuesOf(sql`measurement`),
  where: (visible) => [
    sql`m.valid_time >= ${range.from}::timestamptz`,
    sql`m.valid_time < ${range.to}::timestamptz`,
    ...valueLevel.where(visible),
  ],
})
