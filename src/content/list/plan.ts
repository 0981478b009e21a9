import { randomInt } from 'node:crypto'
import { inBatches } from '../../async/index.ts'
import { anonymous } from '../../access/index.ts'
import type { Principal, Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { parseObject } from '../../lang/json.ts'
import { all } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { AddedField, Entity, OrderKey, Profile, Rewrite } from '../entity.ts'
import { readFilters } from '../filters/index.ts'
import type { Clause, References } from '../filters/index.ts'
import type { LoadedRecord } from '../formats/index.ts'
import { fieldName } from '../nearby/nearest.ts'
import type { Nearby } from '../nearby/nearest.ts'
import type { ListParameters } from '../parameters.ts'
import { toRepresentation, withField } from '../representation.ts'
import type { Representation } from '../representation.ts'
import { defaultKeys, idKey, isVisible, orderBy, seedKeys, toSeed } from '../table.ts'
import type { Seed } from '../table.ts'
import { parseCursor } from './cursor.ts'
import type { Cursor } from './cursor.ts'

/** A page size larger than any dataset. */
const everything = Number.MAX_SAFE_INTEGER

const maxPageSize = 1000

type Sizing = { readonly isStrict: boolean; readonly profile: Profile }

/**
 * Returns the number of items per page (decision D21). Sizes above 1000 are clamped to 1000. The
 * compatible profile honours any size; 0 and -1 request everything.
 * @throws AppError HUB-QRY-003 if the size would be clamped under strict handling (decision D3)
 */
export function toPageSize(wanted: number, { isStrict, profile }: Sizing): number {
  if (profile === 'compatible') return wanted <= 0 ? everything : wanted
  if (wanted <= maxPageSize) return wanted
  if (!isStrict) return maxPageSize
  throw new AppError('HUB-QRY-003', `pagesize ${String(wanted)} would be clamped to 1000.`, {
    issues: [{ parameter: 'pagesize', detail: 'is above the maximum', expected: ['1 to 1000'] }],
  })
}

/**
 * Adds to records the fields that are computed on read, in place of stored fields with the same
 * names.
 */
export async function addFields(
  members: readonly AddedField[],
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  if (members.length === 0) return records
  const complete: LoadedRecord[] = []
  for await (const batch of inBatches(records)) {
    for (const record of batch) complete.push(members.reduce(addField, record))
  }
  return complete
}

/**
 * Appends the field to the JSON text. The record is parsed only if it may contain the field
 * already.
 */
function addField({ id, data }: LoadedRecord, { name, textOf }: AddedField): LoadedRecord {
  const text = textOf(id)
  const written = JSON.stringify(name)
  if (!data.includes(written) && data !== '{}') {
    return { id, data: `${data.slice(0, -1)}, ${written}: ${text}}` }
  }
  const value: unknown = JSON.parse(text)
  return { id, data: JSON.stringify({ ...parseObject(data), [name]: value }) }
}

/**
 * Shows records as parameters such as `denormalize` require: changed, or split into several. The
 * results are sorted within their page; totals count the records before the change.
 */
export async function rewriteRecords(
  rewrites: readonly Rewrite[],
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  let rewritten = records
  for (const rewrite of rewrites) rewritten = await rewriteEach(rewrite, rewritten)
  return rewritten
}

async function rewriteEach(
  { toShown: toOwn, load, sortKey }: Rewrite,
  records: readonly LoadedRecord[],
): Promise<readonly LoadedRecord[]> {
  const toShown = (await load?.(records.map(({ data }) => parseObject(data)))) ?? toOwn
  const shown: (LoadedRecord & { readonly key: string })[] = []
  for await (const batch of inBatches(records)) {
    for (const { id, data } of batch) {
      for (const record of toShown(parseObject(data))) {
        shown.push({ id, data: JSON.stringify(record), key: sortKey?.(record) ?? '' })
      }
    }
  }
  if (sortKey === undefined) return shown
  return shown.sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)))
}

/** Default source of random numbers, from 0 up to, but not including, 1. */
const draw = () => randomInt(2 ** 32) / 2 ** 32

