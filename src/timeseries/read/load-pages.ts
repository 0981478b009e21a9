import { all, empty, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, TextRow } from '../../storage/index.ts'
import { measurement } from '../catalogue/groups.ts'
import type { Order, OrderColumn } from '../catalogue/levels.ts'
import { keysOf, knownSnapshot } from './plan.ts'
import type { ReadPlan } from './plan.ts'
import type { MakePart } from '../select/compile-call.ts'
import type { Shown } from '../select/resolve.ts'
import type { Stages } from './values/choose-series.ts'
import type { WrittenAnswers } from './write-whole.ts'

/** The query of a plan. Each row has the columns of the order first, then `columns`. */
export type Selection = {
  readonly plan: ReadPlan
  readonly order: Order
  /** The mark for an entry of the tree, then the shown fields that are not columns of the order. */
  readonly columns: readonly Sql[]
  /** Position of each shown field in a row. */
  readonly places: readonly number[]
  readonly from: Sql
  readonly where: Sql
  /**
   * For grouped rows, the `group by` clause. `afterGroups` moves the start of a page into `having`,
   * because the position in the order is known only for a group.
   */
  readonly groupBy: Sql
  readonly afterGroups: boolean
}

export function toSelection(plan: ReadPlan): Selection {
  return plan.rows === 'every' ? everyRow(plan) : groupedRows(plan)
}

function everyRow(plan: ReadPlan): Selection {
  const { order, from, where, shown } = plan
  const columns = [...order.columns.map(({ expression }) => expression), markOf(plan)]
  const places = shown.map(({ printed }) => {
    const known = columns.findIndex(({ text }) => text === printed.text && isPlain(printed))
    return known === -1 ? columns.push(printed) - 1 : known
  })
  return {
    plan,
    order,
    columns: columns.slice(order.columns.length),
    places,
    from,
    where,
    groupBy: empty,
    afterGroups: false,
  }
}

/** Reports whether no value is bound. Only then do equal texts imply equal expressions. */
function isPlain({ values }: Sql): boolean {
  return values.length === 0
}

/**
 * Merges rows that show the same. The merged row has the position of its first row, so the order is
 * total and consistent with that of the single rows (decisions D4, D46a).
 */
function groupedRows(plan: ReadPlan): Selection {
  const { shown, structure, level, stages } = plan
  const keys = structure === 'tree' ? keysOf(level) : []
  const keyNames = keys.map((_key, place) => name('key', place))
  const parts: Sql[] = []
  const part: MakePart = (of, combine) => {
    const made = name('part', parts.length)
    parts.push(sql`${of} as ${made}`)
    return combine(made)
  }
  const values = shown.map(({ aggregate }, place) => {
    const value = name('value', place)
    if (aggregate === undefined) return value
    return stages === undefined ? aggregate.apply(value) : aggregate.apply(aggregate.argument, part)
  })
  const plain = shown.flatMap(({ aggregate }, place) =>
    aggregate === undefined ? [name('value', place)] : [],
  )
  const by = [...keyNames, ...plain]
  const present = keys.length + 1
  const single = stages === undefined ? rowsOf(plan, keys) : seriesOf(plan, { stages, keys, parts })
  return {
    plan,
    order: {
      columns: [
        ...keyNames.map((expression) => ({ expression, type: 'text' as const })),
        { expression: sql`min(place collate "C")`, type: 'text[]' },
      ],
      indexed: 0,
    },
    columns: [sql`max(${shown.some(isOfAnyRow) ? sql`1` : sql`mark`})`, ...values],
    places: values.map((_value, place) => present + 1 + place),
    from: sql`(${single}) as single`,
    where: sql`true`,
    groupBy: by.length === 0 ? empty : sql`group by ${join(by, ', ')}`,
    afterGroups: true,
  }
}

/** Reports whether a field is an aggregate that also covers series without a value. */
function isOfAnyRow({ aggregate, group }: Shown): boolean {
  return aggregate !== undefined && group !== measurement
}

