import { join, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import type { Queryable, TextRow } from '../../../storage/index.ts'
import { walkReduced } from '../../buckets/walk-reduced.ts'
import type { Page } from '../load-pages.ts'
import type { ReadPlan } from '../plan.ts'
import type { ChosenSeries } from './choose-series.ts'
import type { ValueLayout } from './lay-out.ts'
import { wantedOf } from './part.ts'
import type { Part, Wanted } from './part.ts'
import type { Stages } from './stages.ts'
import { rowsOfSeries } from './value-rows.ts'
import { valueStatement } from './value-statement.ts'
import type { Load, Run, ValueReading } from './value-statement.ts'
import { walkSeries } from './walk-series.ts'
import { walkTime } from './walk-time.ts'

type Chosen = {
  readonly plan: ReadPlan
  readonly stages: Stages
  readonly series: ChosenSeries
  readonly layout: ValueLayout
}

/**
 * Reads the values of chosen series in pages, each a short statement of its own (decision D9). Once a
 * stream runs, the database reads the next page while this one is written.
 */
export async function* loadValues(
  database: Queryable,
  { plan, stages, series, layout }: Chosen,
): AsyncGenerator<Page, void, undefined> {
  if (series.ids.length === 0) {
    yield { rows: [], isLast: true, versions: series.versions }
    return
  }
  const reading = { values: stages.values, series, packed: layout.packed }
  const { run, versions } = createRun(database, plan, series)
  const limit = plan.limit ?? Number.POSITIVE_INFINITY
  const wanted = wantedOf(plan.offset, limit)
  const isAllShown = plan.limit === undefined || series.ids.length <= fewSeries
  const early = isAllShown ? describeAll(database, series, layout) : undefined
  let [skip, remaining] = [plan.offset, limit]
  for await (const part of ahead(walkRows(plan, { run, reading, wanted, layout }))) {
    const rows = part.rows.slice(skip, skip + remaining)
    skip = Math.max(0, skip - part.rows.length)
    remaining -= rows.length
    await early
    await layout.describe(database, rows)
    if (rows.length > 0 || part.isLast) yield { rows, isLast: part.isLast, versions: versions() }
  }
}

/** What describes so many series, or what is shown as a whole, is read while the first values are. */
const fewSeries = 500

function describeAll(database: Queryable, series: ChosenSeries, layout: ValueLayout) {
  const described = layout.describe(database, rowsOfSeries(series))
  // Who stops reading is not told of a failure; who reads on is, when it is awaited.
  described.catch(() => undefined)
  return described
}

type Walking = {
  readonly run: Run
  readonly reading: ValueReading
  readonly wanted: Wanted
  readonly layout: ValueLayout
}

function walkRows(plan: ReadPlan, { run, reading, wanted, layout }: Walking) {
  const { structure, reduction, zone, shown } = plan
  if (reduction !== undefined) {
    const asked = { structure, zone, shown, cells: layout.shown }
    return walkReduced(reduction, asked, { run, reading, wanted })
  }
  const load: Load = (cut, grouping) =>
    run(valueStatement(reading, cut, grouping), reading.packed.length)
  return (structure === 'flat' ? walkTime : walkSeries)(load, reading, wanted)
}

/**
 * The first statement tells the versions of the datasets, too. If they are others than when the series
 * were chosen, the answer is of no one state, and gets a tag that no state has (decision D22).
 */
function createRun(database: Queryable, plan: ReadPlan, series: ChosenSeries) {
  let found: string | undefined
  const run: Run = async (statement, columns) => {
    if (found !== undefined) return database.texts(statement)
    const nothing = join(new Array<Sql>(columns + 2).fill(sql`null`), ', ')
    const rows = await database.texts(sql`
      select ${plan.versions}, ${nothing} union all (${statement})`)
    const isVersions = ([, count]: TextRow) => count === null
    found = rows.find(isVersions)?.[0] ?? ''
    return rows.filter((row) => !isVersions(row))
  }
  const versions = () => [...new Set([series.versions, found ?? ''])].join(' ')
  return { run, versions }
}

/** Has each part read while the one before it is used. */
async function* ahead(parts: AsyncGenerator<Part, void, undefined>) {
  let coming = parts.next()
  for (;;) {
    const { value, done } = await coming
    if (done === true) return
    coming = parts.next()
    // Who stops reading is not told of a failure; who reads on is, when the part is awaited.
    coming.catch(() => undefined)
    yield value
  }
}
