import type { TSchema } from 'typebox'
import type { Offer } from '../../http/index.ts'
import { fieldsOf, isObject, parseObject } from '../../lang/json.ts'
import type { Members } from '../../lang/json.ts'
import type { TextRow } from '../../storage/index.ts'
import {
  arrowOffer,
  inOrder,
  openArrow,
  openParquet,
  parquetOffer,
  toShape,
} from '../../tables/index.ts'
import type { ColumnKind, Table, TableWriter, TypedColumn } from '../../tables/index.ts'
import { languages, toShown } from '../representation.ts'
import type { FieldPath, Step } from '../representation.ts'
import { defineFormat } from './format.ts'
import type { AnswerContext, Format, LoadedRecord, Writer } from './format.ts'
import { positionOf, shapeOf } from './geojson.ts'
import type { Entity } from '../entity.ts'
import { isByLanguage, isSchema, schemaFields, typeOf, valueOfKeys } from '../schema-fields.ts'

/**
 * Columns as a Parquet file, which is small and suited for storage. With locations it is
 * GeoParquet.
 */
export const parquet = tableFormat(
  { ...parquetOffer, summary: 'Typed columns as a compressed Apache Parquet file, GeoParquet 1.1' },
  openParquet,
)

/** Columns as a stream of Apache Arrow, for programs that compute with them. */
export const arrow = tableFormat(
  { ...arrowOffer, summary: 'Typed columns as a stream of Apache Arrow record batches, GeoArrow' },
  openArrow,
)

function tableFormat(
  offer: Offer & Pick<Format, 'summary'>,
  open: (table: Table) => Promise<TableWriter>,
): Format {
  return defineFormat({
    ...offer,
    streams: true,
    needsWhole: true,
    isInWgs84: true,
    list: (context) => openWriter(context, open),
    item: async (record, context) => {
      const writer = await openWriter(context, open)
      return Buffer.concat([...writer.begin(), ...writer.records([record]), ...writer.end()])
    },
  })
}

async function openWriter(
  context: AnswerContext,
  open: (table: Table) => Promise<TableWriter>,
): Promise<Writer<Iterable<Uint8Array>>> {
  const { columns, toRow } = toTable(context)
  const { begin, rows, end } = await open({
    ...{ columns, showNull: true, hasLongRows: true, zone: 'UTC' },
  })
  return { begin, records: (records) => rows(records.map(toRow)), end }
}

type RecordTable = {
  readonly columns: readonly TypedColumn[]
  readonly toRow: (record: LoadedRecord) => TextRow
}

/**
 * Returns the columns of a response, known before any record is loaded, and the cells of a record.
 */
function toTable({ entity, representation, reduced, addressOf }: AnswerContext): RecordTable {
  const { fields, language } = representation
  const isChosen = fields.length > 0
  const isPlaced = hasPlaces(entity)
  const chosen = isChosen
    ? columnsOfPaths(entity, fields)
    : columnsOfEntity(entity, { language, reduced }).filter(({ name }) => name !== shape)
  const free = freeNames(chosen)
  const columns = [...chosen, ...(isPlaced ? [free(geometry)] : []), free(otherColumn)]
  const blank: readonly null[] = columns.map(() => null)
  const put = putRecords(chosen, isChosen ? 'fields' : 'paths')
  return {
    columns: inOrder(columns).flatMap((column) =>
      column.kind === 'geometry' ? [column, { ...free(bbox), cell: column.cell }] : [column],
    ),
    toRow: ({ id, data }) => {
      const cells: (string | null)[] = blank.slice()
      const shown = fieldsOf(toShown(data, addressOf(id), representation))
      const place = isPlaced ? placeOf(isChosen ? parseObject(data) : shown) : undefined
      if (place !== undefined) cells[chosen.length] = JSON.stringify(place)
      const left = put(shown, cells)
      const rest = isPlaced ? withoutShape(left) : left
      if (rest !== undefined) cells[columns.length - 1] = JSON.stringify(rest)
      return cells
    },
  }
}

const geometry = { name: 'geometry', kind: 'geometry' } as const
const bbox = { name: 'bbox', kind: 'bbox' } as const

/**
 * Returns a function that names columns of the hub. If a field has the same name, the field keeps
 * it, and `_` is appended to the name of the column.
 */
