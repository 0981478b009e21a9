import { empty, join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import { walkReduced } from '../../buckets/points.ts'
import type { ColdMonths } from '../../cold/cold-months.ts'
import type { Page } from '../load-pages.ts'
import type { ReadPlan } from '../plan.ts'
import { catalogue, pageSize, partOf, demandOf } from './choose-series.ts'
import type { ChosenSeries, Part, Stages, RowDemand } from './choose-series.ts'
import { recallStations, walkLatest } from './latest-values.ts'
import type { LatestMemory } from './latest-values.ts'
import type { ValueLayout } from './lay-out.ts'
import { at, countOf, listsOf, unpackBySeries, unpackByTime, valueStatement } from './value-rows.ts'
import type { Load, Unpack, ValueReading } from './value-rows.ts'
import {
  changeOf,
  expectedLength,
  expectedValues,
  isShortest,
  shorterWindow,
  windowAfter,
  windowFrom,
  windowWithin,
} from './windows.ts'
import type { Range, Window } from './windows.ts'

/** Yields values in the order of time, then of series, window by window of the range. */
async function* walkTime(
  load: Load,
  reading: ValueReading,
  wanted: RowDemand,
): AsyncGenerator<Part, void, undefined> {
  const { series, packed, values } = reading
  const { range } = values
  const isOne = series.ids.length === 1
  const read: Read = {
    load,
    series,
    range,
    isOne,
    unpack: (isOne ? unpackBySeries : unpackByTime)(series, packed),
  }
  let remaining = wanted.rows
  let size = wanted.first
  let window = range && windowFrom(range, range.from, expectedLength(series, size))
  for (;;) {
    const found = await loadWindow(read, window, size)
    remaining -= found.rows.length
    size = Math.min(pageSize, remaining)
    window = remaining > 0 && range ? nextWindow(range, found, size) : undefined
    yield { rows: found.rows, isLast: window === undefined }
    if (window === undefined) return
  }
}

type Read = {
  readonly load: Load
  readonly series: ChosenSeries
  readonly range: Range | undefined
  /**
   * Values of a single series arrive in order. Packed by time, each of them would be a pack of its
   * own.
   */
  readonly isOne: boolean
  readonly unpack: Unpack
}

type Found = {
  readonly rows: readonly TextRow[]
  /** The window that was read: the requested one or a shorter one. */
  readonly window: Window | undefined
  /** If the window was cut: the time from which its values must still be read. */
  readonly reached: string | undefined
}

/**
 * Loads the values of a window, or the first of them. Only complete times are used, because values
 * of the same time are in no order. So the limit always leaves room for one more time.
 */
async function loadWindow(read: Read, window: Window | undefined, size: number): Promise<Found> {
  const { load, series, isOne, unpack } = read
  const limit = size + 2 * series.ids.length + 1
  const ids = isOne || series.share.kind === 'few' ? series.ids : undefined
  const cut = { ids, from: window?.from, until: window?.until, limit }
  const groups = await load(cut, isOne ? 'bySeries' : 'byTime')
  const rows = unpack(groups)
  if (countOf(groups) < limit) return { rows, window, reached: undefined }
  if (ids !== undefined && !isOne) return loadLess(read, window, size)
  const reached = isOne ? rows.at(-1)?.[at.time] : groups.at(-1)?.[0]
  const whole = rows.filter((row) => row[at.time] !== reached)
  // Series that were added after the choice can fill a whole statement.
  const isStuck = window === undefined || (whole.length === 0 && groups.length === 1)
  return isStuck
    ? loadWindow(read, window, size * 2)
    : { rows: whole, window, reached: reached ?? undefined }
}

/**
 * Repeats a read whose values were cut before they were in order: with a shorter window, or else
 * with a higher limit.
 */
function loadLess(read: Read, window: Window | undefined, size: number): Promise<Found> {
  const { range } = read
  return range === undefined || window === undefined || isShortest(window)
    ? loadWindow(read, window, size * 8)
    : loadWindow(read, shorterWindow(range, window), size)
}

function nextWindow(
  range: Range,
  { rows, window, reached }: Found,
  wanted: number,
): Window | undefined {
  if (window === undefined) return undefined
  return reached === undefined
    ? windowAfter(range, window, { found: rows.length, wanted })
    : windowWithin(range, window, reached)
}

/**
 * A statement may return this many times the needed rows. Beyond that it is repeated with fewer
 * lists.
 */
const slack = 3

/** The factor by which the number of lists is then reduced. */
const steepest = 8

/**
 * Yields values in the order of stations and data types, then of time, then of series: list by list
 * of the tree. A statement reads as many lists as should fill a page; a single list that is too
 * long is read in the order of time.
 */
async function* walkSeries(
  load: Load,
  reading: ValueReading,
  wanted: RowDemand,
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
      rows === undefined ? walkTime(load, some, demandOf(0, remaining)) : [{ rows, isLast: true }]
    for await (const part of parts) {
      remaining -= part.rows.length
      const isEnd = end === lists.length || remaining <= 0
      yield { rows: part.rows, isLast: part.isLast && isEnd }
    }
    size = Math.min(pageSize, remaining)
    count = (end - list) * changeOf(rows?.length ?? size, size)
    list = end
  }
}