/** Everything that a list request will do, decided before records are read from the database. */
export type ListPlan = {
  readonly entity: Entity
  /** Condition of a match: filters and the caller's rights, but not `nearby`. */
  readonly where: Sql
  /**
   * The condition for the case that most records match and an index provides the order
   * (`Clause.likely`).
   */
  readonly likely: Sql | undefined
  readonly filters: readonly Clause[]
  readonly keys: readonly OrderKey[]
  /** The keys as the terms of an `order by`. */
  readonly order: Sql
  /** The seed of a random order; null for any other order (decision D25). */
  readonly seed: string | null
  /** Start of the page, instead of its number. */
  readonly cursor: Cursor | undefined
  readonly pageNumber: number
  readonly pageSize: number
  /**
   * Whether the response is a bare array of all records, as the compatible profile returns for some
   * lists (decision D20).
   */
  readonly isBare: boolean
  /** Sort parameters that were given but have no effect, because another order applies. */
  readonly idleOrders: readonly string[]
  /** Whether only identifiers are returned, as a bare array (decision D30). */
  readonly wantsIds: boolean
  /** Whether closed fields are left out for this caller (decision D34). */
  readonly reduced: boolean
  readonly representation: Representation
  /** Changes to the records of a page before they are represented. */
  readonly rewrites: readonly Rewrite[]
  readonly added: readonly AddedField[]
  readonly nearby: Nearby | undefined
  /** Fields of the list envelope in addition to those of every list. */
  readonly envelope: Readonly<Record<string, unknown>>
  /** Identifies the state of the data that is shown with the stored records, for entity tags. */
  readonly basis?: string
  /**
   * Whether the plan depends on the request and the caller's rights only, and on no clock, look-up
   * or random number. Then it can be cached.
   */
  readonly isLasting: boolean
}

/** The properties of the caller that a plan depends on. */
export type Caller = {
  readonly visibility: Visibility
  readonly isAnonymous: boolean
  readonly isStrict: boolean
}

/** Everything that a plan depends on besides the request. */
export type Planning = Caller & {
  readonly database: Queryable
  readonly profile?: Profile
  readonly principal?: Principal
  /** Current time. Without a clock, no day counts as past. */
  readonly now?: () => Date
  /** IANA name of the time zone in which the days of stays start. */
  readonly timeZone?: string | undefined
  readonly availability?: References['availability']
  readonly stations?: References['stations']
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: () => number
}

/**
 * Plans a list request. The caller's rights become conditions of the query. The database is queried
 * only for what filters name, such as shapes and areas.
 * @throws AppError for values that cannot be planned, or not under strict handling (decisions D2,
 *   D3, D21)
 */
export async function planList(
  entity: Entity,
  query: ListParameters,
  planning: Planning,
): Promise<ListPlan> {
  const { visibility, profile = 'strict', principal = anonymous, timeZone } = planning
  const { outside, use } = noteUse(planning)
  const scope = { entity, query, principal, now: outside.now, timeZone, profile }
  const filters = await readFilters(scope, outside)
  const reduced = planning.isAnonymous && entity.closedFields.length > 0
  const seed = toSeed(query.seed, { profile, random: outside.random })
  const { keys, isShuffled, idle } = chooseOrder(entity, filters, seed)
  const isBare = profile === 'compatible' && entity.isBareList && !isPaged(query)
  const pageSize = isBare ? everything : toPageSize(query.pagesize, { ...planning, profile })
  const cursor =
    query.cursor === undefined ? undefined : parseCursor({ entity, keys, filters }, query.cursor)
  const shown = isVisible(entity, visibility)
  return {
    entity,
    where: all([shown, ...conditionsOf(filters)]),
    likely: likelyOf(shown, filters),
    filters,
    keys,
    order: orderBy(keys),
    seed: isShuffled ? (seed?.shown ?? null) : null,
    cursor,
    pageNumber: cursor === undefined ? toPage(query) : Math.floor(cursor.seen / pageSize) + 1,
    pageSize,
    isBare,
    idleOrders: idle.filter((name) => name in query),
    wantsIds: query.getasidarray,
    reduced,
    representation: representationOf(query, { entity, reduced, filters }),
    rewrites: rewritesOf(filters),
    added: [],
    nearby: filters.find((clause) => clause.nearby !== undefined)?.nearby,
    envelope: {},
    isLasting: !use.isNoted,
  }
}

