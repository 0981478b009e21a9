import { all, empty, join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import { versionOfDataset } from '../../../storage/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import { dataType, measurement, parent, station } from '../../catalogue/groups.ts'
import type { Found } from '../../catalogue/find-field.ts'
import type { Group } from '../../catalogue/groups.ts'
import type { Level, Order } from '../../catalogue/levels.ts'
import { dataTypes, stationsOf } from '../../datasets.ts'
import { compileWhere } from '../../where/compile.ts'
import type { Resolved } from '../../where/resolve.ts'
import type { WrittenAnswers } from '../write-whole.ts'
import { areNumbers, kindsOfSeries, readKinds, unpackPlain } from './packing.ts'
import type { ValueKinds } from './packing.ts'

/** Some rows in the order of the response. */
export type Part = {
  readonly rows: readonly TextRow[]
  readonly isLast: boolean
  /** Responses that were written from the same rows before, if they are cached. */
  readonly written?: WrittenAnswers
}

/** Number of rows that a response may need, and how many of them the first statement reads. */
export type RowDemand = { readonly rows: number; readonly first: number }

/**
 * Number of rows per statement. It limits memory, and what is unpacked while other requests wait. A
 * response of at most this many rows is sent in one piece, with its length.
 */
export const pageSize = 8_000

/**
 * Returns the demand for an offset and a limit. Skipped rows are not sent, so the first statement
 * reads them, too, as far as it can.
 */
export function demandOf(offset: number, limit: number): RowDemand {
  const rows = offset + limit
  return { rows, first: Math.min(rows, pageSize) }
}

/**
 * A query of values in two steps: first the series are chosen, with all conditions on them, then
 * their values are read. So the values, of which there are many, need no joins.
 */
export type Stages = {
  readonly series: {
    readonly from: Sql
    readonly where: Sql
    /** The order of the response without the time, which series do not have. */
    readonly order: readonly Sql[]
  }
  readonly values: {
    /** A relation with the columns series_id and valid_time. */
    readonly relation: Sql
    /** Joins that the conditions need. */
    readonly joins: Sql
    readonly range: { readonly from: string; readonly to: string } | undefined
    readonly where: Sql
  }
}

type Parts = {
  readonly level: Level
  readonly visible: Sql
  /** Conditions of the path and of `origin`. */
  readonly selected: readonly Sql[]
  /** Relations of the fields that are shown or tested. */
  readonly groups: readonly Group[]
  readonly wanted: Resolved | undefined
  readonly order: Order
  /** If values are reduced, they may be joined to what a test needs. They are then in no order. */
  readonly reduction: object | undefined
}

/**
 * Splits a query into its two steps.
 * @returns undefined if the level chooses no series beforehand, or if a test needs a series and its
 * value together and nothing is reduced
 */
export function toStages(parts: Parts): Stages | undefined {
  const { level, groups, wanted } = parts
  const { chosen, range } = level
  const series = toSeries(parts)
  const isMixed = conjunctsOf(wanted).some((test) => stageOf(test) === undefined)
  if (chosen === undefined || series === undefined) return undefined
  if (isMixed && parts.reduction === undefined) return undefined
  const of = (stage: Stage | undefined) => testsOf(wanted, stage)
  return {
    series,
    values: {
      relation: chosen.values,
      joins: isMixed ? joinsOf(groups) : empty,
      range,
      where: all([...of('values'), ...of(undefined)]),
    },
  }
}

/** Returns the series of a query. They may include series without any matching value. */
export function toSeries(parts: Parts): Stages['series'] | undefined {
  const { level, visible, selected, groups, wanted, order } = parts
  const { chosen } = level
  if (chosen === undefined) return undefined
  const described = groups.filter((group) => describing.includes(group))
  const conditions = described.map(({ condition }) => condition)
  return {
    from: described.reduce((from, { join }) => sql`${from} ${join}`, chosen.from),
    where: all([
      ...chosen.where(visible),
      ...selected,
      ...conditions,
      ...testsOf(wanted, 'series'),
    ]),
    order: order.columns
      .filter(({ type }) => type !== 'timestamptz')
      .map(({ expression }) => expression),
  }
}

function testsOf(wanted: Resolved | undefined, stage: Stage | undefined): readonly Sql[] {
  return conjunctsOf(wanted).flatMap((test) =>
    stageOf(test) === stage ? [compileWhere(test)] : [],
  )
}

/** Joins values to their descriptions and provenance. */
function joinsOf(groups: readonly Group[]): Sql {
  return groups.reduce(
    (joins, group) => sql`${joins} ${group.join}`,
    sql`
      join series as x on x.id = m.series_id
      join station as s on s.id = x.station_id
      join data_type as t on t.id = x.data_type_id`,
  )
}

const describing: readonly Group[] = [station, parent, dataType]

type Stage = 'series' | 'values'

function conjunctsOf(condition: Resolved | undefined): readonly Resolved[] {
  if (condition === undefined) return []
  return condition.kind === 'and' ? condition.of.flatMap(conjunctsOf) : [condition]
}

/**
 * Returns the stage at which a condition can be tested, or undefined if no single stage has all of
 * its fields.
 */
function stageOf(condition: Resolved): Stage | undefined {
  if (condition.kind !== 'test') {
    const [first, ...others] = new Set(condition.of.map(stageOf))
    return others.length === 0 ? first : undefined
  }
  if (isOfSeries(condition.found)) return 'series'
  return condition.found.group === measurement ? 'values' : undefined
}

/** Reports whether a field is the same for all values of a series. */
export function isOfSeries({ group, field }: Found): boolean {
  return describing.includes(group) || field.isOfSeries === true
}

/** Series in the order of the response. Each is identified by its position. All ids are texts. */
export type ChosenSeries = {
  readonly ids: readonly string[]
  readonly stations: readonly string[]
  readonly dataTypes: readonly string[]
  /** Seconds between the values of each series. */
  readonly periods: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly kinds: ValueKinds
  readonly share: Share
  /**
   * Version of everything that series can be chosen by. As long as it is the same, so is the
   * choice.
   */
  readonly catalogue: string
  /** State from which changes of stations are followed. A part of a choice is not followed. */
  readonly followed?: Followed
  /** An earlier catalogue with the same choice, and the stations that have changed since. */
  readonly before?: Before | undefined
  /**
   * Versions of the shown datasets, of the same state as the choice. Only if they were requested
   * with it.
   */
  readonly versions?: string | undefined
}

export type Followed = {
  /** The snapshot of the choice. Changes by transactions that were still open then are missing. */
  readonly snapshot: string
  /** All station types at that time, as a PostgreSQL array. */
  readonly types: string
}

export type Before = { readonly catalogue: string; readonly changed: ReadonlySet<string> }

/**
 * The share of the chosen series in all series. It decides by which index their values are read.
 * `marks` is a PostgreSQL array in which the elements of the chosen series are true.
 */
type Share =
  | { readonly kind: 'few' }
  | { readonly kind: 'some'; readonly marks: string }
  | { readonly kind: 'most' }

/**
 * Limits on the series that are held in memory. The limit for texts and JSON, which may be long, is
 * lower.
 */
export const seriesLimits = { numbers: 50_000, others: 10_000 } as const

/**
 * Makes a new choice, which is undefined if there are too many series to hold in memory. Also
 * returns the state of the choice.
 */
export async function chooseSeries(
  database: Queryable,
  { series }: Stages,
  versions: Sql | undefined,
): Promise<{ readonly chosen: ChosenSeries | undefined; readonly followed: Followed }> {
  const [row] = await database.texts(sql`
    select ${stateOf(versions)}, (select max(id) from series), ${kindsOfSeries(sql`kind`)},
      array_agg(id), array_agg(station_id), array_agg(data_type_id), array_agg(period)
    from (
      select x.id, x.station_id, x.data_type_id, x.period, x.kind
      from ${series.from} where ${series.where}
      order by ${join(series.order, ', ')} limit ${seriesLimits.numbers + 1}::integer
    ) as chosen`)
  const [highest, kind, ...lists] = row?.slice(stateColumns) ?? []
  const kinds = readKinds(kind)
  const [ids = [], stations = [], dataTypes = [], periods = []] = lists.map(textsOf)
  const state = readState(row)
  const { followed } = state
  if (ids.length > (areNumbers(kinds) ? seriesLimits.numbers : seriesLimits.others))
    return { chosen: undefined, followed }
  const share = shareOf(ids, Number(highest ?? 0))
  const placeOf = placesOf(ids)
  return {
    chosen: { ids, stations, dataTypes, periods, placeOf, kinds, share, ...state },
    followed,
  }
}

/** Selects the state that a choice is made in. */
export function stateOf(versions: Sql | undefined): Sql {
  return sql`${catalogue}, pg_current_snapshot(), array(select type from station_types() as type),
    ${versions ?? sql`null`}`
}

export const stateColumns = 4

export function readState(row: TextRow | undefined) {
  const [version, snapshot, types, versions] = row ?? []
  return {
    catalogue: version ?? '',
    followed: { snapshot: snapshot ?? '', types: types ?? '' },
    versions: versions ?? undefined,
  }
}

/** Returns the version of the data types in a version of the catalogue. */
export function dataTypesOf(version: string): string {
  return version.slice(0, version.indexOf(' '))
}

/**
 * Selects the version of the catalogue. A new series changes its station, and a changed station
 * changes the stations that show it (`recordStationChanges`).
 */
export const catalogue: Sql = sql`(
  select concat(${versionOfDataset(sql`${dataTypes}`)}, ' ',
    string_agg(${versionOfDataset(sql`${stationsOf('')} || type`)}, ' ' order by type))
  from station_types() as type)`

/**
 * Length of a long range in milliseconds. In a shorter range, the values of all series are close
 * together in the order of time; in a longer one, more values of each series are together in the
 * primary key, with their numbers.
 */
export const longRange = 6 * 3_600_000

/** If fewer than one in this many series are chosen, values are read series by series. */
const few = 8

/**
 * If more than one in this many series are chosen, reading the remaining ones, too, costs less than
 * separating them.
 */
const most = 2

/**
 * Returns the share of the series. Ids are assigned consecutively and never change, so the highest
 * one is the number of series.
 */
function shareOf(ids: readonly string[], highestId: number): Share {
  if (ids.length * few < highestId) return { kind: 'few' }
  return ids.length * most > highestId
    ? { kind: 'most' }
    : { kind: 'some', marks: marksOf(ids, highestId) }
}

function marksOf(ids: readonly string[], highestId: number): string {
  const marks = new Array<string>(highestId).fill('f')
  for (const id of ids) marks[Number(id) - 1] = 't'
  return `{${marks.join(',')}}`
}

/** Unpacks an array. An aggregate over no rows is null. */
export function textsOf(list: string | null): readonly string[] {
  return list === null ? [] : unpackPlain(list)
}

/** Returns the series from `start` up to but not including `end`, as a choice of its own. */
export function partOf(series: ChosenSeries, start?: number, end?: number): ChosenSeries {
  const ids = series.ids.slice(start, end)
  return {
    ...series,
    ids,
    stations: series.stations.slice(start, end),
    dataTypes: series.dataTypes.slice(start, end),
    periods: series.periods.slice(start, end),
    placeOf: placesOf(ids),
    share: { kind: 'few' },
  }
}

function placesOf(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, place) => [id, place]))
}