function freeNames(fields: readonly FieldColumn[]) {
  const taken = new Set(fields.map(({ name }) => name))
  const freeName = (name: string): string => (taken.has(name) ? freeName(`${name}_`) : name)
  return ({ name, kind }: FieldColumn): FieldColumn => ({ name: freeName(name), kind })
}

/**
 * Field with the location as GeoJSON. If it can be parsed, the geometry column contains all of it.
 */
const shape = 'Geometry'

function placeOf(record: Members): object | undefined {
  return shapeOf(record) ?? positionOf(record)
}

/**
 * Removes the shape from the values without a column, because the geometry column contains it.
 * Keeps a shape that cannot be parsed. Returns undefined if no values remain.
 */
function withoutShape(rest: Members | undefined): Members | undefined {
  if (rest === undefined || toShape(rest[shape]) === undefined) return rest
  const { [shape]: _, ...others } = rest
  return Object.keys(others).length === 0 ? undefined : others
}

/** Column of a record. Its name is the path of the field, as `fields` accepts it. */
type FieldColumn = { readonly name: string; readonly kind: ColumnKind }

/** Column of the values that have no column, or do not match the type of their column. */
const otherColumn = { name: '_Other', kind: 'json' } as const

type Shown = {
  readonly language?: string | undefined
  /** Whether closed fields are left out for this caller (decision D34). */
  readonly reduced: boolean
}

/**
 * Returns the columns of an entity by its schema: one for each text, number, flag and time, in each
 * language. Lists and objects with free keys are JSON. The columns do not depend on the records.
 */
export function columnsOfEntity(entity: Entity, shown: Shown): readonly FieldColumn[] {
  const wanted = shown.language === undefined ? languages : [shown.language]
  return leavesOf(entity)
    .filter(({ first }) => !(shown.reduced && entity.closedFields.includes(first)))
    .flatMap(({ path, kind }) => {
      if (!path.includes(inLanguage)) return [{ name: path, kind }]
      return wanted.map((language) => ({ name: path.replaceAll(inLanguage, language), kind }))
    })
}

const inLanguage = '{language}'

type Leaf = { readonly path: string; readonly first: string; readonly kind: ColumnKind }

const leaves = new WeakMap<Entity, readonly Leaf[]>()

function leavesOf(entity: Entity): readonly Leaf[] {
  const known = leaves.get(entity) ?? findLeaves(entity)
  leaves.set(entity, known)
  return known
}

/** Maximum depth of a column. Deeper values are in the column of the object that contains them. */
const maxDepth = 6

function findLeaves({ schema }: Entity): readonly Leaf[] {
  return Object.entries(schemaFields(schema)).flatMap(([name, field]) =>
    leavesBelow(field, name, 1).map((leaf) => ({ ...leaf, first: name })),
  )
}

function leavesBelow(
  schema: TSchema,
  path: string,
  depth: number,
): readonly Pick<Leaf, 'path' | 'kind'>[] {
  if (isSchema(Reflect.get(schema, 'items'))) return [{ path, kind: 'json' }]
  const value = valueOfKeys(schema)
  if (value !== undefined && isByLanguage(schema)) {
    return leavesBelow(value, `${path}.${inLanguage}`, depth + 1)
  }
  const fields = Object.entries(schemaFields(schema))
  if (fields.length === 0 || depth === maxDepth) return [{ path, kind: kindOf(schema) }]
  return fields.flatMap(([name, field]) => leavesBelow(field, `${path}.${name}`, depth + 1))
}

function kindOf(schema: TSchema): ColumnKind {
  if (isSchema(Reflect.get(schema, 'items'))) return 'json'
  const type = typeOf(schema)
  return type === 'object' || type === 'any' ? 'json' : type
}

/**
 * Returns the columns that `fields` requests, with the types of those fields that the schema has.
 */
function columnsOfPaths({ schema }: Entity, paths: readonly FieldPath[]): readonly FieldColumn[] {
  const chosen = paths
    .filter(({ text }) => text !== 'Id')
    .map(({ text, steps }): FieldColumn => ({ name: text, kind: kindAt(schema, steps) }))
  return [{ name: 'Id', kind: 'text' }, ...chosen]
}

/**
 * Returns the kind of a column. A path that may have several values gives an array, which is JSON.
 */
