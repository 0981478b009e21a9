import type { Series, Value } from '../series/series.ts'
import type { Window } from '../range/range.ts'
import type { Samples } from '../values/samples.ts'

/** A column of the table: a series, or one of the three aggregates of its buckets. */
export type TableColumn = {
  readonly series: Series
  readonly figure: 'value' | 'average' | 'least' | 'greatest'
}

export type TableRow = { readonly time: number; readonly cells: readonly (Value | undefined)[] }

/**
 * Returns the columns of the shown series: three for a series whose values are aggregates of
 * buckets.
 */
export function columnsOf(
  series: readonly Series[],
  samples: ReadonlyMap<string, Samples>,
): readonly TableColumn[] {
  return series.flatMap((one): readonly TableColumn[] =>
    samples.get(one.key)?.low === undefined
      ? [{ series: one, figure: 'value' }]
      : [
          { series: one, figure: 'average' },
          { series: one, figure: 'least' },
          { series: one, figure: 'greatest' },
        ],
  )
}

/**
 * Returns one row for each time within the window at which any series has a value, newest first.
 */
export function rowsOf(
  columns: readonly TableColumn[],
  samples: ReadonlyMap<string, Samples>,
  { from, to }: Window,
): readonly TableRow[] {
  const rows = new Map<number, (Value | undefined)[]>()
  for (const [place, { series, figure }] of columns.entries()) {
    const own = samples.get(series.key)
    const values = {
      value: own?.values,
      average: own?.values,
      least: own?.low,
      greatest: own?.high,
    }
    for (const [index, time] of (own?.times ?? []).entries()) {
      if (time < from || time > to) continue
      const cells = rows.get(time) ?? new Array<Value | undefined>(columns.length).fill(undefined)
      cells[place] = values[figure]?.[index]
      rows.set(time, cells)
    }
  }
  return [...rows].map(([time, cells]) => ({ time, cells })).sort((a, b) => b.time - a.time)
}

/** Formats the table as CSV for spreadsheets (RFC 4180), with times in ISO 8601, oldest first. */
export function toCsv(heads: readonly string[], rows: readonly TableRow[]): string {
  const lines = rows
    .toReversed()
    .map(({ time, cells }) => [
      new Date(time).toISOString(),
      ...cells.map((cell) =>
        typeof cell === 'object' ? JSON.stringify(cell) : String(cell ?? ''),
      ),
    ])
  return [heads, ...lines].map((line) => line.map(escape).join(',')).join('\r\n')
}

function escape(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
