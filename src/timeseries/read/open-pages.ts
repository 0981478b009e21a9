import { AppError } from '../../errors/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { ColdMonths } from '../cold/cold-months.ts'
import type { Cell } from '../../tables/index.ts'
import { loadPages, toSelection } from './load-pages.ts'
import type { Page } from './load-pages.ts'
import type { ReadPlan } from './plan.ts'
import { layOutValues, rememberDescriptions } from './values/lay-out.ts'
import type { Descriptions } from './values/lay-out.ts'
import { rememberLatest } from './values/latest-values.ts'
import type { LatestMemory } from './values/latest-values.ts'
import { loadValues } from './values/load-values.ts'
import { seriesLimits } from './values/choose-series.ts'
import type { ChosenSeries } from './values/choose-series.ts'
import type { ValueKinds } from './values/packing.ts'
import { rememberChoices } from './values/remember-choices.ts'
import type { ChooseSeries } from './values/remember-choices.ts'
import { at } from './values/value-rows.ts'

/** Positions of all cells in the rows of the pages. */
export type Cells = {
  /** Cells of the shown fields. */
  readonly shown: readonly Cell[]
  readonly timestamp: Cell
  /** Cells of the keys of the tree. */
  readonly keys: readonly Cell[]
  /** Cell that is null if a row has no entry in the list of the tree. */
  readonly present: Cell
}

export type Opened = {
  readonly pages: AsyncGenerator<Page, void, undefined>
  readonly cells: Cells
  /** Kinds of the values, if they are known without another query. */
  readonly kinds?: ValueKinds
}

/** Where rows are read from, and the caches of earlier queries. */
export type Reads = {
  readonly database: Queryable
  readonly chooseSeries: ChooseSeries
  readonly descriptions: Descriptions
  readonly latest: LatestMemory
  /** Cold months, from which buckets that are not computed from rollups bring values back. */
  readonly cold?: ColdMonths
  /** Opens the rows of a plan. The default is `openPages`. */
  readonly open?: (reads: Reads, plan: ReadPlan) => Promise<Opened>
}

/** Default of `answerMemory` in bytes. */
const defaultMemory = 33_554_432

/** Creates reads that cache the chosen series, their descriptions and their latest values. */
export function rememberReads(database: Queryable, answerMemory = defaultMemory): Reads {
  return {
    database,
    chooseSeries: rememberChoices(database),
    descriptions: rememberDescriptions(),
    latest: rememberLatest(2 * answerMemory),
  }
}

/** How many times series are chosen. After that they change faster than they can be read. */
const maxTries = 3

/**
 * Opens the rows of a plan: in two steps, or in one step if that is the only way. Reads the first
 * page, which shows whether the series are still those that would be chosen.
 */
export async function openPages(reads: Reads, plan: ReadPlan): Promise<Opened> {
  const isOfStations = plan.level.dataType === undefined
  const isChosen = plan.rows === 'every' && !(isOfStations && hasFewRows(plan))
  const stages = isChosen ? plan.stages : undefined
  const { database, chooseSeries, descriptions, latest: memory, cold } = reads
  const versions = isOfStations ? plan.versions : undefined
  let series: ChosenSeries | undefined
  for (let tries = 1; ; tries++) {
    series = stages && (await chooseSeries(stages, series, versions))
    if (stages === undefined || series === undefined) {
      assertReducible(plan)
      return openRows(database, plan)
    }
    const layout = layOutValues(plan, series, descriptions)
    const whenStale = tries < maxTries ? 'stop' : 'continue'
    const pages = loadValues(database, { plan, stages, series, layout, memory, cold, whenStale })
    const first = await pages.next()
    if (first.value?.isStale === true && tries < maxTries) continue
    return {
      pages: beginningWith(first, pages),
      cells: { ...layout, timestamp: { index: at.time }, present: { index: at.station } },
      kinds: series.kinds,
    }
  }
}

/**
 * Up to this number of rows, a list of stations is read by one statement: that is faster than
 * finding out which of all stations have changed.
 */
const fewRows = 500

function hasFewRows({ offset, limit }: ReadPlan): boolean {
  return offset + (limit ?? Number.POSITIVE_INFINITY) <= fewRows
}

async function* beginningWith(
  first: IteratorResult<Page, void>,
  pages: Opened['pages'],
): Opened['pages'] {
  if (first.done !== true) yield first.value
  yield* pages
}

/**
 * Asserts that a reduction can be computed. Buckets and points are computed per series.
 * @throws AppError HUB-QRY-001 if rows are not single values, or if there are too many series
 */
function assertReducible({ reduction, stages }: ReadPlan): void {
  if (reduction === undefined) return
  const [detail, hint] =
    stages === undefined
      ? [
          'points cannot be chosen from aggregates.',
          'Specify bucket, and name the aggregates in agg.',
        ]
      : [
          `At most ${seriesLimits.numbers.toLocaleString('en')} series can be reduced at once, or ${seriesLimits.others.toLocaleString('en')} where one has texts or JSON.`,
          'Name types, or choose stations in where.',
        ]
  const parameter = reduction.bucket === undefined ? 'points' : 'bucket'
  throw new AppError('HUB-QRY-001', detail, { hint, issues: [{ parameter, detail }] })
}

/**
 * Opens rows in one step. They start with the columns of their order and the mark for an entry of
 * the tree.
 */
function openRows(database: Queryable, plan: ReadPlan): Opened {
  const selection = toSelection(plan)
  const keys = selection.order.columns.map((_column, index) => ({ index }))
  return {
    pages: loadPages(database, selection),
    cells: {
      shown: selection.places.map((index) => ({ index })),
      timestamp: { index: plan.order.columns.findIndex(({ type }) => type === 'timestamptz') },
      keys,
      present: { index: keys.length },
    },
  }
}
