import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Group } from '../catalogue/groups.ts'
import type { Level, Order } from '../catalogue/level.ts'
import type { ReadParameters } from '../parameters.ts'
import { readTimeZone } from '../time/time-zone.ts'
import type { TimeZone } from '../time/time-zone.ts'
import { isNamed } from './names.ts'
import type { Names } from './names.ts'
import type { Representation } from './representation.ts'
import { versionsOf } from './versions.ts'

/** What a path asks for, and who asks. */
export type Asked = {
  readonly representation: Representation
  readonly level: Level
  /** Station types, edge types or event origins. */
  readonly types: Names
  readonly dataTypes?: Names
  readonly visibility: Visibility
  /** `origin` values with one of these beginnings name a client and select nothing (decision D43). */
  readonly clientOriginPrefixes: readonly string[]
}

/** Everything that a read will do, decided before the database is asked. */
export type ReadPlan = {
  readonly structure: Representation['structure']
  readonly level: Level
  /** The groups of which fields are shown. */
  readonly groups: readonly Group[]
  readonly from: Sql
  readonly where: Sql
  readonly order: Order
  /** Rows at most; undefined for all. */
  readonly limit: number | undefined
  readonly offset: number
  readonly showNull: boolean
  readonly zone: TimeZone
  /** Prints the versions of the datasets that the answer shows. */
  readonly versions: Sql
}

/**
 * The plan of a read. Pure; the caller's rights enter as conditions of the query.
 * @throws AppError HUB-QRY-001 for values that cannot be planned
 */
export function planRead(asked: Asked, query: ReadParameters): ReadPlan {
  const { level, types, representation } = asked
  const groups = level.groups
  const sees = seesValues(asked)
  const wantedOrigins = originsOf(query.origin, asked.clientOriginPrefixes)
  return {
    structure: representation.structure,
    level,
    groups,
    from: groups.reduce((from, { join }) => sql`${from} ${join}`, level.from(sees)),
    where: all([
      ...level.where(sees),
      ...groups.map(({ condition }) => condition),
      ...isNamed(level.type, types),
      ...(level.dataType === undefined
        ? []
        : isNamed(level.dataType, asked.dataTypes ?? everyName)),
      ...(wantedOrigins === undefined
        ? []
        : [sql`${level.origin} = any(${wantedOrigins}::text[])`]),
    ]),
    order: representation.structure === 'flat' ? level.flatOrder : level.treeOrder,
    limit: readLimit(query.limit),
    offset: query.offset,
    showNull: query.shownull,
    zone: readTimeZone(query.timezone),
    versions: versionsOf(representation.type, types),
  }
}

const everyName: Names = { kind: 'all' }

/** The condition under which the caller may see values or events (decision D60). */
function seesValues({ representation, level, visibility }: Asked): Sql {
  if (representation.type === 'event') {
    return visible(visibility, 'event', {
      closed: sql`ev.closed`,
      origin: sql`ev.origin`,
      type: sql`ev.category`,
    })
  }
  if (level.dataType === undefined) return sql`true`
  return visible(visibility, 'timeseries', {
    closed: sql`s.closed`,
    origin: sql`s.origin`,
    type: sql`s.type`,
    dataType: sql`t.name`,
    period: sql`x.period`,
  })
}

/** @returns undefined when nothing is to be selected by origin */
function originsOf(
  written: readonly string[] | undefined,
  clientPrefixes: readonly string[],
): readonly string[] | undefined {
  const isClient = (value: string) => clientPrefixes.some((prefix) => value.startsWith(prefix))
  const origins = written?.map((value) => value.trim()).filter((value) => !isClient(value))
  return origins === undefined || origins.length === 0 ? undefined : origins
}

function readLimit(limit: number): number | undefined {
  if (limit === -1) return undefined
  if (limit > 0) return limit
  throw new AppError('HUB-QRY-001', 'limit 0 would show nothing.', {
    hint: 'limit=-1 removes the limit.',
    issues: [{ parameter: 'limit', detail: 'is 0', expected: ['1 or more', '-1'] }],
  })
}
