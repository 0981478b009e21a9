import { LanguageError } from '../lang/index.ts'
import type { Cursor } from '../lang/index.ts'
import { sql } from '../sql/index.ts'
import { idKey } from './table.ts'
import type { OrderKey } from './entity.ts'
import {
  acceptSign,
  openSource,
  printField,
  readField,
  rejectedText,
  skipBlanks,
  sortedAt,
  toStoredField,
} from './rawfilter/index.ts'
import type { Field, Scope, StoredField } from './rawfilter/index.ts'

type SortKey = { readonly field: Field; readonly direction: 'ascending' | 'descending' }

/** A parsed `rawsort`, with the most significant key first. */
export type RawSort = { readonly keys: readonly SortKey[] }

const maxKeys = 20

/**
 * Parses `rawsort`: rawsort = key , { "," key } (reference content.md 2.1).
 * @throws AppError HUB-QRY-006 with the position, what was expected and a hint
 */
export function parseRawSort(text: string): RawSort {
  try {
    const cursor = openSource(text)
    skipBlanks(cursor)
    const keys = [readKey(cursor)]
    while (acceptSign(cursor, ',')) {
      if (keys.length === maxKeys) throw cursor.fail(`at most ${maxKeys} fields`)
      keys.push(readKey(cursor))
    }
    skipBlanks(cursor)
    if (!cursor.isAtEnd()) throw cursor.fail('","', 'the end')
    return { keys }
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    throw rejectedText('rawsort', error)
  }
}

/** key = [ "-" ] , field */
function readKey(cursor: Cursor): SortKey {
  const direction = cursor.accept('-') ? 'descending' : 'ascending'
  skipBlanks(cursor)
  return { field: readField(cursor), direction }
}

/**
 * Compiles the sort keys (reference content.md 2.3): the JSON at each field, in PostgreSQL's order
 * of jsonb, where a missing value is greater than all others. The keys alone are not a total order;
 * the plan appends the identifier (decision D4).
 */
export function compileRawSort({ keys }: RawSort, scope: Scope): readonly OrderKey[] {
  return keys.map((key) => compileKey(key, scope))
}

function compileKey({ field, direction }: SortKey, scope: Scope): OrderKey {
  const stored = toStoredField(field, scope)
  if (isIdentifier(stored)) return { ...idKey, direction }
  return {
    name: `rawsort ${stored.names.join('.')}`,
    value: sortedAt(stored),
    type: 'jsonb',
    // Extracted from the record only once, because unpacking the record dominates the cost of
    // sorting.
    comparable: (value) =>
      sql`(select row(value is null, value) from (select ${value} as value offset 0) as field)`,
    direction,
  }
}

/**
 * Reports whether a field is the identifier. A text identifier equals the primary key of the table,
 * so that an index provides the order.
 */
function isIdentifier({ names, scope }: StoredField): boolean {
  const path = names.join('.')
  const { Id = {} } = scope.entity.schema.properties
  return path === '_Meta.Id' || (path === 'Id' && 'type' in Id && Id.type === 'string')
}

/** Prints the canonical text, without spaces. Parsing it gives the same order. */
export function printRawSort({ keys }: RawSort): string {
  return keys
    .map(({ field, direction }) => (direction === 'descending' ? '-' : '') + printField(field))
    .join(',')
}
