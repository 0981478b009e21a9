import type { TextRow } from '../../../storage/index.ts'
import { partOf } from './choose-series.ts'
import { pageSizes, wantedOf } from './part.ts'
import type { Part, Wanted } from './part.ts'
import { listsOf, unpackBySeries } from './value-rows.ts'
import { countOf } from './value-statement.ts'
import type { Load, ValueReading } from './value-statement.ts'
import { walkTime } from './walk-time.ts'
import { changeOf, expectedValues } from './windows.ts'

/** So many times the rows wanted are taken from one statement; for more it is tried with fewer lists. */
const slack = 3

/** And with so many times fewer. */
const steepest = 8

/**
 * Values in the order of stations and data types, then of time, then of series: list after list of the
 * tree. A statement reads as many lists as should fill a page; one that is too long by itself is read in
 * the order of time.
 */
export async function* walkSeries(
  load: Load,
  reading: ValueReading,
  wanted: Wanted,
): AsyncGenerator<Part, void, undefined> {
  const { series, values } = reading
  const lists = listsOf(series)
  let remaining = wanted.rows
  let size = wanted.first
  let count = (lists.length * size) / expectedValues(series, values.range)
  for (let list = 0; list < lists.length && remaining > 0;) {
    const end = Math.min(list + Math.max(1, Math.floor(count)), lists.length)
    const some = { ...reading, series: partOf(series, lists[list], lists[end]) }
    const rows = await loadLists(load, some, slack * size)
    if (rows === undefined && end - list > 1) {
      count = (end - list) / steepest
      continue
    }
    const parts =
      rows === undefined ? walkTime(load, some, wantedOf(0, remaining)) : [{ rows, isLast: true }]
    for await (const part of parts) {
      remaining -= part.rows.length
      const isEnd = end === lists.length || remaining <= 0
      yield { rows: part.rows, isLast: part.isLast && isEnd }
    }
    size = Math.min(pageSizes.further, remaining)
    count = (end - list) * changeOf(rows?.length ?? size, size)
    list = end
  }
}

/** @returns undefined when there are more values than are taken */
async function loadLists(
  load: Load,
  { values: { range }, series, packed }: ValueReading,
  most: number,
): Promise<readonly TextRow[] | undefined> {
  const cut = { ids: series.ids, from: range?.from, until: range?.to, limit: most + 1 }
  const groups = await load(cut, 'bySeries')
  return countOf(groups) > most ? undefined : unpackBySeries(series, packed)(groups)
}
