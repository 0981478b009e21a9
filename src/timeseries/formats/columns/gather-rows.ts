import type { TextRow } from '../../../storage/index.ts'
import { readerOf } from '../../read/cell.ts'
import { isShared } from './to-vector.ts'
import type { TypedColumn } from './typed-column.ts'

/** Rows and characters of texts at most that are written as one piece: what is held in memory. */
const largest = { rows: 16_384, characters: 1_000_000 } as const

type Gathering = {
  readonly columns: readonly TypedColumn[]
  readonly showNull: boolean
}

/** Gathers rows until there are enough of them for a piece of columns. */
export function gatherRows({ columns, showNull }: Gathering) {
  const readers = columns.map(({ cell }) => readerOf(cell))
  const isShown = (row: TextRow) =>
    showNull || readers.some((read) => (read(row) ?? undefined) !== undefined)
  const charactersOf = characterCounter(columns)
  let rows: TextRow[] = []
  let characters = 0
  return {
    /** As in the other formats, a row of which nothing is shown is left out (reference 1.12). */
    add: (more: readonly TextRow[]) => {
      for (const row of more) {
        if (!isShown(row)) continue
        rows.push(row)
        characters += charactersOf(row)
      }
    },
    isEnough: () => rows.length >= largest.rows || characters >= largest.characters,
    take: (): readonly TextRow[] => {
      const taken = rows
      rows = []
      characters = 0
      return taken
    },
  }
}

/** What rows share is written once, so it does not count. */
function characterCounter(columns: readonly TypedColumn[]): (row: TextRow) => number {
  const readers = columns
    .filter((column) => column.kind.endsWith('json') || column.kind === 'text')
    .filter((column) => !isShared(column))
    .map(({ cell }) => readerOf(cell))
  if (readers.length === 0) return () => 0
  return (row) => readers.reduce((sum, read) => sum + (read(row)?.length ?? 0), 0)
}
