import type { OrderKey } from '../content/index.ts'
import { parseCursor, standsBehind } from '../content/index.ts'
import { all, identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { versionsOfLatest } from '../timeseries/index.ts'
import type { ColdSelection } from '../timeseries/index.ts'
import { compileFilter } from './filter/compile.ts'
import { historyOf } from './history.ts'
import { rejecting } from './options.ts'
import type { Options } from './options.ts'
import { keysOf } from './order.ts'
import type { Resource, Step } from './resource-path.ts'
import { joined, scopeOf } from './scope.ts'
import type { Scope, View } from './scope.ts'
import { countOf, numbered, printEntity, roomOf, selection } from './shown.ts'

/** What of a resource is read, and in which order. */
export type Plan = {
  readonly statement: Sql
  /** Prints the versions of everything that an answer may show. */
  readonly version: Sql
  /** What a cursor of the next page carries. */
  readonly keys: readonly OrderKey[]
  /** Whether it may keep the database busy for seconds. */
  readonly isHeavy: boolean
  /** What of the history it may read. */
  readonly history: ColdSelection | undefined
  /** Whether the same data always gives the same answer. */
  readonly isTimeless: boolean
}

/** Entities of a page, where the request says nothing, and at most. */
const pageSizes = { usual: 100, most: 1000 } as const

type Asked = {
  readonly resource: Resource
  readonly options: Options
  /** Where the page begins. */
  readonly cursor: string | undefined
}

/** Columns of a row of the statement before the values of its keys. */
export const columnsBefore = 5

/**
 * One statement for the whole answer, however much of it is expanded.
 * @throws AppError HUB-QRY-018 for names that do not exist, HUB-QRY-012 for the cursor of another list
 */
export function planRead({ resource, options, cursor }: Asked, view: View): Plan {
  const { steps, isSet } = resource
  const [step, ...before] = steps.toReversed()
  if (step === undefined) throw new TypeError('A resource has at least one step')
  const scope = scopeOf(view, step.entity)
  const { row } = scope
  const { filter, skip = 0 } = options
  const wanted =
    filter === undefined ? [] : [rejecting('$filter', () => compileFilter(filter, scope))]
  const chosen = [...conditionsOf([step, ...before], scope), ...wanted]
  const keys = rejecting('$orderby', () => keysOf(options.orderby ?? [], scope))
  const behind =
    cursor === undefined ? [] : [standsBehind(keys, parseCursor(listOf(keys), cursor).values)]
  const size = isSet ? Math.min(options.top ?? pageSizes.usual, pageSizes.most) : 1
  const page = numbered(scope, { conditions: [...chosen, ...behind], keys, size, skip })
  rejecting('$select', () => selection(scope, options.select))
  const shown = rejecting('$expand', () =>
    printEntity(scope, { ...options, most: Math.max(1, size), room: roomOf(options) }),
  )
  const count = options.count === true ? sql`(${countOf(scope, chosen)})` : sql`null::bigint`
  const texts = keys.map((_, index) => sql`${row}.${identifier(`key ${String(index)}`)}`)
  const version = versionsOfLatest()
  const statement = sql`
    select dataset.version, dataset.is_there::text, dataset.number, page.*
    from (
      select ${version} as version, ${isThere(before, scope)} as is_there, ${count} as number) as dataset
    left join lateral (
      select ${row}.page_total, ${shown} as shown, ${join(texts, ', ')}, ${row}.page_place
      from (${page.rows}) as ${row} where ${page.isShown}) as page on true
    order by page.page_place`
  return {
    ...{ statement, version, keys },
    isHeavy: isHeavy(view, { steps, options }),
    history: historyOf({ steps, options, cursor }, view),
    isTimeless: !statement.text.includes('now()'),
  }
}

/** What a cursor is of: the link that carries it has the filter, too. */
export const listOf = (keys: readonly OrderKey[]) => ({ keys, filters: [] })

/** A row is the one that the last step names, and belongs to those of the steps before. */
function conditionsOf([step, ...before]: readonly Step[], { view, row }: Scope): readonly Sql[] {
  if (step === undefined) return []
  const { entity, id, relation } = step
  const [owner] = before
  const own = id === undefined ? [] : [entity.isRow(row, id) ?? sql`false`]
  if (owner === undefined || relation === undefined) return own
  const around = scopeOf(view, owner.entity)
  const conditions = [joined(relation, around.row, row), ...conditionsOf(before, around)]
  return [
    ...own,
    sql`exists (select from (${owner.entity.table}) as ${around.row} where ${all(conditions)})`,
  ]
}

/** Whether the entity is there that a set belongs to. */
function isThere(before: readonly Step[], { view }: Scope): Sql {
  const [owner] = before
  if (owner === undefined) return sql`true`
  const scope = scopeOf(view, owner.entity)
  const conditions = conditionsOf(before, scope)
  return sql`exists (select from (${owner.entity.table}) as ${scope.row} where ${all(conditions)})`
}

const times = new Set(['phenomenonTime', 'resultTime'])

/** Observations are found by their series and by their time; whatever else chooses them reads many. */
function isHeavy(
  { compared }: View,
  { steps, options }: Pick<Resource, 'steps'> & Pick<Asked, 'options'>,
) {
  const isEverySeries = steps.length === 1 && steps[0]?.entity.name === 'Observation'
  const isByTime = times.has(options.orderby?.[0]?.path.names[0] ?? '')
  if (isEverySeries && options.filter !== undefined && !isByTime) return true
  return [...compared].some((name) => !times.has(name))
}
