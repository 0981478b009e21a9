import type { TSchema } from 'typebox'
import { hintAt } from '../../lang/index.ts'
import { all, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { versionOfDataset } from '../../storage/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity, OrderKey } from '../entity.ts'
import { dataOf, isWild, parseStoredFields } from '../representation.ts'
import type { FieldPath, Step } from '../representation.ts'
import { rejected } from '../filters/values.ts'
import { itemsOf, stepInto } from '../schema-fields.ts'
import { orderBy, standsBehind, tableOf } from '../table.ts'
import type { ListPlan } from '../list/plan.ts'
import { parseRawSort } from '../rawsort.ts'

type Column = { readonly path: FieldPath; readonly name: Sql }

type ColumnQuery = { readonly fields: readonly string[]; readonly getasarray: boolean }

/**
 * Returns the requested columns, in the order of the request.
 * @throws AppError HUB-QRY-001, HUB-QRY-004 (reference content.md 6.4)
 */
export function toColumns(entity: Entity, { fields, getasarray }: ColumnQuery): readonly Column[] {
  const paths = parseStoredFields(fields, entity)
  if (getasarray && paths.length > 1) {
    throw rejected({
      parameter: 'getasarray',
      detail: 'is only possible with one field',
      expected: ['one path in fields', 'getasarray=false'],
    })
  }
  const wild = paths.find((path) => isWild(path) || leadsThroughArray(entity, path))
  if (wild !== undefined && paths.length > 1) {
    throw rejected({
      parameter: 'fields',
      detail: `has ${wild.text}, which has several values in a record, so it must be the only path`,
      expected: ['one path with [*] or *, or through an array', 'several paths without'],
    })
  }
  if (paths.some(({ steps: [first] }) => first?.kind === 'member' && first.name === 'Self')) {
    throw rejected({
      parameter: 'fields',
      detail: 'has Self, the URL of each record, which is computed when the record is read',
      expected: [`Id, which follows ${entity.path}/ in it`],
    })
  }
  return paths.map((path, index) => ({ path, name: identifier(`value ${String(index)}`) }))
}

/** Reports whether a path leads through an array, so that it has a value for each element. */
function leadsThroughArray({ schema }: Entity, { steps }: FieldPath): boolean {
  let inner: TSchema | undefined = schema
  for (const step of steps) {
    if (inner === undefined) return false
    const items: TSchema | undefined = itemsOf(inner)
    if (step.kind === 'member') {
      if (items !== undefined) return true
      inner = stepInto(inner, step.name)?.schema
    } else {
      inner = items
    }
  }
  return false
}

/**
 * Columns in the order of their precedence. `index` is the position of a column in the response.
 */
type Sorting = readonly {
  readonly column: Column
  readonly index: number
  readonly direction: OrderKey['direction']
}[]

/**
 * Returns the order of the rows: the columns of `rawsort`, then the remaining ones ascending, so
 * that the order is total (decision D4).
 * @throws AppError HUB-QRY-006 for anything that is not an order, HUB-QRY-001 for a field that is
 *   not in `fields`
 */
export function toSorting(
  entity: Entity,
  columns: readonly Column[],
  rawsort: string | undefined,
): Sorting {
  const keys = rawsort === undefined ? [] : rawsort.split(',')
  const wanted = keys.map((key) => readKey(entity, columns, key))
  const first = new Map(wanted.reverse().map((key) => [key.index, key]))
  const sorted = [...first.values()].reverse()
  const others = columns.map((column, index) => ({
    column,
    index,
    direction: 'ascending' as const,
  }))
  return [...sorted, ...others.filter(({ index }) => !first.has(index))]
}

/** Returns the sort keys. Null sorts after all texts, or before them in descending order. */
function keysOf(sorting: Sorting): readonly OrderKey[] {
  return sorting.flatMap(({ column: { name, path }, direction }): readonly OrderKey[] => [
    { name: `${path.text}?`, value: sql`(${name} is null)::int::text`, type: 'text', direction },
    { name: path.text, value: sql`coalesce(${name}, '')`, type: 'text', direction },
  ])
}

/** Returns the values of the sort keys in a row of the response. */
function keyValues(sorting: Sorting, row: readonly (string | null)[]): readonly string[] {
  return sorting.flatMap(({ index }) => {
    const value = row[index] ?? null
    return [String(Number(value === null)), value ?? '']
  })
}

/** key = [ "-" ] , path — where the path is one of `fields`, in the same or another spelling. */
function readKey(entity: Entity, columns: readonly Column[], key: string): Sorting[number] {
  const written = key.trim()
  const text = written.replace(/^- */, '')
  const direction = text === written ? 'ascending' : 'descending'
  const literal = columns.findIndex(({ path }) => path.text === text)
  if (literal === -1) parseRawSort(written)
  const index =
    literal === -1 ? indexOf(columns, parseStoredFields([text], entity, 'rawsort')) : literal
  const column = columns[index]
  if (column === undefined) throw notShown(columns, text)
  return { column, index, direction }
}

/** Returns the index of a path. `Types[*]`, `Types.[*]` and `Types.[]` are the same path. */
function indexOf(columns: readonly Column[], [wanted]: readonly FieldPath[]): number {
  const steps = JSON.stringify(wanted?.steps)
  return columns.findIndex(({ path }) => JSON.stringify(path.steps) === steps)
}

function notShown(columns: readonly Column[], text: string) {
  const shown = columns.map(({ path }) => path.text)
  return rejected({
    parameter: 'rawsort',
    detail: `has ${JSON.stringify(text)}, which is not in fields, so it cannot be sorted by`,
    expected: shown,
    ...hintAt(text, shown),
  })
}

type Records = Pick<ListPlan, 'entity' | 'reduced' | 'representation' | 'where'>

type ValueSelection = {
  readonly columns: readonly Column[]
  /** Whether null and empty texts are left out. */
  readonly excludesEmpty: boolean
}

/** Source of records: rows with a column `data`, as the caller may see it. */
export type Source = {
  readonly rows: Sql
  /** Returns SQL for the record: without closed fields if one of these paths may lead into them. */
  readonly dataFor: (columns: readonly Pick<Column, 'path'>[]) => Sql
}

/**
 * Returns the matching stored records, without what the caller may not see of them (decision D34).
 */
export function storedSource(records: Records): Source {
  const { entity, reduced, where } = records
  const closed = ['_Meta', ...entity.closedFields]
  const isOpen = ({ path: { steps } }: Pick<Column, 'path'>) =>
    steps[0]?.kind === 'member' && !closed.includes(steps[0].name)
  return {
    rows: sql`${tableOf(entity)} where ${where}`,
    dataFor: (columns) =>
      !reduced || columns.every(isOpen) ? sql`data` : sql`(${dataOf(records)})`,
  }
}

/** Returns records with generated fields as a source. The texts are JSON. */
export function madeSource(texts: readonly string[]): Source {
  return {
    rows: sql`(select text::jsonb as data from unnest(${texts}::text[]) as made (text)) as made`,
    dataFor: () => sql`data`,
  }
}

/**
 * Returns the query for distinct rows. Each column has a value as text. A record without the path
 * has no row. With several paths, missing values are null, and a record without any of them has no
 * row.
 */
function compileValues(source: Source, { columns, excludesEmpty }: ValueSelection): Sql {
  const texts = columns.map(({ name }) => sql`(${name} #>> '{}') collate "C" as ${name}`)
  const present = columns.map(({ name }) => sql`${name} is not null`)
  const says = columns.map(({ name }) => sql`${name} #>> '{}' <> ''`)
  const isThere = sql`(${join(present, ' or ')})`
  return sql`
    select distinct ${join(texts, ', ')}
    from (${foundBy(source, columns)}) as found
    where ${all([isThere, ...(excludesEmpty ? says : [])])}`
}

/**
 * Returns the query for the JSON at each path. `offset 0` keeps the planner from reading the record
 * again for each use of a value: unpacking the record is the expensive part.
 */
function foundBy({ rows, dataFor }: Source, columns: readonly Column[]): Sql {
  const [only, ...others] = columns
  if (only !== undefined && others.length === 0) {
    return sql`select ${valuesAt(only.path, dataFor(columns))} as ${only.name} from ${rows} offset 0`
  }
  const names = columns.map(({ name }) => name)
  const joins = columns.map(
    ({ name, path }) =>
      sql`left join lateral (select ${valuesAt(path, sql`data`)} as ${name}) as ${name} on true`,
  )
  return sql`
    select ${join(names, ', ')}
    from (select ${dataFor(columns)} as data from ${rows} offset 0) as records
    ${joins.reduce((before, next) => sql`${before} ${next}`)}
    offset 0`
}

/**
 * Returns SQL for the values at a path: at most one for a field of the record itself, any number
 * for a deeper path.
 */
function valuesAt({ steps }: FieldPath, data: Sql): Sql {
  const [first, ...rest] = steps
  if (rest.length === 0 && first?.kind === 'member') {
    return sql`${data} -> ${first.name}::text`
  }
  // Lax mode unwraps arrays (reference content.md 6.4).
  return sql`jsonb_path_query(${data}, ${`lax $${steps.map(toAccessor).join('')}`}::jsonpath)`
}

function toAccessor(step: Step): string {
  switch (step.kind) {
    case 'each':
      return '[*]'
    case 'element':
      return `[${String(step.index)}]`
    case 'every':
      return '.*'
    case 'member':
      return `.${JSON.stringify(step.name.toWellFormed())}`
  }
}

/** Everything that determines a response, except where a block of it starts. */
export type Values = {
  /** Name of the dataset whose version applies to the response. */
  readonly dataset: string
  readonly source: Source
  readonly columns: readonly Column[]
  readonly sorting: Sorting
  readonly excludesEmpty: boolean
  /** Whether each row is a value rather than an object. */
  readonly asArray: boolean
  /**
   * Number of rows to skip, and maximum number to return. If missing: all rows, without a total.
   */
  readonly page?: { readonly offset: number; readonly limit: number }
}

/** Result of one statement: rows in chunks, each the text of a JSON array. */
export type Block = {
  /** Version of the dataset, in the same snapshot. */
  readonly version: string
  readonly total: number
  readonly chunks: readonly string[]
  /** Keys of the last row, to continue after; undefined if no more rows can follow. */
  readonly next: Place | undefined
}

/** Where a block starts, and its approximate length in characters. */
type Cut = { readonly after?: Place | undefined; readonly most?: number }

type Place = { readonly keys: readonly string[]; readonly seen: number }

/** Characters that one statement returns. They are held in memory. */
const maxPerBlock = 4_000_000
/** Characters that are parsed and printed in a few milliseconds. */
const maxPerChunk = 50_000

/**
 * Loads a block of the distinct rows, in order. Almost always it has all rows. Only if their text
 * is more than memory should hold, the statement runs again for the rows after the last one.
 */
export async function loadBlock(
  database: Queryable,
  values: Values,
  { after, most = maxPerBlock }: Cut = {},
): Promise<Block> {
  const rows = await database.texts(compileBlock(values, { after, most }))
  const chunks = rows.flatMap(([, , chunk]) => (typeof chunk === 'string' ? [chunk] : []))
  const counts = rows.map(([, , , count]) => Number(count ?? 0))
  const seen = (after?.seen ?? 0) + counts.reduce((sum, count) => sum + count, 0)
  const isFull = Number(rows.at(-1)?.[4] ?? 0) >= most
  const last = chunks.at(-1)
  return {
    version: rows[0]?.[0] ?? '',
    total: Number(rows[0]?.[1] ?? 0),
    chunks,
    next:
      isFull && last !== undefined
        ? { keys: keyValues(values.sorting, rowsOf(values, last).at(-1) ?? []), seen }
        : undefined,
  }
}

function compileBlock(values: Values, { after, most }: Required<Cut>): Sql {
  const { columns, page, source, dataset } = values
  const order = orderBy(keysOf(values.sorting))
  const isWanted =
    after === undefined ? sql`true` : standsBehind(keysOf(values.sorting), after.keys)
  const cut = page === undefined ? sql`` : toCut(page, after)
  const names = columns.map(({ name }) => name)
  return sql`
    with found as (${compileValues(source, values)})
    select version, total, chunk, count, reached
    from (
      select ${versionOfDataset(sql`${dataset}`)} as version,
        ${page === undefined ? sql`0` : sql`(select count(*) from found)`} as total) as dataset
    left join (
      select json_agg(shown order by reached) as chunk, count(*) as count, max(reached) as reached
      from (
        select shown, length(shown::text) + 1 as size,
          sum(length(shown::text) + 1) over (order by ${order} rows unbounded preceding) as reached
        from (
          select ${shownOf(values)} as shown, ${join(names, ', ')}
          from found where ${all([isWanted])} order by ${order} ${cut}) as wanted) as measured
      where reached - size < ${most}::bigint
      group by reached::bigint / ${maxPerChunk}::bigint) as chunks on true
    order by reached`
}

function toCut(page: NonNullable<Values['page']>, after: Place | undefined): Sql {
  const { limit, offset } = page
  return after === undefined
    ? sql`limit ${limit} offset ${offset}`
    : sql`limit ${limit - after.seen}`
}

function shownOf({ asArray, columns }: Values): Sql {
  const [first] = columns
  if (asArray && first !== undefined) return sql`coalesce(to_json(${first.name}), 'null')`
  const members = columns.map(({ path, name }) => sql`${path.text}::text, ${name}`)
  return sql`json_build_object(${join(members, ', ')})`
}

/** Parses the rows of a chunk into the values of their columns. */
export function rowsOf(
  { columns, asArray }: Pick<Values, 'columns' | 'asArray'>,
  chunk: string,
): readonly (readonly (string | null)[])[] {
  const rows: unknown = JSON.parse(chunk)
  if (!Array.isArray(rows)) return []
  return rows.map((row: unknown) =>
    asArray ? [textOf(row)] : columns.map(({ path }) => textOf(memberOf(row, path.text))),
  )
}

function memberOf(row: unknown, name: string): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  const value: unknown = Object.getOwnPropertyDescriptor(row, name)?.value
  return value
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
