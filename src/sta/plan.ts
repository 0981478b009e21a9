import { orderBy, parseCursor, standsBehind } from '../content/index.ts'
import type { OrderKey } from '../content/index.ts'
import { assertNotClamped } from '../http/index.ts'
import { all, identifier, join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { versionsOfLatest } from '../timeseries/index.ts'
import type { ColdSelection } from '../timeseries/index.ts'
import { compileFilter } from './filter/compile.ts'
import { historyOf } from './history.ts'
import { parametersOf, rejecting } from './options.ts'
import type { Expand, Options } from './options.ts'
import { keysOf, joined, propertiesOf, relationOf, scopeOf, unknownName } from './scope.ts'
import type { Resource, Step } from './resource-path.ts'
import type { Scope, View } from './scope.ts'
import { LanguageError } from '../lang/index.ts'
import { setNames } from './entities.ts'
import type { Entity } from './entities.ts'

/** The query for a resource. */
export type Plan = {
  readonly statement: Sql
  readonly version: Sql
  /**
   * The list to which a cursor belongs. The filter is not part of it, because the link with the
   * cursor contains the filter.
   */
  readonly list: {
    readonly entity: Pick<Entity, 'name'>
    readonly keys: readonly OrderKey[]
    readonly filters: readonly []
  }
  /** True if the query may keep the database busy for seconds. */
  readonly isHeavy: boolean
  /** The part of the history that the query may read; undefined if it reads no observations. */
  readonly history: ColdSelection | undefined
  /** True if the same data always yields the same response. */
  readonly isTimeless: boolean
}

/** Default and maximum number of entities on a page. */
export const pageSizes = { usual: 100, most: 1000 } as const

type PlanRequest = {
  readonly resource: Resource
  readonly options: Options
  /** Cursor after which the page starts. */
  readonly cursor: string | undefined
}

/** Number of columns before the values of the sort keys. */
export const columnsBefore = 5

/**
 * Plans one statement for the whole response, including all expanded relations.
 * @throws AppError HUB-QRY-018 for names that do not exist, HUB-QRY-012 for the cursor of another
 * list
 */
export function planRead({ resource, options, cursor }: PlanRequest, view: View): Plan {
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
  const list = { entity: step.entity, keys, filters: [] } as const
  const behind = cursor === undefined ? [] : [standsBehind(keys, parseCursor(list, cursor).values)]
  const size = isSet ? Math.min(options.top ?? pageSizes.usual, pageSizes.most) : 1
  const conditions = [...chosen, ...behind]
  const series = seriesOf([step, ...before], view)
  const page = numbered(scope, { conditions, keys, size, skip, series })
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
    ...{ statement, version, list },
    isHeavy: isHeavy(view, { steps, options }),
    history: historyOf({ steps, options, cursor }, view),
    isTimeless: !statement.text.includes('now()'),
  }
}

/**
 * Returns the conditions on the rows of the last step: they have its identifier and belong to the
 * entities of the steps before it.
 */
function conditionsOf([step, ...before]: readonly Step[], { view, row }: Scope): readonly Sql[] {
  if (step === undefined) return []
  const { entity, id, relation } = step
  const [owner] = before
  const own = id === undefined ? [] : [entity.compareId(row, id, sql`=`) ?? sql`false`]
  if (owner === undefined || relation === undefined) return own
  const series = seriesOf([step, ...before], view)
  if (series !== undefined) return [...own, isIn(series, row)]
  const around = scopeOf(view, owner.entity)
  const conditions = [joined(relation, around.row, row), ...conditionsOf(before, around)]
  return [
    ...own,
    sql`exists (select from (${owner.entity.table}) as ${around.row} where ${all(conditions)})`,
  ]
}

/**
 * Selects the series of a station's observations; undefined for entities that are found by other
 * columns.
 */
function seriesOf([step, owner, ...before]: readonly Step[], view: View): Sql | undefined {
  if (owner === undefined || step?.relation?.series === undefined) return undefined
  const around = scopeOf(view, owner.entity)
  const conditions = all(conditionsOf([owner, ...before], around))
  const own = sql`${around.row}.${identifier(step.relation.own)}`
  return step.relation.series(
    sql`select ${own} from (${owner.entity.table}) as ${around.row} where ${conditions}`,
  )
}

const isIn = (series: Sql, row: Sql) => sql`${row}.series_id = any(array(${series}))`

/** Returns SQL that reports whether the owner of the requested set exists. */
function isThere(before: readonly Step[], { view }: Scope): Sql {
  const [owner] = before
  if (owner === undefined) return sql`true`
  const scope = scopeOf(view, owner.entity)
  const conditions = conditionsOf(before, scope)
  return sql`exists (select from (${owner.entity.table}) as ${scope.row} where ${all(conditions)})`
}