function kindAt(schema: TSchema, steps: readonly Step[]): ColumnKind {
  const [step, ...others] = steps
  if (step === undefined) return kindOf(schema)
  const items: unknown = Reflect.get(schema, 'items')
  const inside =
    step.kind === 'member'
      ? (schemaFields(schema)[step.name] ?? valueOfKeys(schema))
      : step.kind === 'element' && items
  return isSchema(inside) ? kindAt(inside, others) : 'json'
}

/** Fields that may contain the location of a record. */
const places = ['Geometry', 'GpsInfo', 'GpsPoints', 'Geo', 'Latitude', 'latitude']

/** Reports whether records of an entity may have a location. */
function hasPlaces({ schema }: Entity): boolean {
  const fields = schemaFields(schema)
  return places.some((name) => name in fields)
}

type Cells = (string | null)[]

/** Where a value is put: into one cell, or separately into the cells of its fields. */
type Target =
  | { readonly kind: ColumnKind; readonly index: number }
  | { readonly kind: 'fields'; readonly fields: Map<string, Target> }

/**
 * Puts the values of an object into the cells of its columns. Returns the values that do not fit.
 */
type PutRecord = (record: Members, cells: Cells) => Members | undefined

/**
 * Returns a function that distributes the values of a record over cells.
 * @param names whether the column names are paths into a record, or fields of a flat one as
 *   `fields` returns it
 * @returns a function that returns what does not fit into a column, as a part of the record;
 *   undefined if everything fits
 */
function putRecords(columns: readonly FieldColumn[], names: 'paths' | 'fields'): PutRecord {
  const root = new Map<string, Target>()
  for (const [index, { name, kind }] of columns.entries()) {
    const parts = names === 'paths' ? name.split('.') : [name]
    const parent = parts.slice(0, -1).reduce(enter, root)
    parent.set(parts.at(-1) ?? name, { kind, index })
  }
  return (record, cells) => putFields(root, record, cells)
}

function enter(parent: Map<string, Target>, name: string): Map<string, Target> {
  const known = parent.get(name)
  if (known?.kind === 'fields') return known.fields
  const fields = new Map<string, Target>()
  parent.set(name, { kind: 'fields', fields })
  return fields
}

function putFields(
  targets: ReadonlyMap<string, Target>,
  object: Members,
  cells: Cells,
): Members | undefined {
  let rest: [string, unknown][] | undefined
  for (const name of Object.keys(object)) {
    const value = object[name]
    if (value === null || value === undefined) continue
    const target = targets.get(name)
    const left = target === undefined ? value : putValue(target, value, cells)
    if (left !== undefined) (rest ??= []).push([name, left])
  }
  return rest === undefined ? undefined : Object.fromEntries(rest)
}

function putValue(target: Target, value: unknown, cells: Cells): unknown {
  if (target.kind === 'fields') {
    return isObject(value) ? putFields(target.fields, value, cells) : value
  }
  const cell = toCell(target.kind, value)
  if (cell === undefined) return value
  cells[target.index] = cell
  return undefined
}

/**
 * Prints a value as the text of its cell.
 * @returns undefined for a value that is not of this kind
 */
function toCell(kind: ColumnKind, value: unknown): string | undefined {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value.isWellFormed() ? value : undefined
    case 'number':
      return Number.isFinite(value) ? String(value) : undefined
    case 'boolean':
      if (typeof value !== 'boolean') return undefined
      return value ? 't' : 'f'
    case 'time':
      return typeof value === 'string' ? toTime(value) : undefined
    default:
      return JSON.stringify(value)
  }
}

const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/

/** Prints a time as PostgreSQL does in UTC, the default without a zone (reference content.md 7). */
function toTime(written: string): string | undefined {
  const [, day, time = '00:00', zone = 'Z'] = moment.exec(written) ?? []
  if (day === undefined || !isDay(day)) return undefined
  const at = Date.parse(`${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  if (Number.isNaN(at)) return undefined
  const printed = new Date(at).toISOString()
  // In years that do not have four digits, the milliseconds are at another position.
  return printed.length === 24 ? `${printed.slice(0, 23)}+00` : undefined
}

/** Reports whether a day exists. `Date.parse` accepts 31 February as a day in March. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00Z`)
  return !Number.isNaN(at) && new Date(at).getUTCDate() === Number(day.slice(8))
}
