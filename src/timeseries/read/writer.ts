import type { TextRow } from '../../storage/index.ts'

/** Writes the `data` of an answer, piece by piece: the rows of a page, and what closes the last one. */
export type Writer = {
  readonly rows: (rows: readonly TextRow[]) => string
  readonly end: () => string
}
