import type { Column } from './column.ts'

/** The columns whose name, path or description has all the words; names that begin so come first. */
export function findColumns(
  all: readonly Column[],
  search: string,
  labelOf: (column: Column) => string,
): readonly Column[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return all
  const [first = ''] = wanted
  const found = all.filter((column) => {
    const told = `${labelOf(column)} ${column.path} ${column.description ?? ''}`.toLowerCase()
    return wanted.every((word) => told.includes(word))
  })
  const rank = (column: Column) => (labelOf(column).toLowerCase().startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}
