import type { Context } from './context.ts'

type Cell = string | number | null | readonly string[] | Date | boolean
export type PrintedRow = Readonly<Record<string, Cell>>

/** Options of commands that list. */
export type ListOptions = { readonly json?: true }

/** Prints rows as aligned columns for people, or as one JSON array for programs. */
export function printRows(
  { print }: Pick<Context, 'print'>,
  rows: readonly PrintedRow[],
  { json }: ListOptions,
): void {
  if (json === true) {
    print(JSON.stringify(rows, null, 2))
    return
  }
  const [first] = rows
  if (first === undefined) {
    print('(none)')
    return
  }
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => shown(row[name] ?? null)))]
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines) {
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

function shown(cell: Cell): string {
  if (cell === null) return '-'
  if (cell instanceof Date) return cell.toISOString()
  const text = typeof cell === 'object' ? cell.join(',') : String(cell)
  // What a name holds must not be able to steer the terminal.
  return text === '' ? '-' : text.replace(/\p{Cc}/gu, '?')
}
