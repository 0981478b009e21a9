import type { TextRow } from '../../../storage/index.ts'

/** Some rows in the order of the answer. */
export type Part = { readonly rows: readonly TextRow[]; readonly isLast: boolean }

/** How many rows an answer may need, and how many of them at once at first. */
export type Wanted = { readonly rows: number; readonly first: number }

/**
 * Rows of the first statement, few, so that an answer begins soon; and of each further one: what is held
 * in memory, and what is unpacked while others wait for their turn.
 */
export const pageSizes = { first: 4000, further: 8_000 } as const

/** Rows that are skipped are no answer yet, so the first statement reads them, too, as far as it can. */
export function wantedOf(offset: number, limit: number): Wanted {
  const rows = offset + limit
  return { rows, first: Math.min(rows, offset + pageSizes.first, pageSizes.further) }
}