/**
 * Loads the values of some lists.
 * @returns undefined if there are more than `most` values
 */
async function loadLists(
  load: Load,
  { values: { range }, series, packed }: ValueReading,
  most: number,
): Promise<readonly TextRow[] | undefined> {
  const cut = { ids: series.ids, from: range?.from, until: range?.to, limit: most + 1 }
  const groups = await load(cut, 'bySeries')
  return countOf(groups) > most ? undefined : unpackBySeries(series, packed)(groups)
}

type Chosen = {
  readonly plan: ReadPlan
  readonly stages: Stages
  readonly series: ChosenSeries
  readonly layout: ValueLayout
  readonly memory: LatestMemory
  readonly cold: ColdMonths | undefined
  /**
   * What to do if the choice is outdated. After a new choice, the next one may be outdated again.
   */
  readonly whenStale: 'stop' | 'continue'
}

/**
 * Reads the values of chosen series in pages, each by a short statement of its own (decision D9).
 * Once a stream is running, the database reads the next page while this one is written.
 */
export async function* loadValues(
  database: Queryable,
  { plan, stages, series, layout, memory, cold, whenStale }: Chosen,
): AsyncGenerator<Page, void, undefined> {
  const reading = { values: stages.values, series, packed: layout.packed }
  const { run, state } =
    series.versions === undefined ? createRun(database, plan, series) : asChosen(series.versions)
  let mayStop = whenStale === 'stop'
  if (series.ids.length === 0) {
    await run(undefined, 1)
    yield { rows: [], isLast: true, ...state() }
    return
  }
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  const wanted = demandOf(plan.offset, limit)
  const isAllShown = plan.limit === undefined || series.ids.length <= fewSeries
  const early = isAllShown ? describeAll(database, layout) : undefined
  let [skip, remaining] = [plan.offset, limit]
  const since = () => state().since
  const walk = walkRows(plan, { run, reading, wanted, layout, memory, cold, since })
  const describe = async (rows: readonly TextRow[]) => {
    const described = early ?? layout.describe(database, rows)
    const [isOfChoice] = await Promise.all([described, layout.trace(database, rows)])
    return isOfChoice ? state() : outdated(state())
  }
  for await (const part of ahead(walk)) {
    const rows = part.rows.slice(skip, skip + remaining)
    skip = Math.max(0, skip - part.rows.length)
    remaining -= rows.length
    const found = mayStop && state().isStale ? state() : await describe(rows)
    if (mayStop && found.isStale) return yield { rows: [], isLast: true, ...found }
    mayStop = false
    if (rows.length === 0 && !part.isLast) continue
    yield { rows, isLast: part.isLast, written: part.written, ...found }
  }
}

/**
 * Descriptions are read together with the first values if there are at most this many series, or if
 * all of them are shown.
 */
const fewSeries = 500

