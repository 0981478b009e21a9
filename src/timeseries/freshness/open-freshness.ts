import type { Queryable, TextRow } from '../../storage/index.ts'
import { loadPages } from '../read/load-pages.ts'
import type { Page } from '../read/load-pages.ts'
import type { Opened, Reads } from '../read/open-pages.ts'
import type { ReadPlan } from '../read/plan.ts'
import { toSelection } from '../read/selection.ts'
import type { Selection } from '../read/selection.ts'
import { weekFields, weekGroup, weeksOf } from './level.ts'
import { week } from './week.ts'

/** Values that one statement looks at, as far as the declared periods tell; and series at most. */
const valuesAtOnce = 200_000
const seriesAtOnce = 500

/** Where the period stands among the columns of the order. */
const periodColumn = 3

/** Taken where none is declared. Seconds. */
const usualPeriod = 300

/**
 * The pages of a plan of which the week comes later: the series of each are known before any of their
 * history is read, so what `offset` skips costs next to nothing, and each statement is short.
 */
export function openFreshness({ database }: Reads, plan: ReadPlan, now: string): Opened {
  const selection = toSelection(plan)
  const width = selection.order.columns.length + selection.columns.length
  const places = plan.shown.map(({ group, field }, index) => {
    if (group.name !== weekGroup) return selection.places[index] ?? 0
    return width + weekFields.findIndex(({ name }) => name === field.name)
  })
  const keys = selection.order.columns.map((_column, index) => ({ index }))
  const shown = places.map((index) => ({ index }))
  const cells = { shown, timestamp: { index: 0 }, keys, present: { index: keys.length } }
  const id = plan.shown.findIndex(({ group }) => group.name === weekGroup)
  if (id === -1) return { pages: loadPages(database, selection), cells }
  const idColumn = selection.places[id] ?? 0
  return { pages: addWeeks(database, selection, { now, width, idColumn }), cells }
}

type Adding = { readonly now: string; readonly width: number; readonly idColumn: number }

async function* addWeeks(
  database: Queryable,
  selection: Selection,
  { now, width, idColumn }: Adding,
): AsyncGenerator<Page, void, undefined> {
  for await (const { rows, isLast, versions } of loadPages(database, selection)) {
    const parts = inParts(rows)
    for (const [index, part] of parts.entries()) {
      const ids = part.map((row) => row[idColumn] ?? '')
      const found = ids.length === 0 ? [] : await database.texts(weeksOf(now, ids))
      const weeks = new Map(found.map(([id, ...of]) => [id, of]))
      yield {
        rows: part.map((row) => [
          ...row.slice(0, width),
          ...(weeks.get(row[idColumn] ?? '') ?? nothing),
        ]),
        isLast: isLast && index === parts.length - 1,
        versions: index === 0 ? versions : undefined,
      }
    }
  }
}

/** A series never goes away, but who knows. */
const nothing: TextRow = weekFields.map(() => null)

/** Rows that are looked up together; at least one part, which may be empty. */
function inParts(rows: readonly TextRow[]): readonly (readonly TextRow[])[] {
  const parts: TextRow[][] = [[]]
  let expected = 0
  for (const row of rows) {
    const values = week / (Number(row[periodColumn]) || usualPeriod)
    const part = parts.at(-1) ?? []
    if (part.length > 0 && (expected + values > valuesAtOnce || part.length >= seriesAtOnce)) {
      parts.push([row])
      expected = values
    } else {
      part.push(row)
      expected += values
    }
  }
  return parts
}
