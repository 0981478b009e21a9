import { join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable } from '../../../storage/index.ts'
import { dataTypes, stationsOf } from '../../datasets.ts'
import { unpackPlain } from './packing.ts'
import type { Stages } from './stages.ts'
import { areNumbers, kindsOfSeries, readKinds } from './value-kinds.ts'
import type { ValueKinds } from './value-kinds.ts'

/** Series in the order of the answer; a series is named by its place in it. All ids are texts. */
export type ChosenSeries = {
  readonly ids: readonly string[]
  readonly stations: readonly string[]
  readonly dataTypes: readonly string[]
  /** Seconds between the values of each. */
  readonly periods: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly kinds: ValueKinds
  readonly share: Share
  /** Of the datasets, of the same snapshot. */
  readonly versions: string
  /** Of everything that series can be chosen by: as long as it is the same, so is the choice. */
  readonly catalogue: string
}

/**
 * Which part of all series they are: decides by which index their values are read. `marks` is an array of
 * PostgreSQL in which the elements of the chosen series are true.
 */
type Share =
  | { readonly kind: 'few' }
  | { readonly kind: 'some'; readonly marks: string }
  | { readonly kind: 'most' }

/** Of more series than these nothing is held in memory; of texts and JSON, which may be long, of fewer. */
export const seriesLimits = { numbers: 50_000, others: 10_000 } as const

/** @returns undefined when there are too many to be held in memory */
export async function chooseSeries(
  database: Queryable,
  { series }: Stages,
  versions: Sql,
): Promise<ChosenSeries | undefined> {
  const [row] = await database.texts(sql`
    select ${versions}, ${catalogue}, (select max(id) from series), ${kindsOfSeries(sql`kind`)},
      array_agg(id), array_agg(station_id), array_agg(data_type_id), array_agg(period)
    from (
      select x.id, x.station_id, x.data_type_id, x.period, x.kind
      from ${series.from} where ${series.where}
      order by ${join(series.order, ', ')} limit ${seriesLimits.numbers + 1}::integer
    ) as chosen`)
  const [version, chosenFrom, highest, kind, ...lists] = row ?? []
  const kinds = readKinds(kind)
  const [ids = [], stations = [], dataTypes = [], periods = []] = lists.map(textsOf)
  if (ids.length > (areNumbers(kinds) ? seriesLimits.numbers : seriesLimits.others))
    return undefined
  return {
    ids,
    stations,
    dataTypes,
    periods,
    placeOf: placesOf(ids),
    kinds,
    share: shareOf(ids, Number(highest ?? 0)),
    versions: version ?? '',
    catalogue: chosenFrom ?? '',
  }
}

/** A new series changes its station, and a station those that show it (`recordStationChanges`). */
export const catalogue: Sql = sql`(
  select concat(dataset_version(${dataTypes}), ' ',
    string_agg(dataset_version(${stationsOf('')} || type), ' ' order by type))
  from station_types() as type)`

/** Of fewer than one in so many series the values are read series by series. */
const few = 8

/** Of more than one in so many it costs less to read the others, too, than to tell them apart. */
const most = 2

/** Ids are given one after the other and stay, so the highest says how many series there are. */
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

/** Nothing at all is aggregated to null. */
function textsOf(list: string | null): readonly string[] {
  return list === null ? [] : unpackPlain(list)
}

/** The series from one place on and before another, as a choice of its own. */
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
