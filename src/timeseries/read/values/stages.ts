import { all, empty, sql } from '../../../sql/index.ts'
import type { Sql } from '../../../sql/index.ts'
import { dataType, measurement, parent, station } from '../../catalogue/groups.ts'
import type { Group } from '../../catalogue/groups.ts'
import type { Level, Order } from '../../catalogue/level.ts'
import { compileWhere } from '../../where/compile.ts'
import type { Resolved } from '../../where/resolve.ts'

/**
 * A read of values in two steps: first the series are chosen, with everything that is asked of them,
 * then their values are read. So the values, of which there are many, are joined to nothing.
 */
export type Stages = {
  readonly series: {
    readonly from: Sql
    readonly where: Sql
    /** The order of the answer without the time, which the series do not have. */
    readonly order: readonly Sql[]
  }
  readonly values: {
    /** What has a series_id and a valid_time. */
    readonly relation: Sql
    /** What the conditions need beside it. */
    readonly joins: Sql
    readonly range: { readonly from: string; readonly to: string } | undefined
    readonly where: Sql
  }
}

type Parts = {
  readonly level: Level
  readonly visible: Sql
  /** What the path and `origin` select. */
  readonly selected: readonly Sql[]
  /** Relations of the fields that are shown or tested. */
  readonly groups: readonly Group[]
  readonly wanted: Resolved | undefined
  readonly order: Order
  /** Whether values may be joined to what a test needs beside them: they then come in no order. */
  readonly mayJoin: 'never' | 'forTests'
}

/** @returns undefined where a level shows no values, or a test needs a series and its value at once */
export function toStages(parts: Parts): Stages | undefined {
  const { level, visible, selected, groups, wanted, order } = parts
  const { values, range } = level
  const tests = conjunctsOf(wanted).map((test) => ({ test, stage: stageOf(test) }))
  const isMixed = tests.some(({ stage }) => stage === undefined)
  if (values === undefined || (isMixed && parts.mayJoin === 'never')) return undefined
  const of = (wantedStage: Stage | undefined) =>
    tests.flatMap(({ test, stage }) => (stage === wantedStage ? [compileWhere(test)] : []))
  const described = groups.filter((group) => describing.includes(group))
  const conditions = described.map(({ condition }) => condition)
  const where = [...values.ofSeries(visible), ...selected, ...conditions, ...of('series')]
  return {
    series: {
      from: described.reduce((from, { join }) => sql`${from} ${join}`, chosenFrom),
      where: all(where),
      order: order.columns
        .filter(({ type }) => type !== 'timestamptz')
        .map(({ expression }) => expression),
    },
    values: {
      relation: values.relation,
      joins: isMixed ? joinsOf(groups) : empty,
      range,
      where: all([...of('values'), ...of(undefined)]),
    },
  }
}

/** What describes a value, and its provenance. */
function joinsOf(groups: readonly Group[]): Sql {
  return groups.reduce(
    (joins, group) => sql`${joins} ${group.join}`,
    sql`
      join series as x on x.id = m.series_id
      join station as s on s.id = x.station_id
      join data_type as t on t.id = x.data_type_id`,
  )
}

/** What belongs to a value and is the same for its whole series is written of `m`, too. */
const chosenFrom = sql`
  series as x
  join station as s on s.id = x.station_id
  join data_type as t on t.id = x.data_type_id
  cross join lateral (select x.id as series_id) as m`

const describing: readonly Group[] = [station, parent, dataType]

type Stage = 'series' | 'values'

function conjunctsOf(condition: Resolved | undefined): readonly Resolved[] {
  if (condition === undefined) return []
  return condition.kind === 'and' ? condition.of.flatMap(conjunctsOf) : [condition]
}

/** Where a condition can be tested; undefined when no one place has all that it names. */
function stageOf(condition: Resolved): Stage | undefined {
  if (condition.kind !== 'test') {
    const [first, ...others] = new Set(condition.of.map(stageOf))
    return others.length === 0 ? first : undefined
  }
  const { group, field } = condition.found
  if (describing.includes(group) || field.isOfSeries === true) return 'series'
  return group === measurement ? 'values' : undefined
}
