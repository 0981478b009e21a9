import type { Queryable } from '../../storage/index.ts'
import type { Cell } from './cell.ts'
import { loadPages } from './load-pages.ts'
import type { Page } from './load-pages.ts'
import type { ReadPlan } from './plan.ts'
import { toSelection } from './selection.ts'
import { layOutValues } from './values/lay-out.ts'
import { loadValues } from './values/load-values.ts'
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

type Opened = { readonly pages: AsyncGenerator<Page, void, undefined>; readonly cells: Cells }

/** Where rows are read. */
export type Reads = { readonly database: Queryable; readonly chooseSeries: ChooseSeries }

/** Chooses how the rows of a plan are read: in two steps, or all in one where there is no other way. */
export async function openPages(reads: Reads, plan: ReadPlan): Promise<Opened> {
  const { stages, versions } = plan
  const { database, chooseSeries } = reads
  const series = stages && (await chooseSeries(stages, versions))
  if (stages === undefined || series === undefined) return openRows(database, plan)
  const layout = layOutValues(plan, series)
  return {
    pages: loadValues(database, { plan, stages, series, layout }),
    cells: { ...layout, timestamp: { index: at.time }, present: { index: at.station } },
  }
}

/** Rows that begin with the columns of their order and the mark for an entry of the tree. */
function openRows(database: Queryable, plan: ReadPlan): Opened {
  const selection = toSelection(plan)
  const keys = selection.order.columns.map((_column, index) => ({ index }))
  return {
    pages: loadPages(database, selection),
    cells: {
      shown: selection.places.map((index) => ({ index })),
      timestamp: { index: plan.level.timestamp?.key ?? 0 },
      keys,
      present: { index: keys.length },
    },
  }
}
