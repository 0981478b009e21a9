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
  /**
   * Whether closed fields are hidden from the caller (decision D34). They then have no value here,
   * either.
   */
  readonly isReduced?: boolean
}

/** A field of stored records: its names, and the same path with array steps. */
export type StoredField = {
  /** Names only. Array steps are dropped, as they are by comparisons (reference content.md 2.2). */
  readonly names: readonly string[]
  readonly segments: readonly Segment[]
  readonly scope: Scope
}

/**
 * Converts a field to the spelling of the stored records, in which names carry the deployment's
 * prefix.
 */
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
 * Returns the column with the text of this field, if comparing it with `text` is the same as
 * comparing the field. Columns are cut to a length, which makes no difference to a shorter text.
 */
export function textColumn({ names }: StoredField, text: string): Sql | undefined {
  const found = textColumns[names.join('.')]
  return found !== undefined && text.length < found.length ? identifier(found.column) : undefined
}

/**
 * Returns the column with this flag. It also holds flags that are stored as texts (decision D66).
 */
export function flagColumn({ names }: StoredField): Sql | undefined {
  return names.join('.') === 'Active' ? identifier('active') : undefined
}

/** SQL for the text at the field; null if there is none (missing, or JSON null). */
export function textAt(field: StoredField): Sql {
  return isHidden(field) ? sql`null::text` : sql`data #>> ${field.names}::text[]`
}

/** SQL for the JSON at the field; null if it is missing. */
export function jsonAt(field: StoredField): Sql {
  return isHidden(field) ? sql`null::jsonb` : sql`data #> ${field.names}::text[]`
}

/**
 * SQL for the JSON by which records are sorted. A flag that is stored as a text sorts like a flag
 * (decision D66).
 */
export function sortedAt(field: StoredField): Sql {
  const flag = flagColumn(field)
  return flag === undefined ? jsonAt(field) : sql`coalesce(to_jsonb(${flag}), ${jsonAt(field)})`
}

/** Reports whether the field is hidden from the caller. Conditions on it would reveal its value. */
export function isHidden({ names: [name = ''], scope }: StoredField): boolean {
  return scope.isReduced === true && scope.entity.closedFields.includes(name)
}

/** Returns every field that an expression names, in the order in which they are written. */
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
