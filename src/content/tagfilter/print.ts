import type { TagFilter } from './ast.ts'

/** The canonical text; reading it gives the same filter. */
export function printTagFilter({ kind, tags }: TagFilter): string {
  return `${kind === 'all' ? 'and' : 'or'}(${tags.join(',')})`
}
