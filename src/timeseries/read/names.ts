import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'

/** The names that a list in a path stands for: those in it, or all (reference 1.1). */
export type Names =
  { readonly kind: 'all' } | { readonly kind: 'some'; readonly names: readonly string[] }

/** Reads a list segment: names between commas, compared exactly; a star among them means all. */
export function parseNames(segment: string): Names {
  const names = segment
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.includes('*') ? { kind: 'all' } : { kind: 'some', names: [...new Set(names)] }
}

/** The condition that a column holds one of the names. */
export function isNamed(column: Sql, wanted: Names): readonly Sql[] {
  return wanted.kind === 'all' ? [] : [sql`${column} = any(${wanted.names}::text[])`]
}
