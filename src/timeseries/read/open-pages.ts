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

/** Where in the rows of the pages everything stands. */
export type Cells = {
  /** Of each shown field. */
  readonly shown: readonly Cell[]
  readonly timestamp: Cell
  /** Of the keys of the tree. */
  readonly keys: readonly Cell[]
  /** Null where a row has no entry in the list of the tree. */
  readonly present: Cell
}

export type Opened = {
  readonly pages: AsyncGenerator<Page, void, undefined>
  readonly cells: Cells
  /** Of which kinds the values are, where that is known of itself. */
  readonly kinds?: ValueKinds
}

/** Where rows are read, and what is remembered of reads before. */
export type Reads = {
  readonly database: Queryable
  readonly chooseSeries: ChooseSeries
  readonly descriptions: Descriptions
  readonly latest: LatestMemory
  /** What buckets that are not made of rollups have brought back. */
  readonly cold?: ColdMonths
  /** How the rows of a plan are read; `openPages` when it is left out. */
  readonly open?: (reads: Reads, plan: ReadPlan) => Promise<Opened>
}

/** Bytes, unless stated otherwise. */
const usualMemory = 33_554_432

/** Reads that remember what they choose, what describes it, and its latest values. */
export function rememberReads(database: Queryable, answerMemory = usualMemory): Reads {
  return {
    database,
    chooseSeries: rememberChoices(database),
    descriptions: rememberDescriptions(),
    latest: rememberLatest(2 * answerMemory),
  }
}

/** Series are chosen again this many times; after that they change faster than they are read. */
const mostTries = 3

/**
 * Chooses how the rows of a plan are read: in two steps, or in one if that is the only way. The first
 * page is read here, and says whether the series are still those that would be chosen.
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
    const whenStale = tries < mostTries ? 'stop' : 'continue'
    const pages = loadValues(database, { plan, stages, series, layout, memory, cold, whenStale })
    const first = await pages.next()
    if (first.value?.isStale === true && tries < mostTries) continue
    return {
      pages: beginningWith(first, pages),
      cells: { ...layout, timestamp: { index: at.time }, present: { index: at.station } },
      kinds: series.kinds,
    }
  }
}

/** Of a list of so few stations all is read by one statement sooner than it is found what of all has changed. */
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
 * Buckets and points are made series by series.
 * @throws AppError HUB-QRY-001 where rows are not single values, or of too many series
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

/** Rows that begin with the columns of their order and the mark for an entry of the tree. */
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
