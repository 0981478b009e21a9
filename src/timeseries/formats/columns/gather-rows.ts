import type { TextRow } from '../../../storage/index.ts'
import { readerOf } from '../../read/cell.ts'
import { isShared } from './to-vector.ts'
import type { TypedColumn } from './typed-column.ts'

/** Rows and characters of texts at most that are written as one piece: what is held in memory. */
const largest = { rows: 16_384, characters: 1_000_000 } as const

type Gathering = {
  readonly columns: readonly TypedColumn[]
  readonly showNull: boolean
  /**
   * How often a text is written that many rows share, such as the metadata of a station: once in the
   * whole answer, or once in each piece.
   */
  readonly sharedTexts: 'once' | 'in each piece'
}

/** Gathers rows until there are enough of them for a piece of columns. */
export function gatherRows({ columns, showNull, sharedTexts }: Gathering) {
  const readers = columns.map(({ cell }) => readerOf(cell))
  const isShown = (row: TextRow) =>
    showNull || readers.some((read) => (read(row) ?? undefined) !== undefined)
  const texts = columns.filter(({ kind }) => kind.endsWith('json') || kind === 'text')
  const ownOf = ownCharacters(texts.filter((column) => !isShared(column)))
  const shared = sharedCharacters(sharedTexts === 'once' ? [] : texts.filter(isShared))
  let rows: TextRow[] = []
  let characters = 0
  return {
    /** As in the other formats, a row of which nothing is shown is left out (reference 1.12). */
    add: (more: readonly TextRow[]) => {
      for (const row of more) {
        if (!isShown(row)) continue
        rows.push(row)
        characters += ownOf(row) + shared.of(row)
      }
    },
    isEnough: () => rows.length >= largest.rows || characters >= largest.characters,
    take: (): readonly TextRow[] => {
      const taken = rows
      rows = []
      characters = 0
      shared.forget()
      return taken
    },
  }
}

/** How many characters of texts only this row has. */
function ownCharacters(columns: readonly TypedColumn[]): (row: TextRow) => number {
  const readers = columns.map(({ cell }) => readerOf(cell))
  if (readers.length === 0) return () => 0
  return (row) => readers.reduce((sum, read) => sum + (read(row)?.length ?? 0), 0)
}

/** How many characters of shared texts come with this row that no row before it in the piece has. */
function sharedCharacters(columns: readonly TypedColumn[]) {
  const known = columns.map(({ cell }) => ({
    read: readerOf(cell),
    key: cell.of?.key ?? 0,
    ids: new Set<string>(),
  }))
  const newIn = (row: TextRow, { read, key, ids }: (typeof known)[number]) => {
    const id = row[key] ?? ''
    if (ids.has(id)) return 0
    ids.add(id)
    return read(row)?.length ?? 0
  }
  return {
    of: (row: TextRow) => known.reduce((sum, one) => sum + newIn(row, one), 0),
    forget: () => {
      for (const { ids } of known) ids.clear()
    },
  }
}
