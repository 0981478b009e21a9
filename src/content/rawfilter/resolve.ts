import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity } from '../entity.ts'
import { toStoredName } from '../naming.ts'
import type { Naming } from '../naming.ts'
import type { Expression, Field, RawFilter, Segment } from './ast.ts'

/** What the names of an expression are resolved against. */
export type Scope = {
  readonly entity: Entity
  readonly naming: Naming
  /** Whether the caller sees no closed fields (decision D34): they then have no value here either. */
  readonly isReduced?: boolean
}

/** A field of stored records: the names in it, and the same with the steps into arrays. */
export type StoredField = {
  /** Names only; array steps are dropped, as comparisons do (reference content.md 2.2). */
  readonly names: readonly string[]
  readonly segments: readonly Segment[]
  readonly scope: Scope
}

/** The field in the spelling of the stored records: names with a prefix have the deployment's. */
export function toStoredField({ segments }: Field, scope: Scope): StoredField {
  const stored = segments.map((segment, index) =>
    segment.kind === 'name' && index === 0
      ? { ...segment, name: toStoredName(segment.name, scope.naming) }
      : segment,
  )
  return {
    names: stored.flatMap((segment) => (segment.kind === 'name' ? [segment.name] : [])),
    segments: stored,
    scope,
  }
}

/** Columns that hold the text of a field, so that it need not be read from the record. */
const textColumns: Readonly<Record<string, { readonly column: string; readonly length: number }>> =
  {
    Id: { column: 'id', length: Infinity },
    '_Meta.Id': { column: 'id', length: Infinity },
    Shortname: { column: 'shortname', length: 250 },
    '_Meta.Source': { column: 'source', length: 250 },
  }

/**
 * The column with the text of this field, if comparing it with `text` means exactly the same as
 * comparing the field: columns are cut, and a text that is shorter than the cut never notices.
 */
export function textColumn({ names }: StoredField, text: string): Sql | undefined {
  const found = textColumns[names.join('.')]
  return found !== undefined && text.length < found.length ? identifier(found.column) : undefined
}

/** The column with this flag. The schema of every entity says that it is a flag or null. */
export function flagColumn({ names }: StoredField): Sql | undefined {
  return names.join('.') === 'Active' ? identifier('active') : undefined
}

/** The text at the field, null where there is none (missing, or JSON null). */
export function textAt(field: StoredField): Sql {
  return isHidden(field) ? sql`null::text` : sql`data #>> ${field.names}::text[]`
}

/** The JSON at the field; null where it is missing. */
export function jsonAt(field: StoredField): Sql {
  return isHidden(field) ? sql`null::jsonb` : sql`data #> ${field.names}::text[]`
}

/** Conditions on fields that a caller cannot see would reveal them. */
export function isHidden({ names: [name = ''], scope }: StoredField): boolean {
  return scope.isReduced === true && scope.entity.closedFields.includes(name)
}

/** Every field that an expression names, in the order in which they are written. */
export function fieldsIn({ expression }: RawFilter): readonly Field[] {
  return fieldsOf(expression)
}

function fieldsOf(expression: Expression): readonly Field[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.of.flatMap(fieldsOf)
    case 'not':
      return fieldsOf(expression.of)
    default:
      return [expression.field]
  }
}
