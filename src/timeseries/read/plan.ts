import { hash } from 'node:crypto'
import { visible } from '../../access/index.ts'
import type { Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { LanguageError } from '../../lang/index.ts'
import { all, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { isCoarse, leftOut, readReduction } from '../buckets/aggregates.ts'
import type { Reduction, ReductionQuery } from '../buckets/aggregates.ts'
import { aggregatesOf, showBuckets } from '../buckets/show-buckets.ts'
import {
  measurement,
  metadataHistory,
  printed,
  provenance,
  visibleColumns,
} from '../catalogue/groups.ts'
import type { Group } from '../catalogue/groups.ts'
import type { Level, Order } from '../catalogue/levels.ts'
import type { ColdSelection } from '../cold/cold-months.ts'
import type { Profile, ReadParameters } from '../parameters.ts'
import { parseSelect, rejectedSelect } from '../select/grammar.ts'
import type { Select } from '../select/grammar.ts'
import { resolveSelect } from '../select/resolve.ts'
import type { Shown } from '../select/resolve.ts'
import { parseTimeZone, utc } from '../time.ts'
import type { TimeZone } from '../time.ts'
import { compileWhere } from '../where/compile.ts'
import { parseWhere, rejectedWhere } from '../where/grammar.ts'
import { resolveWhere, systemsOf } from '../where/resolve.ts'
import type { NamedSystem, Resolution } from '../where/resolve.ts'
import { isNamed } from './members.ts'
import type { Names } from './members.ts'
import type { Representation } from './representation.ts'
import { isOfSeries, longRange, toSeries, toStages } from './values/choose-series.ts'
import type { Stages } from './values/choose-series.ts'
import { selectKinds } from './values/packing.ts'
import { valueDatasetsOf, versionsOf } from '../datasets.ts'

/** Limit on the days of history that a caller may request at once; undefined for any number. */
export type HistoryLimit = { readonly policy: string; readonly days: number | undefined }

const oneDay = 86_400_000

/**
 * Asserts the history limit. It applies to the length of a range, however long ago it is (decision
 * D62).
 * @throws AppError HUB-QTA-001 for a longer range
 */
function assertSpan(
  range: { readonly from: string; readonly to: string } | undefined,
  limit: HistoryLimit | undefined,
): void {
  if (range === undefined || limit?.days === undefined) return
  const days = (Date.parse(range.to) - Date.parse(range.from)) / oneDay
  if (days <= limit.days) return
  throw new AppError(
    'HUB-QTA-001',
    `The range spans ${String(Math.ceil(days))} days; ${limit.policy} callers get ${String(limit.days)} days of history at once. Request shorter ranges one after another, or use a token.`,
    { policy: limit.policy },
  )
}

/**
 * `every`: each row of the level is a result. `grouped`: rows that show the same are one result,
 * over which aggregates are computed.
 */
type Rows = 'every' | 'grouped'

type Choice = {
  readonly level: Level
  readonly shown: readonly Shown[]
  readonly structure: Representation['structure']
  readonly types: Names
  readonly distinct: boolean
}

/**
 * Decides whether to merge repeated rows. Values are never merged: `distinct` drops no value of
 * another station or time (decision D46). If the shown fields identify a row, there is nothing to
 * drop, and the rows can be read in the order of an index.
 */
function chooseRows({ level, shown, structure, types, distinct }: Choice): Rows {
  if (shown.some(({ aggregate }) => aggregate !== undefined)) return 'grouped'
  const showsValues =
    level.timestamp !== undefined || shown.some(({ group }) => ofOneTime.includes(group))
  if (!distinct || showsValues) return 'every'
  const known = [
    ...shown.map(({ printed }) => printed),
    ...(types.kind === 'some' && types.names.length === 1 ? [level.type] : []),
    ...(structure === 'tree' ? keysOf(level) : []),
  ].map(({ text }) => text)
  return level.identity.every(({ text }) => known.includes(text)) ? 'every' : 'grouped'
}

const ofOneTime: readonly Group[] = [measurement, provenance, metadataHistory]

/**
 * Returns the keys of the objects in the tree. They are always read, regardless of `select`
 * (reference 1.8).
 */
export function keysOf({ tree, treeOrder }: Level): readonly Sql[] {
  return tree.levels.flatMap(({ key }) => treeOrder.columns[key]?.expression ?? [])
}

/** The request in a path, and what is known about the caller. */
export type ReadRequest = {
  readonly representation: Representation
  readonly level: Level
  /** Station types, edge types or event origins. */
  readonly types: Names
  readonly dataTypes?: Names
  readonly visibility: Visibility
  readonly profile: Profile
  /**
   * `origin` values with one of these prefixes identify a client and filter nothing (decision D43).
   */
  readonly clientOriginPrefixes: readonly string[]
  /** Whether the location of each row is read even if it is not selected. */
  readonly needsPlace?: boolean
  readonly historyLimit?: HistoryLimit | undefined
}

/** Everything that a query will do, decided before the first statement. */
export type ReadPlan = {
  readonly structure: Representation['structure']
  readonly level: Level
  readonly shown: readonly Shown[]
  /** Whether rows that show the same are merged. */
  readonly rows: Rows
  readonly from: Sql
  readonly where: Sql
  /** Groups with fields that the parameter `where` tests. */
  readonly testedGroups: ReadonlySet<Group>
  readonly order: Order
  /** Maximum number of rows; undefined for all. */
  readonly limit: number | undefined
  /** The limit as the client sent it. */
  readonly askedLimit: number
  readonly offset: number
  readonly showNull: boolean
  readonly zone: TimeZone
  /** Selects the versions of the datasets that the response shows. */
  readonly versions: Sql
  /**
   * Selects the snapshot, and the versions unless the snapshot equals the value of `knownSnapshot`.
   */
  readonly versionStatement: Sql
  /** Digest for entity tags of what the plan requests and what the caller may see. */
  readonly rights: string
  /** Selects the datasets of the values, in which changes are recorded by series. */
  readonly valueDatasets: Sql
  /** Reference systems in `where`, which only the database can check. */
  readonly systems: readonly NamedSystem[]
  /**
   * How to read or aggregate values without joining them to their descriptions, if that is
   * possible.
   */
  readonly stages: Stages | undefined
  /** What is read of the history, for months whose values must be brought back first. */
  readonly history: ColdSelection | undefined
  /** How values are reduced to fewer rows; undefined if all values are shown. */
  readonly reduction: Reduction | undefined
  /** Selects the kinds of the values; undefined if there are no values. */
  readonly kinds: Sql | undefined
}

/**
 * Plans a query. Pure. The caller's rights become conditions of the query, before anything is
 * counted or compared, so neither aggregates nor distinct rows reveal anything about closed values.
 * @throws AppError HUB-QRY-001 for values that cannot be planned, HUB-QRY-007 to 009 for
 * expressions, HUB-QTA-001 for a range that is longer than the caller's quota
 */
export function planRead(asked: ReadRequest, query: ReadParameters & ReductionQuery): ReadPlan {
  const { level, types, profile } = asked
  const { structure, type } = asked.representation
  const reduction = readReduction(query, level)
  assertSpan(isCoarse(reduction) ? undefined : level.range, asked.historyLimit)
  const shown = readShown(asked, query.select, reduction)
  const wanted = readWhere(query.where, { level, profile })
  const groups = usedGroups(level, [...shown.map(({ group }) => group), ...(wanted?.groups ?? [])])
  const sees = seesValues(asked)
  const selected = [...selecting(asked, query), ...leftOut(reduction, aggregatesOf(shown))]
  const rows = chooseRows({ level, shown, structure, types, distinct: query.distinct })
  const order = structure === 'flat' ? level.flatOrder : level.treeOrder
  const tested = { level, visible: sees, selected, order, groups, wanted: wanted?.condition }
  const isStaged = rows === 'every' || areBySeries(shown, level, reduction)
  const where = all([
    ...level.where(sees),
    ...groups.map(({ condition }) => condition),
    ...selected,
    ...(structure === 'flat' ? narrowed(level, selected) : []),
    ...(wanted === undefined ? [] : [compileWhere(wanted.condition)]),
  ])
  const from = groups.reduce((joined, { join }) => sql`${joined} ${join}`, level.from(sees))
  return {
    structure,
    level,
    shown,
    rows,
    ...readable({ from, where, versions: versionsOf(type, level, types) }),
    testedGroups: wanted?.groups ?? new Set(),
    order,
    ...readPage(query, profile),
    showNull: query.shownull,
    zone: readTimeZone(query.timezone),
    valueDatasets: valueDatasetsOf(types),
    systems: wanted === undefined ? [] : systemsOf(wanted.condition),
    ...readingOf({ ...tested, reduction }, isStaged ? 'in stages' : 'at once'),
    kinds: level.dataType === undefined ? undefined : selectKinds({ visible: sees, selected }),
  }
}

type Tested = Parameters<typeof toStages>[0] & Pick<ReadPlan, 'reduction'>

function readingOf(
  tested: Tested,
  way: 'in stages' | 'at once',
): Pick<ReadPlan, 'stages' | 'history' | 'reduction'> {
  const { range, dataType } = tested.level
  const series = range === undefined || dataType === undefined ? undefined : toSeries(tested)
  return {
    stages: way === 'in stages' ? toStages(tested) : undefined,
    history: range &&
      series && { range, series: sql`select x.id from ${series.from} where ${series.where}` },
    reduction: tested.reduction,
  }
}

/**
 * Reports whether aggregates are computed per series first, by the index that keeps the values of a
 * series together.
 */
function areBySeries(
  shown: readonly Shown[],
  { range }: Level,
  reduction: Reduction | undefined,
): boolean {
  if (range === undefined || reduction !== undefined) return false
  if (Date.parse(range.to) - Date.parse(range.from) < longRange) return false
  return shown.every((one) =>
    one.aggregate === undefined ? isOfSeries(one) : one.group === measurement && !isOfSeries(one),
  )
}

/** Adds the statements and the digest for entity tags. */
function readable(read: Pick<ReadPlan, 'from' | 'where' | 'versions'>) {
  const { from, where, versions } = read
  const rights = hash('sha256', JSON.stringify([from.text, from.values, where.text, where.values]))
  const versionStatement = sql`
    select now.snapshot, case when now.snapshot <> ${knownSnapshot} then ${versions} end
    from (select pg_current_snapshot()::text as snapshot) as now`
  return { ...read, versionStatement, rights }
}

/** Placeholder for the snapshot whose versions are known. */
export const knownSnapshot = 'known snapshot'

/**
 * Returns the shown fields: those that `select` names, and the location of the row if it is needed.
 */
function readShown(
  { level, needsPlace }: ReadRequest,
  written: string | undefined,
  reduction: Reduction | undefined,
): readonly Shown[] {
  const select = readSelect(written)
  const selected =
    reduction?.bucket === undefined
      ? resolveSelect(select, level)
      : showBuckets(select, level, reduction.bucket.asked)
  return needsPlace === true ? alsoShowPlace(selected, level) : selected
}

/** Returns the relations to join: only those with fields that are shown or tested. */
function usedGroups({ groups }: Level, used: readonly Group[]): readonly Group[] {
  return groups.filter((group) => used.includes(group))
}

function narrowed({ narrow }: Level, selected: readonly Sql[]): readonly Sql[] {
  return narrow === undefined || selected.length === 0 ? [] : [narrow(all(selected))]
}

/** Returns the conditions of the lists in the path and of the parameter `origin`. */
function selecting(
  { level, types, dataTypes, clientOriginPrefixes }: ReadRequest,
  query: ReadParameters,
): readonly Sql[] {
  const origins = originsOf(query.origin, clientOriginPrefixes)
  return [
    ...isNamed(level.type, types),
    ...(level.dataType === undefined ? [] : isNamed(level.dataType, dataTypes ?? everyName)),
    ...(origins === undefined ? [] : [sql`${level.origin} = any(${origins}::text[])`]),
  ]
}

function readSelect(written: string | undefined): Select {
  if (written === undefined) return { kind: 'all' }
  try {
    return parseSelect(written)
  } catch (error) {
    if (!(error instanceof LanguageError)) throw error
    const { message, position, expected, hint } = error
    throw rejectedSelect({ detail: message, position, expected, hint })
  }
}

function readWhere(
  written: string | undefined,
  { level, profile }: Pick<ReadRequest, 'level' | 'profile'>,
): Resolution | undefined {
  if (written === undefined) return undefined
  try {
    return resolveWhere(parseWhere(written, quoting[profile]), level)
  } catch (error) {
    throw error instanceof LanguageError ? rejectedWhere(error) : error
  }
}

/** Clients of the public system send texts without quotes (decision D42). */
const quoting = { strict: 'required', compatible: 'optional' } as const

const everyName: Names = { kind: 'all' }

/** Returns the condition under which the caller may see values or events (decision D60). */
function seesValues({ representation, level, types, visibility }: ReadRequest): Sql {
  if (representation.type === 'event') {
    return visible(visibility, 'event', {
      closed: sql`ev.closed`,
      origin: sql`ev.origin`,
      type: sql`ev.category`,
    })
  }
  if (level.dataType === undefined) return sql`true`
  return visible(visibility, 'timeseries', {
    ...visibleColumns,
    types: types.kind === 'some' ? types.names : undefined,
  })
}

/**
 * Returns the origins to filter by, without values that identify a client.
 * @returns undefined if nothing is filtered by origin
 */
export function originsOf(
  written: readonly string[] | undefined,
  clientPrefixes: readonly string[],
): readonly string[] | undefined {
  const isClient = (value: string) => clientPrefixes.some((prefix) => value.startsWith(prefix))
  const origins = written?.map((value) => value.trim()).filter((value) => !isClient(value))
  return origins === undefined || origins.length === 0 ? undefined : origins
}

function readPage({ limit, offset }: ReadParameters, profile: Profile) {
  return { limit: readLimit(limit, profile), askedLimit: limit, offset }
}

/** Checks the limit. For clients of the public system, 0 removes it (decision D47). */
function readLimit(limit: number, profile: Profile): number | undefined {
  if (limit === -1 || (limit === 0 && profile === 'compatible')) return undefined
  if (limit > 0) return limit
  throw new AppError('HUB-QRY-001', 'limit 0 would show nothing.', {
    hint: 'limit=-1 removes the limit.',
    issues: [{ parameter: 'limit', detail: 'is 0', expected: ['1 or more', '-1'] }],
  })
}

/**
 * Adds the location of the row: the first field of the level that holds one. Aggregates cover many
 * locations, so nothing is added to them.
 */
function alsoShowPlace(shown: readonly Shown[], { groups }: Level): readonly Shown[] {
  if (shown.some(({ aggregate }) => aggregate !== undefined)) return shown
  const [place] = groups.flatMap((group) =>
    group.fields
      .filter(({ type }) => type === 'point' || type === 'geometry')
      .map((field) => ({ field, group })),
  )
  if (place === undefined || shown.some(({ key }) => key === place.field.name)) return shown
  const { field, group } = place
  const { name, type } = field
  const added = { key: name, member: name, inner: undefined, field, group, type }
  return [...shown, { ...added, printed: printed(field), aggregate: undefined }]
}

/**
 * Parses the parameter `timezone`. The default is UTC.
 * @throws AppError HUB-QRY-001 for an unknown time zone
 */
export function readTimeZone(written: string | undefined): TimeZone {
  if (written === undefined) return utc
  const zone = parseTimeZone(written)
  if (zone !== undefined) return zone
  const expected = ['a name such as Europe/Rome', 'UTC', 'an offset such as +02:00']
  throw new AppError('HUB-QRY-001', `${JSON.stringify(written)} is not a valid time zone.`, {
    hint: 'Use a name of the IANA time zone database, or an offset; in a URL, + is written %2B.',
    issues: [{ parameter: 'timezone', detail: 'is not a valid time zone', expected }],
  })
}