function describeAll(database: Queryable, layout: ValueLayout) {
  const described = layout.describeAll(database)
  // If the reader stops, a failure is ignored. If it continues, the failure is thrown when this is
  // awaited.
  described.catch(() => undefined)
  return described
}

type Walking = {
  readonly run: ReturnType<typeof createRun>['run']
  readonly reading: ValueReading
  readonly wanted: RowDemand
  readonly layout: ValueLayout
  readonly memory: LatestMemory
  readonly cold: ColdMonths | undefined
  readonly since: () => string
}

function walkRows(plan: ReadPlan, walking: Walking) {
  const { run, reading, wanted, layout, cold } = walking
  const { structure, reduction, zone, shown, valueDatasets: datasets } = plan
  if (reduction !== undefined) {
    const asked = { structure, zone, shown, cells: layout.shown }
    return walkReduced(reduction, asked, { run, reading, wanted, cold })
  }
  if (plan.level.dataType === undefined) return walkStations(walking)
  if (reading.values.range === undefined) return walkLatest({ ...walking, structure, datasets })
  const load: Load = (cut, grouping) =>
    run(valueStatement(reading, cut, grouping), reading.packed.length)
  return (structure === 'flat' ? walkTime : walkSeries)(load, reading, wanted)
}

/** Yields stations. Nothing is read but their descriptions. */
async function* walkStations({
  run,
  reading: { series },
  wanted,
  memory,
}: Walking): AsyncGenerator<Part, void, undefined> {
  await run(undefined, 0)
  const { rows, written } = recallStations(memory, series)
  const end = Math.min(wanted.rows, rows.length)
  for (let from = 0; from < end; from += pageSize) {
    const part = {
      rows: rows.slice(from, Math.min(from + pageSize, end)),
      isLast: from + pageSize >= end,
    }
    yield from === 0 && part.isLast ? { ...part, written } : part
  }
}

/**
 * Returns a function that runs statements. The first one also reads the versions of the datasets,
 * and the version of the catalogue that the series were chosen by: if it has changed, the choice is
 * stale. A response with a stale choice is of no single state, and gets an entity tag that no state
 * has (decision D22).
 */
function createRun(
  database: Queryable,
  { versions }: ReadPlan,
  { catalogue: chosenBy }: ChosenSeries,
) {
  let found: readonly string[] | undefined
  const run = async (statement: Sql | undefined, columns: number) => {
    if (found !== undefined) return statement === undefined ? [] : database.texts(statement)
    const nothing = join(new Array<Sql>(columns + 2).fill(sql`null`), ', ')
    const rows = await database.texts(sql`
      select concat(${versions}, chr(10), ${catalogue}, chr(10), pg_snapshot_xmin(pg_current_snapshot())),
        ${nothing}
      ${statement === undefined ? empty : sql`union all (${statement})`}`)
    const isState = ([, count]: TextRow) => count === null
    found = rows.find(isState)?.[0]?.split('\n') ?? []
    return rows.filter((row) => !isState(row))
  }
  const state = () => {
    const [current = '', present, since = ''] = found ?? []
    const read = { isStale: false, since, versions: current }
    return present === chosenBy ? read : outdated(read)
  }
  return { run, state }
}

/** Replaces `createRun` if the choice has already read the versions and nothing else is read. */
function asChosen(versions: string): ReturnType<typeof createRun> {
  return { run: () => Promise.resolve([]), state: () => ({ isStale: false, since: '', versions }) }
}

/** Marks a state as stale: what was read is of no single state. */
function outdated<Read extends { readonly versions: string }>(read: Read) {
  return { ...read, isStale: true, versions: `${read.versions} of a stale choice` }
}

/** Reads each part while the previous one is used. */
async function* ahead(parts: AsyncGenerator<Part, void, undefined>) {
  let coming = parts.next()
  for (;;) {
    const { value, done } = await coming
    if (done === true) return
    coming = parts.next()
    // If the reader stops, a failure is ignored. If it continues, the failure is thrown when the
    // part is awaited.
    coming.catch(() => undefined)
    yield value
  }
}
