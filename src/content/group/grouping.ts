import type { AppError } from '../../errors/index.ts'
import { hintAt } from '../../lang/index.ts'
import { identifier, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Entity, OrderKey } from '../entity.ts'
import { isWild, parseStoredFields } from '../representation.ts'
import type { FieldPath } from '../representation.ts'
import { rejected } from '../filters/values.ts'
import { parseCursor } from '../list/cursor.ts'
import { orderBy } from '../table.ts'
import { planList } from '../list/plan.ts'
import type { ListPlan, Planning } from '../list/plan.ts'
import type { ListParameters } from '../parameters.ts'

const functions = ['count', 'sum', 'avg', 'min', 'max'] as const

/**
 * An aggregate, such as `avg(Altitude)`. `text`, as written, is the name of the field in the
 * response.
 */
export type Aggregate = {
  readonly text: string
  readonly name: (typeof functions)[number]
  /** Path of the aggregated values; undefined if records are counted. */
  readonly path: FieldPath | undefined
}

/** A column of the groups: a value that the records of a group share, or an aggregate. */
export type Column = { readonly text: string; readonly name: Sql }

/** What records are grouped by, and the aggregates of each group (decision D71). */
export type Grouping = {
  readonly paths: readonly FieldPath[]
  readonly aggregates: readonly Aggregate[]
  readonly columns: readonly Column[]
}

/** Maximum number of groups; more are rejected. `Distinct` lists any number of values. */
export const maxGroups = 10_000

/** The parameters of a list, with those that grouping interprets in its own way. */
type GroupQuery = ListParameters & { readonly rawsort?: string }

export function isGrouped({ groupby, agg }: GroupQuery): boolean {
  return groupby !== undefined || agg !== undefined
}

/**
 * Parses the grouping of a list; undefined for a list of records.
 * @throws AppError HUB-QRY-001, HUB-QRY-004
 */
export function readGrouping(entity: Entity, query: GroupQuery): Grouping | undefined {
  if (!isGrouped(query)) return undefined
  const { groupby, agg } = query
  const paths = parseStoredFields(groupby ?? [], entity, 'groupby')
  const aggregates = [...new Set((agg ?? ['count']).map((text) => text.trim()))].map((text) =>
    readAggregate(entity, text),
  )
  const wild = paths.filter(isWild)
  if (wild.length > 1) {
    throw rejected({
      parameter: 'groupby',
      detail: `has ${wild.map(({ text }) => text).join(' and ')}, which both have several values in a record`,
      expected: ['one path with [*]', 'several paths without'],
    })
  }
  assertStored(paths, 'groupby')
  const names = [...paths, ...aggregates].map(({ text }) => text)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) {
    throw rejected({
      parameter: 'agg',
      detail: `has ${twice}, which is also a path of groupby`,
      expected: [`['${twice}'] in groupby`],
    })
  }
  const columns = names.map((text, index) => ({
    text,
    name: identifier(`column ${String(index)}`),
  }))
  return { paths, aggregates, columns }
}

/** aggregate = "count" , [ "(*)" ] | function , "(" , path , ")" */
function readAggregate(entity: Entity, text: string): Aggregate {
  const [, word = ''] = /^(\w*)/.exec(text) ?? []
  const name = functions.find((known) => known === word)
  if (name === undefined) throw unknownAggregate(text, word)
  const inside = /^\w+\((.*)\)$/s.exec(text)?.[1]
  if (name === 'count' && (text === name || inside === '*')) return { text, name, path: undefined }
  const [path] = inside === undefined ? [] : parseStoredFields([inside], entity, 'agg')
  if (path === undefined || isWild(path)) {
    throw rejected({
      parameter: 'agg',
      detail:
        path === undefined
          ? `has ${JSON.stringify(text)}, which needs a path between brackets`
          : `has ${text}, whose path has several values in a record`,
      position: word.length,
      expected: [`${name}(Altitude)`, 'a path without [*]'],
    })
  }
  assertStored([path], 'agg')
  return { text, name, path }
}

