import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { versionOfDataset } from '../../storage/index.ts'
import { dataTypes, eventsOf, measurementsOf, stationsOf } from '../datasets.ts'
import type { Level } from '../catalogue/levels.ts'
import type { Names } from './members.ts'
import type { Representation } from './representation.ts'

/**
 * A subquery that prints the versions of all datasets of an answer, the base of its entity tag. It
 * depends on no row, so a statement that contains it evaluates it once.
 */
export function versionsOf(
  type: Representation['type'],
  { dataType }: Pick<Level, 'dataType'>,
  names: Names,
): Sql {
  const { prefix, everyName } = datasets[type]
  const shown = [prefix, ...(dataType === undefined ? [] : [measurementsOf('')])]
  const versions = shown.map((each) => versionOfDataset(sql`${each} || name`))
  const wanted = names.kind === 'all' ? everyName : sql`select unnest(${names.names}::text[])`
  return sql`(
    select concat(
      ${dataType === undefined ? sql`''` : versionOfDataset(sql`${dataTypes}`)}, ' ',
      string_agg(concat_ws(' ', ${join(versions, ', ')}), ' ' order by name))
    from (${wanted}) as wanted (name))`
}

/** The names of the datasets of values, one a row. */
export function valueDatasetsOf(names: Names): Sql {
  return names.kind === 'all'
    ? sql`select ${measurementsOf('')} || station_types()`
    : sql`select unnest(${names.names.map(measurementsOf)}::text[])`
}

const everyStationType = sql`select station_types()`

const datasets: Readonly<
  Record<Representation['type'], { readonly prefix: string; readonly everyName: Sql }>
> = {
  node: { prefix: stationsOf(''), everyName: everyStationType },
  edge: { prefix: stationsOf(''), everyName: everyStationType },
  event: { prefix: eventsOf(''), everyName: sql`select distinct origin from mobility_event` },
}
