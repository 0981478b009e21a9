import { seesAll, visible } from '../access/index.ts'
import type { Visibility } from '../access/index.ts'
import { LanguageError } from '../lang/index.ts'
import { all, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { latestLevel } from './catalogue/levels.ts'
import type { Profile } from './parameters.ts'
import { assertKnown } from './read/find-level.ts'
import { isNamed } from './read/members.ts'
import type { Names } from './read/members.ts'
import { versionsOf } from './datasets.ts'
import { compileWhere } from './where/compile.ts'
import { parseWhere, rejectedWhere, printWhere } from './where/grammar.ts'
import { assertReferenceSystems, resolveWhere, systemsOf } from './where/resolve.ts'
import { visibleColumns } from './catalogue/groups.ts'

type StationMatch = {
  /** Station types; empty for all. */
  readonly types: readonly string[]
  /** A `where` that extends from a position of `source` to its end. */
  readonly where: { readonly source: string; readonly start: number } | undefined
}

type Reader = {
  readonly database: Queryable
  readonly visibility: Visibility
  readonly isStrict: boolean
}

/** Stations whose latest values match; see `MatchingStations` of the content service. */
type MatchingStations = {
  readonly canonical: string | undefined
  readonly stations: Sql
  readonly toShown: (distance: Sql) => Sql
  readonly versions: Sql
  readonly isWithheld: boolean
}

/**
 * Finds stations with a position whose latest value matches a `where` (interface 4.9). It considers
 * only what requests for `latest` show the caller, so withheld values match nothing (decision D60).
 * Of several matching values of a station, the newest is shown.
 * @throws AppError HUB-QRY-007 and 008 for the condition; HUB-QRY-003 under strict handling for a
 *   station type that does not exist
 */
export const matchStations =
  (profile: Profile) =>
  async (
    { types, where }: StationMatch,
    { database, visibility, isStrict }: Reader,
  ): Promise<MatchingStations> => {
    const names: Names = types.length === 0 ? { kind: 'all' } : { kind: 'some', names: types }
    const asked = types.length === 0 ? {} : { types }
    const condition = where === undefined ? undefined : readCondition(where, profile)
    if (condition !== undefined) await assertReferenceSystems(database, condition.systems)
    const known = sql`select type from station_types() as type`
    const words = {
      parameter: 'where',
      what: 'the type of any station',
      listedAt: '/v2/flat',
    }
    if (isStrict) await assertKnown(database, { ...words, names: types, known })
    return {
      canonical: condition?.canonical,
      stations: stationsOf(names, visibility, condition),
      toShown: showNearest,
      versions: versionsOf('node', latestLevel, names),
      isWithheld: !seesAll(visibility, 'timeseries', asked),
    }
  }

type Condition = ReturnType<typeof readCondition>

function readCondition({ source, start }: NonNullable<StationMatch['where']>, profile: Profile) {
  try {
    const quoting = profile === 'strict' ? 'required' : 'optional'
    const expression = parseWhere(source, quoting, start)
    const { condition, groups } = resolveWhere(expression, latestLevel)
    return {
      canonical: printWhere(expression),
      systems: systemsOf(condition),
      matches: compileWhere(condition),
      groups: latestLevel.groups.filter((group) => groups.has(group)),
    }
  } catch (error) {
    throw error instanceof LanguageError ? rejectedWhere(error) : error
  }
}

function stationsOf(
  names: Names,
  visibility: Visibility,
  { groups, matches }: Pick<Condition, 'groups' | 'matches'> = { groups: [], matches: sql`true` },
): Sql {
  const sees = visible(visibility, 'timeseries', {
    ...visibleColumns,
    types: names.kind === 'some' ? names.names : undefined,
  })
  const from = groups.reduce((joined, { join }) => sql`${joined} ${join}`, latestLevel.from(sees))
  const conditions = [
    ...latestLevel.where(sees),
    ...groups.map(({ condition }) => condition),
    ...isNamed(latestLevel.type, names),
    sql`s.point is not null`,
    matches,
  ]
  return sql`
    select distinct on (s.id) x.id as near_series, s.point::geography as near_place,
      s.type as near_type, s.code as near_code
    from ${from}
    where ${all(conditions)}
    order by s.id, m.valid_time desc, t.name, x.period, x.kind`
}

/**
 * Returns SQL for the JSON object that shows a station and its latest value, for the series in
 * `near_series`. Names and formats are those of a response for `latest` (interface 4.8), and times
 * are in UTC (decision D49).
 * @param distance to the station, in metres
 */
function showNearest(distance: Sql): Sql {
  return sql`(
    select json_build_object(
      'Distance', ${distance},
      'Station', json_build_object(
        'stype', s.type, 'scode', s.code, 'sname', s.name, 'sorigin', s.origin,
        'scoordinate', json_build_object('x', st_x(s.point), 'y', st_y(s.point), 'srid', 4326)),
      'DataType', json_build_object(
        'tname', t.name, 'tunit', t.unit, 'ttype', t.rtype, 'tdescription', t.description),
      'Measurement', json_build_object(
        'mvalue', coalesce(to_jsonb(m.number), m.json, to_jsonb(m.text)),
        'mvalidtime', to_char(m.valid_time at time zone 'UTC', 'YYYY-MM-DD HH24":"MI":"SS.MS"+0000"'),
        'mperiod', x.period))
    from series as x
    join latest as m on m.series_id = x.id
    join station as s on s.id = x.station_id
    join data_type as t on t.id = x.data_type_id
    where x.id = near_series)`
}