const times = new Set(['phenomenonTime', 'resultTime'])

/**
 * Reports whether the query may read many observations. Only their series and their time are
 * indexed.
 */
function isHeavy(
  { compared }: View,
  { steps, options }: Pick<Resource, 'steps'> & Pick<PlanRequest, 'options'>,
) {
  const isEverySeries = steps.length === 1 && steps[0]?.entity.name === 'Observation'
  const isByTime = times.has(options.orderby?.[0]?.path.names[0] ?? '')
  if (isEverySeries && options.filter !== undefined && !isByTime) return true
  return [...compared].some((name) => !times.has(name))
}

/** Maximum number of nested entities in a response, over all relations. */
const maxInside = 10_000

/** Maximum number of relations that a response expands. */
const maxExpanded = 10

/** Default number of related entities per entity. */
const defaultExpandedTop = 25

/** Maximum depth of nested entities. */
const maxDepth = 5

/** What is shown of an entity, and how many such entities there may be. */
type Showing = Pick<Options, 'select' | 'expand'> & {
  readonly most: number
  /** Maximum number of entities that each relation may show. */
  readonly room: number
  readonly depth?: number
}

/**
 * Returns how many entities each expanded relation may show, so that responses are limited.
 * @throws LanguageError for too many relations
 */
function roomOf({ expand = [] }: Options): number {
  const expanded = countExpanded(expand)
  const [first] = expand
  if (expanded > maxExpanded && first !== undefined) {
    const message = `An answer expands up to ${String(maxExpanded)} relations, not ${String(expanded)}.`
    throw new LanguageError(message, first)
  }
  return Math.floor(maxInside / Math.max(1, expanded))
}

const countExpanded = (expand: readonly Expand[]): number =>
  expand.reduce((sum, { options }) => sum + 1 + countExpanded(options.expand ?? []), 0)

/**
 * Returns SQL that prints an entity as JSON, including its expanded relations (OGC 18-088, 8.1 and
 * 9.3.3).
 * @throws LanguageError for names that do not exist
 */
function printEntity(scope: Scope, { select, expand = [], ...showing }: Showing): Sql {
  const { most, room, depth = 0 } = showing
  const { entity, row, view } = scope
  const [first] = expand
  if (depth === maxDepth && first !== undefined) {
    throw new LanguageError(`Entities are expanded up to ${String(maxDepth)} levels deep.`, first)
  }
  const isSelected = selection(scope, select)
  const self = sql`concat(${`${view.root}/${setNames[entity.name]}`}::text, ${keyOf(scope)})`
  const properties = [...propertiesOf(entity)].map(([name, { printed }]) => {
    const shown = name === 'id' ? '@iot.id' : name
    return isSelected(name) ? [member(shown, printed(row))] : []
  })
  const links = Object.keys(entity.relations)
    .filter((name) => isSelected(name) && !expand.some((one) => one.name === name))
    .map((name) =>
      member(`${name}@iot.navigationLink`, sql`to_json(${self} || ${`/${name}`}::text)::text`),
    )
  const [id = [], ...others] = properties
  const selfLink = isSelected('selfLink')
    ? [member('@iot.selfLink', sql`to_json(${self})::text`)]
    : []
  const expanded = expand.map((one) =>
    printRelated(scope, one, { self, most, room, depth: depth + 1 }),
  )
  const members = [...id, ...selfLink, ...others.flat(), ...expanded, ...links]
  return sql`('{' || concat_ws(',', ${join(members, ', ')}) || '}')`
}

function keyOf({ entity, row }: Scope): Sql {
  const id = entity.id(row)
  return entity.name === 'Observation' ? sql`'(''' || ${id} || ''')'` : sql`'(' || ${id} || ')'`
}

/** Returns SQL that prints a field; null if its value is null, so that it is left out. */
function member(name: string, value: Sql): Sql {
  return sql`${`${JSON.stringify(name)}:`}::text || ${value}`
}

/**
 * Returns a function that reports whether a property or relation is shown.
 * @throws LanguageError for a name that the entity does not have
 */
function selection({ entity }: Scope, select: Options['select']): (name: string) => boolean {
  if (select === undefined) return () => true
  const known = new Set([
    'selfLink',
    ...propertiesOf(entity).keys(),
    ...Object.keys(entity.relations),
  ])
  const names = select.map(({ names, position }) => {
    const name = names.join('/')
    if (known.has(name)) return name
    throw unknownName(entity, name, position)
  })
  return (name) => names.includes(name)
}

type Around = Required<Pick<Showing, 'most' | 'room' | 'depth'>> & { readonly self: Sql }

