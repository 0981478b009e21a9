import { sql } from '../../sql/index.ts'
import { idKey } from '../list/order.ts'
import type { OrderKey } from '../list/order.ts'
import { jsonAt, toStoredField } from '../rawfilter/index.ts'
import type { Scope, StoredField } from '../rawfilter/index.ts'
import type { RawSort, SortKey } from './ast.ts'

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