/** Selects each row with its position in the order and the fields to group. */
function rowsOf(plan: ReadPlan, keys: readonly Sql[]): Sql {
  const { order, shown, from, where } = plan
  const place = order.columns.map(({ expression }) => expression)
  const values = shown.map(({ printed }, index) => sql`${printed} as ${name('value', index)}`)
  return sql`select ${join([...columnsOf(plan, place, keys), ...values], ', ')} from ${from} where ${where}`
}

type OfSeries = {
  readonly stages: Stages
  readonly keys: readonly Sql[]
  /** Partial aggregates of the values of each series. */
  readonly parts: readonly Sql[]
}

/**
 * Selects one row per series, which stands for all its values. The partial aggregates are computed
 * from the index of the series, and only then joined to the description of the series.
 */
function seriesOf(plan: ReadPlan, { stages: { series, values }, keys, parts }: OfSeries): Sql {
  const { order, shown } = plan
  const place = order.columns.map(({ expression, type }) =>
    type === 'timestamptz' ? sql`v.valid_time` : expression,
  )
  const plain = shown.flatMap(({ printed, aggregate }, index) =>
    aggregate === undefined ? [sql`${printed} as ${name('value', index)}`] : [],
  )
  const conditions = [
    sql`m.valid_time >= ${values.range?.from ?? null}::timestamptz`,
    sql`m.valid_time < ${values.range?.to ?? null}::timestamptz`,
    sql`m.series_id = any(array(select x.id from ${series.from} where ${series.where}))`,
    values.where,
  ]
  return sql`
    select ${join([...columnsOf(plan, place, keys), ...plain, sql`v.*`], ', ')}
    from ${series.from} join (
      select m.series_id, min(m.valid_time) as valid_time, ${join(parts, ', ')}
      from ${values.relation} as m where ${all(conditions)} group by m.series_id
    ) as v on v.series_id = x.id
    where ${series.where}`
}

function columnsOf(plan: ReadPlan, place: readonly Sql[], keys: readonly Sql[]): readonly Sql[] {
  const texts = place.map((expression) => sql`(${expression})::text`)
  return [
    sql`array[${join(texts, ', ')}] as place`,
    sql`${markOf(plan)} as mark`,
    ...keys.map((key, index) => sql`${key} as ${name('key', index)}`),
  ]
}

function markOf({ level }: ReadPlan): Sql {
  return level.tree.list?.present ?? sql`null::integer`
}

const name = (kind: 'key' | 'value' | 'part', place: number) => identifier(`${kind}_${place}`)

/** Number of rows of the first statement: small, so that a response starts soon. */
const firstPage = 4000

/**
 * Number of cells of each further statement, which limits memory. Every statement looks up its
 * series again and reads the values of one time again, so a stream of large pages is several times
 * faster.
 */
const maxPageSize = 160_000

/** A page of rows. Each row has the columns of the order first, then those of the selection. */
export type Page = {
  readonly rows: readonly TextRow[]
  readonly isLast: boolean
  /** Versions of the datasets, of the same snapshot as the rows. Only on the first page. */
  readonly versions: string | undefined
  /** Whether other series than those of the rows would be chosen by now. */
  readonly isStale?: boolean
  /** Responses that were written from the same rows before. Only if all rows are on this page. */
  readonly written?: WrittenAnswers | undefined
}

/**
 * Reads keyset pages. Each is a short statement of its own that continues after the last row of the
 * previous page, so no connection is held while a slow client reads (decision D9). Once a stream is
 * running, the database reads the next page while this one is written.
 */
export async function* loadPages(
  database: Queryable,
  selection: Selection,
): AsyncGenerator<Page, void, undefined> {
  const { plan, order, columns } = selection
  const size = Math.max(firstPage, Math.ceil(maxPageSize / (order.columns.length + columns.length)))
  const follow = ({ rows, remaining }: Part): Promise<Part> | undefined => {
    if (remaining === 0) return undefined
    const part = loadPart(database, selection, { size, remaining, last: rows.at(-1) })
    // If the reader stops, a failure is ignored. If it continues, the failure is thrown when the
    // part is awaited.
    part.catch(() => undefined)
    return part
  }
  const remaining = plan.limit ?? Number.POSITIVE_INFINITY
  const first = await loadPart(database, selection, { size: firstPage, remaining, last: undefined })
  const versions = first.rows[0]?.at(-1) ?? (await loadVersions(database, plan))
  yield { rows: first.rows, isLast: first.remaining === 0, versions }
  let coming = follow(first)
  while (coming !== undefined) {
    const part = await coming
    coming = follow(part)
    yield { rows: part.rows, isLast: coming === undefined, versions: undefined }
  }
}

