import { LanguageError } from '../lang/index.ts'
import type { Cursor } from '../lang/index.ts'
import { sql } from '../sql/index.ts'
import { idKey } from './table.ts'
import type { OrderKey } from './entity.ts'
import {
  acceptSign,
  jsonAt,
  openSource,
  printField,
  readField,
  rejectedText,
  skipBlanks,
  toStoredField,
} from './rawfilter/index.ts'
import type { Field, Scope, StoredField } from './rawfilter/index.ts'

type SortKey = { readonly field: Field; readonly direction: 'ascending' | 'descending' }

/** A `rawsort` that was understood: the first key decides first. */
export type RawSort = { readonly keys: readonly SortKey[] }

const mostKeys = 20

/**
 * rawsort = key , { "," key } (reference content.md 2.1).
 * @throws AppError HUB-QRY-006 with position, what was expected and a hint
 */
export function parseRawSort(text: string): RawSort {
  try {
    const cursor = openSource(text)
    skipBlanks(cursor)
    const keys = [readKey(cursor)]
    while (acceptSign(cursor, ',')) {
      if (keys.length === mostKeys) throw cursor.fail(`at most ${mostKeys} fields`)
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
 * What records are ordered by (reference content.md 2.3): the JSON at each field, as PostgreSQL orders
 * jsonb; a missing value comes behind all others. The keys do not make the order total: the plan ends
 * it with the identifier (decision D4).
 */
export function compileRawSort({ keys }: RawSort, scope: Scope): readonly OrderKey[] {
  return keys.map((key) => compileKey(key, scope))
}

function compileKey({ field, direction }: SortKey, scope: Scope): OrderKey {
  const stored = toStoredField(field, scope)
  if (isIdentifier(stored)) return { ...idKey, direction }
  return {
    name: `rawsort ${stored.names.join('.')}`,
    value: jsonAt(stored),
    type: 'jsonb',
    // Taken from the record once: unpacking it is what sorting costs.
    comparable: (value) =>
      sql`(select row(value is null, value) from (select ${value} as value offset 0) as field)`,
    direction,
  }
}

/** Where identifiers are texts, the key of the table is that text, and an index has it in order. */
function isIdentifier({ names, scope }: StoredField): boolean {
  const path = names.join('.')
  const { Id = {} } = scope.entity.schema.properties
  return path === '_Meta.Id' || (path === 'Id' && 'type' in Id && Id.type === 'string')
}

/** The canonical text: no blanks. It reads as the same order. */
export function printRawSort({ keys }: RawSort): string {
  return keys
    .map(({ field, direction }) => (direction === 'descending' ? '-' : '') + printField(field))
    .join(',')
}
