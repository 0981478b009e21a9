import type { TSchema } from 'typebox'
import type { Entity } from '../entity.ts'
import type { Naming } from '../naming.ts'
import type { Deprecation } from './table.ts'
import { deprecationsOf } from './table.ts'
import { isSchema, schemaFields, valueOfKeys } from '../schema-fields.ts'
import { fieldsOnTheWay } from './uses.ts'

/** Rows of the table as a tree of names: the row of a field, and the trees of its inner fields. */
type Tree = { readonly row?: Deprecation; readonly below: ReadonlyMap<string, Tree> }

type Placed = { readonly path: readonly string[]; readonly row: Deprecation }

/**
 * Returns the schema with `deprecated` and the reason at every listed field that it has. Each
 * object is copied once, however many of its fields are deprecated.
 */
function annotate<Schema extends TSchema>(
  schema: Schema,
  deprecations: readonly Deprecation[],
): Schema {
  return annotateBelow(
    schema,
    toTree(deprecations.map((row) => ({ path: row.name.split('.'), row }))),
  )
}

function toTree(placed: readonly Placed[]): Tree {
  const here = placed.find(({ path }) => path.length === 0)
  const below = Map.groupBy(
    placed.filter(({ path }) => path.length > 0),
    ({ path: [name = ''] }) => name,
  )
  const trees = [...below].map(([name, rows]) => {
    const deeper = rows.map(({ path, row }) => ({ path: path.slice(1), row }))
    return [name, toTree(deeper)] as const
  })
  return { ...(here === undefined ? {} : { row: here.row }), below: new Map(trees) }
}

function annotateBelow<Schema extends TSchema>(schema: Schema, tree: Tree): Schema {
  if (tree.below.size === 0) return schema
  const items: unknown = Reflect.get(schema, 'items')
  if (isSchema(items)) return changed(schema, { items: annotateBelow(items, tree) })
  const members = Object.entries(schemaFields(schema))
  if (members.some(([name]) => tree.below.has(name))) {
    const annotated = members.map(([name, member]): readonly [string, TSchema] => {
      const own = tree.below.get(name)
      return [name, own === undefined ? member : toDeprecated(annotateBelow(member, own), own)]
    })
    const properties: Readonly<Record<string, TSchema>> = Object.fromEntries(annotated)
    return changed(schema, { properties })
  }
  const value = valueOfKeys(schema)
  if (value === undefined) return schema
  return changed(schema, { patternProperties: { '^.*$': annotateBelow(value, tree) } })
}

/**
 * Marks a field as deprecated. Its description becomes what it is, followed by what to use instead.
 */
function toDeprecated(schema: TSchema, { row }: Tree): TSchema {
  if (row === undefined) return schema
  const own: unknown = Reflect.get(schema, 'description')
  const meaning = typeof own === 'string' ? [own] : []
  return changed(schema, {
    deprecated: true,
    description: [...meaning, row.description].join('. '),
    'x-deprecation-date': row.deprecated,
    'x-removed-after': row.removedAfter,
  })
}

/**
 * Returns a shallow copy of a schema with changes. It keeps properties that are not enumerable,
 * which TypeBox uses for its marks.
 */
export function changed<Schema extends TSchema>(schema: Schema, changes: object): Schema {
  const copy = Object.defineProperties({ ...schema }, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, changes)
}

/** Returns the definition of an entity with the table of deprecations applied to it. */
export function withDeprecations(entity: Entity, naming: Naming): Entity {
  const deprecations = deprecationsOf(naming).filter((row) => concerns(row, entity))
  const members = deprecations.filter(({ kind }) => kind === 'member')
  return {
    ...entity,
    naming,
    deprecations,
    schema: annotate(
      entity.schema,
      members.filter(({ state }) => state === 'deprecated'),
    ),
    removedFields: members.filter(({ state }) => state === 'removed').map(({ name }) => name),
  }
}

/**
 * Reports whether a row applies to an entity. A row for `*` applies if the schema has the field.
 */
function concerns({ entity: wanted, name }: Deprecation, { name: own, schema }: Entity): boolean {
  if (wanted !== '*') return wanted === own
  const path = name.split('.')
  return fieldsOnTheWay(schema, path).includes(name)
}
