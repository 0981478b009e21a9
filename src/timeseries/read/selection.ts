import { empty, identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Order } from '../catalogue/levels.ts'
import { keysOf } from './plan.ts'
import type { ReadPlan } from './plan.ts'

/** What to read of which rows: first the columns of the order, then these. */
export type Selection = {
  readonly plan: ReadPlan
  readonly order: Order
  /** The mark for an entry of the tree, then what is shown and no column of the order. */
  readonly columns: readonly Sql[]
  /** Where in a row each shown field stands. */
  readonly places: readonly number[]
  readonly from: Sql
  readonly where: Sql
  /** For grouped rows, by what; and whether they come after a row is known only of the group. */
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

/** Equal texts are equal expressions only if no value is bound in them. */
function isPlain({ values }: Sql): boolean {
  return values.length === 0
}

/**
 * Rows that show the same are one. They stand where the first of them would stand, so the order is
 * total and like that of the single rows (decisions D4, D46a).
 */
function groupedRows(plan: ReadPlan): Selection {
  const { shown, structure, level } = plan
  const keys = structure === 'tree' ? keysOf(level) : []
  const keyNames = keys.map((_key, place) => name('key', place))
  const values = shown.map(({ aggregate }, place) => {
    const value = name('value', place)
    return aggregate === undefined ? value : aggregate.apply(value)
  })
  const plain = shown.flatMap(({ aggregate }, place) =>
    aggregate === undefined ? [name('value', place)] : [],
  )
  const by = [...keyNames, ...plain]
  const present = keys.length + 1
  return {
    plan,
    order: {
      columns: [
        ...keyNames.map((expression) => ({ expression, type: 'text' as const })),
        { expression: sql`min(place collate "C")`, type: 'text[]' },
      ],
      indexed: 0,
    },
    columns: [sql`max(mark)`, ...values],
    places: values.map((_value, place) => present + 1 + place),
    from: sql`(${rowsOf(plan, keys)}) as single`,
    where: sql`true`,
    groupBy: by.length === 0 ? empty : sql`group by ${join(by, ', ')}`,
    afterGroups: true,
  }
}

/** Each row, with its place in the order and what will be grouped. */
function rowsOf(plan: ReadPlan, keys: readonly Sql[]): Sql {
  const { order, shown, from, where } = plan
  const place = order.columns.map(({ expression }) => sql`(${expression})::text`)
  const columns = [
    sql`array[${join(place, ', ')}] as place`,
    sql`${markOf(plan)} as mark`,
    ...keys.map((key, index) => sql`${key} as ${name('key', index)}`),
    ...shown.map(({ printed }, index) => sql`${printed} as ${name('value', index)}`),
  ]
  return sql`select ${join(columns, ', ')} from ${from} where ${where}`
}

function markOf({ level }: ReadPlan): Sql {
  return level.tree.list?.present ?? sql`null::integer`
}

const name = (kind: 'key' | 'value', place: number) => identifier(`${kind}_${place}`)