function unknownAggregate(text: string, word: string): AppError {
  return rejected({
    parameter: 'agg',
    detail: `has ${JSON.stringify(text)}, which is not an aggregate`,
    position: 0,
    expected: ['count', ...functions.map((name) => `${name}(path)`)],
    ...hintAt(word, functions),
  })
}

function assertStored(paths: readonly FieldPath[], parameter: string): void {
  if (paths.every(({ steps: [first] }) => first?.kind !== 'member' || first.name !== 'Self')) return
  throw rejected({
    parameter,
    detail: 'has Self, the URL of each record, which is computed when the record is read',
    expected: ['Id, which ends it'],
  })
}

type GroupPlanning = Planning & { readonly grouping: Grouping | undefined }

/**
 * Plans a list. If its records are grouped, the plan has their filters, and the order and page of
 * the groups.
 * @throws AppError for values that cannot be planned
 */
export async function planGroups(
  entity: Entity,
  query: GroupQuery,
  { grouping, ...planning }: GroupPlanning,
): Promise<ListPlan> {
  if (grouping === undefined) return planList(entity, query, planning)
  const { rawsort, cursor: place, ...others } = query
  const keys = readOrder(grouping, rawsort)
  const paged = place === undefined ? others : Object.assign({ pagenumber: 1 }, others)
  const plan = await planList(entity, paged, planning)
  const { filters, pageSize, representation } = plan
  const cursor = place === undefined ? undefined : parseCursor({ entity, keys, filters }, place)
  return {
    ...plan,
    keys,
    order: orderBy(keys),
    seed: null,
    cursor,
    pageNumber: cursor === undefined ? plan.pageNumber : Math.floor(cursor.seen / pageSize) + 1,
    wantsIds: false,
    representation: { ...representation, fields: pathsOf(grouping), selectedBy: 'hub' },
    // Parameters that change how records are shown do not change the groups.
    rewrites: [],
  }
}

function pathsOf({ paths, aggregates }: Grouping): readonly FieldPath[] {
  return [...paths, ...aggregates.flatMap(({ path }) => path ?? [])]
}

/**
 * Returns the keys of `rawsort`, or the first aggregate in descending order, then the other columns
 * in ascending order, starting with the groups, so that the order is total (decision D4).
 */
function readOrder({ columns, paths }: Grouping, rawsort: string | undefined): readonly OrderKey[] {
  const wanted =
    rawsort === undefined
      ? columns.slice(paths.length, paths.length + 1).flatMap((one) => keysOf(one, 'descending'))
      : readKeys(columns, rawsort)
  const others = columns.flatMap((column) => keysOf(column, 'ascending'))
  const names = new Set(wanted.map(({ name }) => name))
  return [...wanted, ...others.filter(({ name }) => !names.has(name))]
}

/** rawsort = key , { "," key } ; key = [ "-" ] , the text of a column */
function readKeys(columns: readonly Column[], rawsort: string): readonly OrderKey[] {
  let position = 0
  const keys = new Map<string, OrderKey>()
  for (const part of rawsort.split(',')) {
    const written = part.trim()
    const text = written.replace(/^-\s*/, '')
    const column = columns.find((one) => one.text === text)
    if (column === undefined) throw notShown(columns, text, position)
    for (const key of keysOf(column, text === written ? 'ascending' : 'descending')) {
      if (!keys.has(key.name)) keys.set(key.name, key)
    }
    position += part.length + 1
  }
  return [...keys.values()]
}

function notShown(columns: readonly Column[], text: string, position: number): AppError {
  const shown = columns.map((column) => column.text)
  return rejected({
    parameter: 'rawsort',
    detail: `has ${JSON.stringify(text)}, which is not in groupby or agg, so groups cannot be sorted by it`,
    position,
    expected: shown,
    ...hintAt(text, shown),
  })
}

/** Returns the sort keys of a column. A missing value sorts last in both directions. */
function keysOf({ text, name }: Column, direction: OrderKey['direction']): readonly OrderKey[] {
  const isMissing = sql`(${name} is null)::int::text`
  return [
    { name: `${text}?`, value: isMissing, type: 'text', direction: 'ascending' },
    { name: text, value: sql`coalesce(${name}, 'null'::jsonb)`, type: 'jsonb', direction },
  ]
}
