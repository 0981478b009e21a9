/** A cell of the table; row -1 is the header. */
export type Place = { readonly row: number; readonly column: number }

type Size = {
  readonly rows: number
  readonly columns: number
  /** Number of rows that are visible at a time. */
  readonly page: number
}

type Key = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean }

/**
 * Returns the cell to which a key moves the focus (ARIA Authoring Practices, grid); undefined if
 * the key does not navigate.
 */
export function moveBy({ key, ctrlKey, metaKey }: Key, from: Place, size: Size): Place | undefined {
  const isFar = ctrlKey || metaKey
  switch (key) {
    case 'ArrowDown':
      return within({ ...from, row: isFar ? size.rows : from.row + 1 }, size)
    case 'ArrowUp':
      return within({ ...from, row: isFar ? -1 : from.row - 1 }, size)
    case 'ArrowRight':
      return within({ ...from, column: isFar ? size.columns : from.column + 1 }, size)
    case 'ArrowLeft':
      return within({ ...from, column: isFar ? 0 : from.column - 1 }, size)
    case 'Home':
      return within({ row: isFar ? 0 : from.row, column: 0 }, size)
    case 'End':
      return within({ row: isFar ? size.rows : from.row, column: size.columns }, size)
    case 'PageDown':
      return within({ ...from, row: from.row + size.page }, size)
    case 'PageUp':
      return within({ ...from, row: Math.max(0, from.row - size.page) }, size)
    default:
      return undefined
  }
}

function within({ row, column }: Place, { rows, columns }: Size): Place {
  return {
    row: Math.max(-1, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  }
}

/** Change of a column's width per key press, in pixels. */
const widthStep = 16

/** Returns the column width after Shift with an arrow key; undefined for any other key. */
export function widthAfter(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  width: number,
): number | undefined {
  if (!shiftKey) return undefined
  if (key === 'ArrowRight') return width + widthStep
  return key === 'ArrowLeft' ? width - widthStep : undefined
}

/** Returns the cell that contains the target of an event. */
export function placeOf(target: EventTarget | null): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset['row']
  if (cell === null || row === undefined) return undefined
  return { row: Number(row), column: Number(cell.dataset['column']) }
}

/** Returns the link of a cell, or else the link to the record in the same row. */
export function linkIn(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined
  const own = target.querySelector<HTMLElement>('a[href]')
  const ofRow = target.closest('[role=row]')?.querySelector<HTMLElement>('[role=rowheader] a[href]')
  return own ?? ofRow ?? undefined
}
