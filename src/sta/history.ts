import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { ColdSelection } from '../timeseries/index.ts'
import type { EntityName } from './entities.ts'
import { conjuncts, digitsOf, pathsOf } from './filter/compile.ts'
import type { Expression } from './filter/grammar.ts'
import type { Options } from './options.ts'
import type { Step } from './resource-path.ts'
import type { View } from './scope.ts'

type HistoryRequest = {
  readonly steps: readonly Step[]
  readonly options: Options
  readonly cursor: string | undefined
}

/**
 * Returns the part of the history that a request may read, so that months whose values are in files
 * can be restored first; undefined if it reads no observations.
 */
export function historyOf(asked: HistoryRequest, { read }: View): ColdSelection | undefined {
  if (!read.has('Observation')) return undefined
  const { steps, options } = asked
  const newest = newestOf(asked)
  return {
    series: seriesOf([...steps, ...stepsOf(asked)]),
    range: isList(steps) ? rangeOf(options.filter) : always,
    ...(newest !== undefined && { newest }),
  }
}

const always = { from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }

function isList(steps: readonly Step[]): boolean {
  const last = steps.at(-1)
  return last?.entity.name === 'Observation' && last.id === undefined
}

/** Column of a series that identifies an entity. */
const columns: Partial<Record<EntityName, string>> = {
  Thing: 'station_id',
  FeatureOfInterest: 'station_id',
  ObservedProperty: 'data_type_id',
  Datastream: 'id',
  Sensor: 'id',
}

/**
 * Selects the series of an entity in the path, or all series. Everything below that entity belongs
 * to its series.
 */
function seriesOf(steps: readonly Step[]): Sql {
  for (const { entity, id = '' } of steps) {
    // The identifier of an observation is the number of its series followed by fifteen digits for
    // its time.
    const [, number] = (entity.name === 'Observation' ? withTime : plain).exec(id) ?? []
    const column = entity.name === 'Observation' ? 'id' : columns[entity.name]
    if (number === undefined || column === undefined) continue
    return sql`select id from series where ${identifier(column)} = ${Number(number)}`
  }
  return sql`select id from series`
}

/** Returns a step for each observation of a list that the filter selects by its identifier. */
function stepsOf({ steps, options: { filter } }: HistoryRequest): readonly Step[] {
  const last = steps.at(-1)
  if (last === undefined || filter === undefined || !isList(steps)) return []
  return conjuncts(filter).flatMap((one) => {
    if (one.kind !== 'operation' || one.operator !== 'eq') return []
    const [path, literal] = one.of
    const isId = path.kind === 'path' && path.names.join('/') === 'id'
    return isId ? [{ ...last, id: digitsOf(literal) }] : []
  })
}

const plain = /^(\d{1,9})$/
const withTime = /^(\d{1,9})\d{15}(?:\.\d+)?$/

const times = ['phenomenonTime', 'resultTime']
const isTime = (names: readonly string[]) => names.length === 1 && times.includes(names[0] ?? '')

/** Returns the time range to which the filter restricts all observations of a list. */
function rangeOf(filter: Expression | undefined): ColdSelection['range'] {
  let { from, to } = always
  for (const one of filter === undefined ? [] : conjuncts(filter)) {
    if (one.kind !== 'operation') continue
    const [path, time] = one.of
    if (path.kind !== 'path' || !isTime(path.names) || time.kind !== 'time') continue
    if (['ge', 'gt', 'eq'].includes(one.operator)) from = time.value > from ? time.value : from
    const end = endOf(one.operator, time.value)
    if (end < to) to = end
  }
  return { from, to }
}

/** Returns the first moment after all those that a comparison with a time allows. */
function endOf(operator: string, time: string): string {
  if (operator === 'lt') return time
  const isBounded = operator === 'le' || operator === 'eq'
  // Values have microseconds, so the next millisecond is after the time.
  return isBounded ? new Date(Date.parse(time) + 1).toISOString() : always.to
}

const maxListItems = 1000

/**
 * Returns how many of the newest values of each series the request may read at most; undefined if
 * it may read others as well.
 */
function newestOf({ steps, options, cursor }: HistoryRequest): number | undefined {
  if (cursor !== undefined) return undefined
  const lists = [...(isList(steps) ? [options] : []), ...listsIn(options)]
  const isNewestFirst = ({ filter, count, orderby: [first] = [] }: Options) =>
    filter === undefined &&
    count !== true &&
    first?.direction === 'descending' &&
    isTime(first.path.names)
  if (lists.length === 0 || !lists.every(isNewestFirst) || looksInside(options)) return undefined
  return Math.max(...lists.map(({ top = maxListItems, skip = 0 }) => top + skip + 1))
}

function listsIn({ expand = [] }: Options): readonly Options[] {
  return expand.flatMap(({ name, options }) => [
    ...(name === 'Observations' ? [options] : []),
    ...listsIn(options),
  ])
}

/** Reports whether entities are selected by their observations. */
function looksInside({ filter, expand = [] }: Options): boolean {
  const paths = filter === undefined ? [] : pathsOf(filter)
  return (
    paths.some(({ names }) => names.includes('Observations')) ||
    expand.some(({ options }) => looksInside(options))
  )
}