/** Wraps the planning to record whether anything is used that may differ at the next request. */
function noteUse(planning: Planning) {
  const { now, random = draw } = planning
  const use = { isNoted: false }
  const noted = <Thing>(thing: Thing): Thing => {
    use.isNoted = true
    return thing
  }
  const outside = {
    ...planning,
    get database() {
      return noted(planning.database)
    },
    get availability() {
      return noted(planning.availability)
    },
    get stations() {
      return noted(planning.stations)
    },
    now: now && (() => noted(now())),
    random: () => noted(random()),
  }
  return { outside, use }
}

type Chosen = {
  readonly entity: Entity
  readonly reduced: boolean
  readonly filters: readonly Clause[]
}

/**
 * Returns the representation of the records. It includes the nearest station, if one is requested,
 * regardless of `fields`.
 */
function representationOf(query: ListParameters, { filters, ...of }: Chosen): Representation {
  const asked = toRepresentation(query, of)
  const isNear = filters.some(({ nearby }) => nearby !== undefined)
  const complete = isNear ? withField(asked, fieldName) : asked
  return rewritesOf(filters).length === 0 ? complete : { ...complete, selectedBy: 'hub' }
}

function rewritesOf(filters: readonly Clause[]): readonly Rewrite[] {
  return filters.flatMap(({ rewrite }) => rewrite ?? [])
}

/** Returns the conditions of a match, except for what is read together with the records. */
function conditionsOf(filters: readonly Clause[]): readonly Sql[] {
  return filters.flatMap(({ condition, nearby }) => (nearby === undefined ? [condition] : []))
}

function likelyOf(shown: Sql, filters: readonly Clause[]): Sql | undefined {
  const isJoined = filters.some(({ nearby }) => nearby !== undefined)
  if (isJoined || filters.every(({ likely }) => likely === undefined)) return undefined
  return all([shown, ...filters.map(({ likely, condition }) => likely ?? condition)])
}

function isPaged({ pagenumber, cursor }: Partial<ListParameters>): boolean {
  return pagenumber !== undefined || cursor !== undefined
}

/** Returns the page number. In the compatible profile, some lists have none unless it is given. */
function toPage({ pagenumber }: Partial<ListParameters>): number {
  return pagenumber ?? 1
}

type Order = {
  readonly keys: readonly OrderKey[]
  readonly isShuffled: boolean
  /** Parameters of orders that do not apply. */
  readonly idle: readonly string[]
}

/**
 * Chooses the sort order. Precedence: distance, then `rawsort`, then an order that the entity's own
 * parameters request, then the seed, unless an area of the map is requested (decision D25,
 * reference content.md 3.11). The distance from a station applies only if no other order is
 * requested, and takes precedence over the distance from the centre of a circle.
 */
function chooseOrder(entity: Entity, filters: readonly Clause[], seed: Seed | null): Order {
  const ordering = inPrecedence(filters).filter(({ order }) => order !== undefined)
  const [chosen] = ordering
  if (chosen?.order !== undefined) {
    const others = ordering.filter((one) => one !== chosen && onlyShows(one))
    const idle = others.map(({ parameter }) => parameter)
    return { keys: endedById(chosen.order), isShuffled: false, idle: [...idle, 'seed'] }
  }
  const isOnMap = filters.some(({ isGeographic }) => isGeographic)
  return seed === null || isOnMap
    ? { keys: defaultKeys(entity), isShuffled: false, idle: ['seed'] }
    : { keys: seedKeys(seed), isShuffled: true, idle: [] }
}

/**
 * Reports whether a filter excludes no record: it only sorts them, or changes how they are shown.
 */
export function onlyShows({ condition, nearby, narrow }: Clause): boolean {
  return condition.text === 'true' && nearby === undefined && narrow === undefined
}

/** Sorts filters by the precedence of their orders, highest first. */
function inPrecedence(filters: readonly Clause[]): readonly Clause[] {
  const isNear = filters.some(({ nearby }) => nearby !== undefined)
  const last = ['near', 'radius']
  const others = filters.filter(({ parameter }) => !last.includes(parameter))
  const named = (name: string) => filters.filter(({ parameter }) => parameter === name)
  if (isNear) return [...named('rawsort'), ...others, ...named('near')]
  return [...named('radius'), ...named('rawsort'), ...others]
}

function endedById(keys: readonly OrderKey[]): readonly OrderKey[] {
  return keys.some(({ name }) => name === idKey.name) ? keys : [...keys, idKey]
}