function printRelated(scope: Scope, expand: Expand, { self, ...around }: Around): Sql {
  const { view } = scope
  const { name, position, options } = expand
  const relation = relationOf(scope, name, position)
  const inner = scopeOf(view, view.entities[relation.target])
  const { entity, row } = inner
  const filter = options.filter === undefined ? [] : [compileFilter(options.filter, inner)]
  const series = relation.series?.(sql`${scope.row}.${identifier(relation.own)}`)
  const isTheirs = series === undefined ? joined(relation, scope.row, row) : isIn(series, row)
  const conditions = [isTheirs, ...filter]
  if (!relation.isMany) {
    const shown = printEntity(inner, { ...options, ...around })
    const one = sql`(select ${shown} from (${entity.table}) as ${row} where ${all(conditions)})`
    return member(name, sql`coalesce(${one}, 'null')`)
  }
  const { most, room } = around
  const largest = Math.max(1, Math.floor(room / most))
  assertNotClamped(view, `$expand=${name}($top)`, [options.top ?? 0, largest])
  const size = Math.min(options.top ?? defaultExpandedTop, largest)
  const keys = keysOf(options.orderby ?? [], inner)
  const skip = options.skip ?? 0
  const page = numbered(inner, { conditions, keys, size, skip, series })
  const shown = printEntity(inner, { ...options, ...around, most: most * Math.max(1, size) })
  const next = nextLink({ self, expand, skip })
  const counted =
    options.count === true
      ? [member(`${name}@iot.count`, sql`(${countOf(inner, conditions)})::text`)]
      : []
  const list = sql`(
    select ${member(name, sql`'[' || coalesce(string_agg(${shown}, ',' order by ${row}.page_place) filter (where ${page.isShown}), '') || ']'`)}
      || case when max(${row}.page_total) > count(*) filter (where ${page.isShown})
        then ',' || ${member(`${name}@iot.nextLink`, sql`to_json(${next} || count(*) filter (where ${page.isShown}) + ${skip}::bigint)::text`)}
        else '' end
    from (${page.rows}) as ${row})`
  return join([...counted, list], ', ')
}

type Rest = { readonly self: Sql; readonly expand: Expand; readonly skip: number }

/** Returns SQL for the link to the remaining entities, without the number to skip at its end. */
function nextLink({ self, expand }: Rest): Sql {
  const parameters = parametersOf(expand).map((parameter) => {
    const [name = '', ...value] = parameter.split('=')
    return `${name}=${encodeURIComponent(value.join('='))}`
  })
  return sql`${self} || ${`/${expand.name}?${[...parameters, '$skip='].join('&')}`}::text`
}

function countOf({ entity, row, view }: Scope, conditions: readonly Sql[]): Sql {
  if (entity.name === 'Observation') view.compared.add('count')
  return sql`select count(*) from (${entity.table}) as ${row} where ${all(conditions)}`
}

type Page = {
  readonly conditions: readonly Sql[]
  readonly keys: readonly OrderKey[]
  readonly size: number
  readonly skip: number
  /**
   * Set for observations of several series: those of each series are found by an index, and no
   * others are read.
   */
  readonly series: Sql | undefined
}

/**
 * Selects the rows of a page in their order, and one more row if there is one, with their place,
 * the number of rows, and the values of the keys. The history that a page of observations spans is
 * limited (decision D62): the page ends where the limit is reached.
 */
function numbered(scope: Scope, { conditions, keys, size, skip, series }: Page) {
  const { entity, row, view } = scope
  const texts = keys.map(
    ({ value }, index) => sql`(${value})::text as ${identifier(`key ${String(index)}`)}`,
  )
  const days = entity.name === 'Observation' ? view.historyDays : undefined
  const span = sql`max(valid_time) over page - min(valid_time) over page`
  const chosen = sql`(${entity.table}) as ${row} where ${all(conditions)}`
  const inEach = sql`
    select * from ${chosen} and ${row}.series_id = one.id
    order by ${orderBy(keys)} limit ${skip + size + 1}::bigint`
  const from =
    series === undefined ? chosen : sql`(${series}) as one cross join lateral (${inEach}) as ${row}`
  const rows = sql`
    select *, row_number() over page as page_place, count(*) over () as page_total,
      ${days === undefined ? sql`null::interval` : span} as page_span
    from (
      select ${row}.*, ${join(texts, ', ')} from ${from} order by ${orderBy(keys)}
      limit ${size + 1}::bigint offset ${skip}::bigint) as ordered
    window page as (rows unbounded preceding)`
  const isInSize = sql`${row}.page_place <= ${size}::bigint`
  const isInSpan = sql`${row}.page_span <= make_interval(days => ${days ?? 0}::integer)`
  return { rows, isShown: all(days === undefined ? [isInSize] : [isInSize, isInSpan]) }
}
