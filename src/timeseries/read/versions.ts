import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { versionOfDataset } from '../../storage/index.ts'
import { dataTypes, eventsOf, measurementsOf, stationsOf } from '../datasets.ts'
import type { Names } from './members.ts'
import type { Representation } from './representation.ts'

/**
 * A subquery that prints the versions of all datasets of an answer, the base of its entity tag. It
 * depends on no row, so a statement that contains it evaluates it once.
 */
export function versionsOf(type: Representation['type'], names: Names): Sql {
  const { version, everyName } = datasets[type]
  const wanted = names.kind === 'all' ? everyName : sql`select unnest(${names.names}::text[])`
  return sql`(
    select concat(${versionOfDataset(sql`${dataTypes}`)}, ' ', string_agg(${version}, ' ' order by name))
    from (${wanted}) as wanted (name))`
}

const everyStationType = sql`select station_types()`

const versionOfStations = versionOfDataset(sql`${stationsOf('')} || name`)

const datasets: Readonly<
  Record<Representation['type'], { readonly version: Sql; readonly everyName: Sql }>
> = {
  node: {
    version: sql`concat(${versionOfStations}, ' ', ${versionOfDataset(sql`${measurementsOf('')} || name`)})`,
    everyName: everyStationType,
  },
  edge: { version: versionOfStations, everyName: everyStationType },
  event: {
    version: versionOfDataset(sql`${eventsOf('')} || name`),
    everyName: sql`select distinct origin from mobility_event`,
  },
}