type Part = {
  readonly rows: readonly TextRow[]
  /** Number of rows that may still be read; 0 if there are no more. */
  readonly remaining: number
}

type Start = {
  readonly size: number
  readonly remaining: number
  /** The row before the part; undefined for the first part. */
  readonly last: TextRow | undefined
}

async function loadPart(database: Queryable, selection: Selection, start: Start): Promise<Part> {
  const size = Math.min(start.size, start.remaining)
  const rows = await database.texts(pageStatement(selection, size, start.last))
  return { rows, remaining: rows.length < size ? 0 : start.remaining - rows.length }
}

/**
 * Matches a snapshot with no open transaction: xmin equals xmax. An empty list is not sufficient,
 * because a replica does not list open transactions.
 */
const isQuiet = /^(\d+):\1:$/

type State = { readonly snapshot: string; readonly versions: string }

const lastStates = new WeakMap<ReadPlan, State>()

/**
 * Returns the versions of a plan's datasets without reading any of its rows. If the snapshot is the
 * quiet one of the last call, nothing was written since, so the versions are the same and none of
 * up to a hundred datasets is looked up.
 */
export async function loadVersions(database: Queryable, plan: ReadPlan): Promise<string> {
  const last = lastStates.get(plan)
  const statement = plan.versionStatement
  const [row] = await database.texts(
    last === undefined ? statement : statement.replacing(knownSnapshot, last.snapshot),
  )
  const [snapshot, versions] = row ?? []
  if (versions === null && last !== undefined) return last.versions
  const state = { snapshot: snapshot ?? '', versions: versions ?? '' }
  if (isQuiet.test(state.snapshot)) lastStates.set(plan, state)
  return state.versions
}

/** @param last the row before the page; undefined for the first page */
function pageStatement(selection: Selection, size: number, last: TextRow | undefined): Sql {
  const { plan, order, columns, from, where, groupBy, afterGroups } = selection
  const keys = order.columns.map(({ expression }) => expression)
  const selected = [...keys, ...columns, ...(last === undefined ? [sql`${plan.versions}`] : [])]
  const after = last === undefined ? undefined : isAfter(order, last)
  const [further, having] = afterGroups ? [undefined, after] : [after, undefined]
  return sql`
    select ${join(selected, ', ')}
    from ${from}
    where ${where} ${further === undefined ? empty : sql`and ${further}`}
    ${groupBy} ${having === undefined ? empty : sql`having ${having}`}
    order by ${join(keys, ', ')}
    limit ${size}::bigint offset ${last === undefined ? plan.offset : 0}::bigint`
}

/**
 * Returns the condition that a row comes after a given one in the order. An index serves the first
 * part. `coalesce` keeps PostgreSQL from estimating by the first column alone: for a single station
 * type it would expect no rows, and then read and sort all remaining ones for every page.
 */
function isAfter({ columns, indexed }: Order, row: TextRow): Sql {
  const from = columns.slice(0, indexed)
  const after = sql`(${expressionsOf(columns)}) > (${valuesOf(columns, row)})`
  return indexed === 0
    ? after
    : sql`(${expressionsOf(from)}) >= (${valuesOf(from, row)}) and coalesce(${after}, false)`
}

function expressionsOf(columns: readonly OrderColumn[]): Sql {
  return join(
    columns.map(({ expression }) => expression),
    ', ',
  )
}

function valuesOf(columns: readonly OrderColumn[], row: TextRow): Sql {
  return join(
    columns.map(({ type }, index) => sql`${row[index] ?? null}::${typeNames[type]}`),
    ', ',
  )
}

const typeNames: Readonly<Record<OrderColumn['type'], Sql>> = {
  text: identifier('text'),
  int4: identifier('int4'),
  int8: identifier('int8'),
  timestamptz: identifier('timestamptz'),
  'text[]': sql`text[]`,
}
