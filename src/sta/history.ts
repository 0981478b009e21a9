import { identifier, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { ColdSelection } from '../timeseries/index.ts'
import type { EntityName } from './entities.ts'
import { conjuncts, digitsOf, pathsOf } from './filter/compile.ts'
import type { Expression } from './filter/grammar.ts'
import type { Options } from './options.ts'
import type { Step } from './resource-path.ts'
import type { View } from './scope.ts'

type Asked = {
  readonly steps: readonly Step[]
  readonly options: Options
  readonly cursor: string | undefined
}

/**
 * What of the history a request may read, for months whose values have to be brought back first; undefined where it
 * reads no observations.
 */
export function historyOf(asked: Asked, { read }: View): ColdSelection | undefined {
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

/** What of a series an entity is known by. */
const columns: Partial<Record<EntityName, string>> = {
  Thing: 'station_id',
  FeatureOfInterest: 'station_id',
  ObservedProperty: 'data_type_id',
  Datastream: 'id',
  Sensor: 'id',
}

/** The series of an entity in the address; everything below it belongs to them. */
function seriesOf(steps: readonly Step[]): Sql {
  for (const { entity, id = '' } of steps) {
    // The identifier of an observation has fifteen digits of its time behind the series.
    const [, number] = (entity.name === 'Observation' ? withTime : plain).exec(id) ?? []
    const column = entity.name === 'Observation' ? 'id' : columns[entity.name]
    if (number === undefined || column === undefined) continue
    return sql`select id from series where ${identifier(column)} = ${Number(number)}`
  }
  return sql`select id from series`
}

/** The observations of a list that are chosen by their identifiers. */
function stepsOf({ steps, options: { filter } }: Asked): readonly Step[] {
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

/** By the times that every observation of a list has to be between. */
function rangeOf(filter: Expression | undefined): ColdSelection['range'] {
  let { from, to } = always
  for (const one of filter === undefined ? [] : conjuncts(filter)) {
    if (one.kind !== 'operation') continue
    const [path, time] = one.of
    if (path.kind !== 'path' || !isTime(path.names) || time.kind !== 'time') continue
    if (['ge', 'gt', 'eq'].includes(one.operator)) from = time.value > from ? time.value : from
    if (['le', 'lt', 'eq'].includes(one.operator)) to = time.value < to ? time.value : to
  }
  return { from, to }
}

const mostOfList = 1000

/** How many of the newest values of each series are read at most; undefined where it may be any others. */
function newestOf({ steps, options, cursor }: Asked): number | undefined {
  if (cursor !== undefined) return undefined
  const lists = [...(isList(steps) ? [options] : []), ...listsIn(options)]
  const isNewestFirst = ({ filter, count, orderby: [first] = [] }: Options) =>
    filter === undefined &&
    count !== true &&
    first?.direction === 'descending' &&
    isTime(first.path.names)
  if (lists.length === 0 || !lists.every(isNewestFirst) || looksInside(options)) return undefined
  return Math.max(...lists.map(({ top = mostOfList, skip = 0 }) => top + skip + 1))
}

function listsIn({ expand = [] }: Options): readonly Options[] {
  return expand.flatMap(({ name, options }) => [
    ...(name === 'Observations' ? [options] : []),
    ...listsIn(options),
  ])
}

/** Whether entities are chosen by their observations. */
function looksInside({ filter, expand = [] }: Options): boolean {
  const paths = filter === undefined ? [] : pathsOf(filter)
  return (
    paths.some(({ names }) => names.includes('Observations')) ||
    expand.some(({ options }) => looksInside(options))
  )
}
