import { empty, identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { columnsOf } from '../columns.ts'
import { defaultKeys } from '../table.ts'
import type { Expression, Scalar } from './ast.ts'
import { textColumn, toStoredField } from './resolve.ts'
import type { Scope, StoredField } from './resolve.ts'

/**
 * What must hold of an indexed column wherever `in` finds one of the values, ended by `and`: an index
 * then names the rows that come into question. Nothing where no column says enough.
 */
export function narrowing(field: StoredField, values: readonly Scalar[]): Sql {
  const texts = values.flatMap((value) => (value.kind === 'text' ? [value.value] : []))
  if (texts.length < values.length) return empty
  const longest = texts.reduce((long, text) => (text.length > long.length ? text : long), '')
  const column = textColumn(field, longest)
  if (column !== undefined) return sql`${column} = any(${texts}::text[]) and `
  return narrowingSet(field, texts)
}

/**
 * What holds of the first key of the default order wherever a short name is equal to a text: the index
 * of that order then names the rows. Only for what the whole filter depends on: the key of a record
 * without a name has a value, so the condition is false there where `eq` is unknown.
 */
export function narrowingKey(part: Expression, scope: Scope): Sql | undefined {
  if (part.kind !== 'comparison' || part.operator !== 'eq' || part.value.kind !== 'text') return
  const [key] = defaultKeys(scope.entity)
  const column = textColumn(toStoredField(part.field, scope), part.value.value)
  if (key === undefined || column?.text !== identifier(key.name).text) return
  return sql`${key.value} = ${part.value.value}`
}

/** Sets leave out what no identifier looks like; those in lower case are sure of ASCII only. */
const inSets = /^[^\p{Cc}]{1,250}$/u
const inLowerSets = /^[\x20-\x7e]{1,250}$/

function narrowingSet(field: StoredField, texts: readonly string[]): Sql {
  const { entity, naming } = field.scope
  const known: Readonly<Record<string, { readonly column: string; readonly isLower?: true }>> = {
    TagIds: { column: 'tag_ids' },
    'Tags.Id': { column: 'tag_ids' },
    AreaIds: { column: 'area_ids' },
    PublishedOn: { column: 'published_on', isLower: true },
    SmgTags: { column: 'hub_tags', isLower: true },
    [`${naming.tags}.Id`]: { column: 'hub_tags', isLower: true },
  }
  const found = known[field.names.join('.')]
  if (found === undefined || !(found.column in columnsOf(entity))) return empty
  const isSure = texts.every((text) => (found.isLower ? inLowerSets : inSets).test(text))
  if (!isSure) return empty
  const wanted = found.isLower ? texts.map((text) => text.toLowerCase()) : texts
  return sql`${identifier(found.column)} && ${wanted}::text[] and `
}
