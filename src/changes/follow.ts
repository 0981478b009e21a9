import { LRUCache } from 'lru-cache'
import { requirePrincipal, seesAll } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { createLimit, shareRunning } from '../async/index.ts'
import type { Every, Limit } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import {
  assertNoneIgnored,
  reasonFor,
  reportIgnored,
  reportWithheld,
  wantsStrictHandling,
} from '../http/index.ts'
import type { Exchange, Withheld } from '../http/index.ts'
import type { Database, Secrets } from '../storage/index.ts'
import { findFeed, unknownFeed } from './feed.ts'
import type { Feed, FeedCaller, FeedQuery, FeedSource, Reading } from './feed.ts'
import { loadEpoch } from './epoch.ts'
import type { Epoch } from './epoch.ts'
import { openOffsets, outdated } from './offsets.ts'
import type { Offsets, Position, Readership } from './offsets.ts'
import { versionOf } from './order.ts'
import type { Place } from './order.ts'
import { createReadAhead } from './read-ahead.ts'
import type { ReadAhead, Step } from './read-ahead.ts'
import { beginning, dayOf, ending, readPage } from './read-page.ts'
import type { Page } from './read-page.ts'
import type { FeedParameters } from './schemas.ts'

/** State and dependencies that all requests share. */
export type Following = {
  readonly database: Database
  readonly secrets: Secrets
  readonly sources: readonly FeedSource[]
  readonly now: () => Date
  readonly visibilityOf: (principal: Principal) => Visibility
  /** Reports whether access rules were loaded. Without them, valid offsets would seem outdated. */
  readonly areRightsKnown: () => boolean
  /** How long offsets are valid, in days. 0 means forever. */
  readonly days: number
  /** Returns the current epoch and its offsets. */
  readonly valid: () => { readonly epoch: Epoch; readonly offsets: Offsets }
  readonly reached: LRUCache<string, Place>
  readonly share: ReturnType<typeof shareRunning<Page>>
  /** Signals of the readers that wait for a page in progress, by its key. */
  readonly waiting: Map<string, AbortSignal[]>
  /** Limits how many pages are read at once. */
  readonly places: Limit
  readonly ahead: ReadAhead
}

type Opening = Omit<Following, 'valid' | 'reached' | 'share' | 'waiting' | 'places' | 'ahead'> & {
  readonly every: Every
  readonly onError: (error: unknown) => void
}

/**
 * Interval in ms at which the epoch is read again, because it changes when a standby takes over.
 */
const refresh = 10_000

/** Maximum number of places for which the end of an empty reading is cached. */
const remembered = 10_000

/** Maximum number of pages that are read at once. */
const places = 8

export async function openFollowing(
  deps: Opening,
): Promise<{ readonly following: Following; readonly stop: () => void }> {
  const load = async () => {
    const epoch = await loadEpoch(deps.database, deps.secrets)
    return { epoch, offsets: openOffsets(epoch) }
  }
  let valid = await load()
  const look = async () => {
    const next = await load()
    const isSame = next.epoch.epoch === valid.epoch.epoch
    valid = isSame ? { ...next, offsets: valid.offsets } : next
  }
  const stop = deps.every(refresh, () => look().catch(deps.onError))
  const reached = new LRUCache<string, Place>({ max: remembered })
  const reading = {
    share: shareRunning<Page>(),
    waiting: new Map(),
    places: createLimit({ places }),
    ahead: createReadAhead(),
  }
  return { following: { ...deps, ...reading, valid: () => valid, reached }, stop }
}

/** A feed as one caller follows it. */
export type Follower = Readership & {
  readonly caller: FeedCaller
  readonly reading: Reading
  /**
   * Offsets of the epoch in which the request started. Positions must be printed with these,
   * because a new epoch does not reveal what happened in between.
   */
  readonly offsets: Offsets
  /** Aborted when the reader has disconnected. */
  readonly gone: AbortSignal
}

/** A reader of a feed: a request with valid parameters. */
export type Reader = Exchange & Follower & { readonly cursor: number | undefined }

/** @throws AppError for an unknown feed, invalid parameters, or a missing token */
export async function toReader(
  { sources, visibilityOf, valid }: Following,
  exchange: Exchange & Pick<Reader, 'gone'>,
  { name, parameters }: { readonly name: string; readonly parameters: FeedParameters },
): Promise<Reader> {
  const { request, reply } = exchange
  const feed = findFeed(sources, name)
  const { principal, headers } = request
  if (feed.needsToken) requirePrincipal(principal)
  const isStrict = wantsStrictHandling(headers['prefer'])
  const { offset: _offset, live: _live, cursor, ...given } = parameters
  const entries = Object.entries(given)
  const taken: readonly string[] = feed.takes
  const ignored = entries.map(([key]) => key).filter((key) => !taken.includes(key))
  if (isStrict) assertNoneIgnored(ignored, `in the feed ${feed.name}`)
  reportIgnored(reply, ignored)
  const query: FeedQuery = Object.fromEntries(entries.filter(([key]) => taken.includes(key)))
  const visibility = visibilityOf(principal)
  const caller = { principal, visibility, isStrict }
  reportWithheld(reply, withheldIn(feed, visibility), reasonFor(principal))
  const { offsets } = valid()
  const reading = await feed.open(query, caller)
  return { ...exchange, feed, query, caller, visibility, reading, cursor, offsets }
}

/** Depends on the access rules only, never on records (decision D6). */
function withheldIn({ area, ruleType, isOpen }: Feed, visibility: Visibility): readonly Withheld[] {
  const types = ruleType === undefined ? undefined : [ruleType]
  const areas = area === undefined ? (['content', 'timeseries', 'event'] as const) : [area]
  const isWhole = isOpen || areas.every((one) => seesAll(visibility, one, { types }))
  return isWhole ? [] : ['records']
}

/**
 * Returns where a reader starts or continues.
 * @throws AppError HUB-CHG-001 for an offset after which changes may be missing, HUB-RTE-003 for a
 * feed without any record that the caller can see, unless the request has an offset and therefore
 * knows the feed already
 */
export async function positionOf(
  following: Following,
  reader: Reader,
  offset: string,
): Promise<Position> {
  const { feed, visibility } = reader
  if (offset === '-1' || offset === 'now') {
    if (!(await feed.isKnown(visibility))) throw unknownFeed(feed.name)
    return offset === 'now' ? ending(following) : beginning(following)
  }
  try {
    const position = reader.offsets.parse(offset, reader)
    if (isExpired(following, position)) throw outdated(feed)
    return position
  } catch (error) {
    if (following.areRightsKnown()) throw error
    throw new AppError('HUB-SRV-002', 'The access rules cannot be read at the moment.')
  }
}

const oneDay = 86_400_000

/**
 * Reports whether an offset has expired. Only its age decides: if it depended on which changes were
 * deleted, it would reveal changes that nobody could see.
 */
export function isExpired(
  { days, now, valid }: Following,
  { day }: Pick<Position, 'day'>,
): boolean {
  const { prunedBefore } = valid().epoch
  // A transaction may have started up to a day before its changes became readable.
  const isGone = (day - 1) * oneDay < prunedBefore.getTime()
  return isGone || (days > 0 && day < dayOf(now()) - days)
}

/** Reads a page. Readers at the same place with the same rights share one query. */
export function read(following: Following, follower: Follower, from: Position): Promise<Page> {
  const step = stepOf(following, follower, from)
  const waiting = following.waiting.get(step.key) ?? []
  following.waiting.set(step.key, waiting)
  waiting.push(follower.gone)
  const isAwaited = () => waiting.some(({ aborted }) => !aborted)
  return following.share(step.key, () =>
    following.ahead(step, isAwaited).finally(() => following.waiting.delete(step.key)),
  )
}

function stepOf(following: Following, follower: Follower, from: Position): Step {
  const { database, now, places } = following
  const { offsets, reading } = follower
  const { principal } = follower.caller
  const subject = principal.kind === 'anonymous' ? '' : principal.subject
  const reached = reachedBy(following, follower)
  const paging = { database, now, reached, transactionId: offsets.transactionId }
  return {
    key: `${offsets.print(from, follower)} ${subject}`,
    version: async () => {
      const isKnown = typeof reading.concerning !== 'function'
      return isKnown ? versionOf(database, reading.datasets) : undefined
    },
    read: (isAwaited) => places.run(() => readPage({ ...paging, isAwaited }, follower, from)),
    after: ({ next }) => stepOf(following, follower, next),
  }
}

/** Returns the cache of empty readings for readers with the same rights, wherever they started. */
function reachedBy({ reached }: Following, follower: Follower) {
  const readership = follower.offsets.readership(follower)
  const keyOf = ({ xid, sequence, target = '' }: Place) =>
    `${readership} ${String(xid)} ${String(sequence)} ${target}`
  return {
    get: (place: Place) => reached.get(keyOf(place)),
    set: (place: Place, end: Place) => void reached.set(keyOf(place), end),
  }
}

/** Reports whether the follower's access rules and the epoch are still those of its start. */
export function isStillValid({ visibilityOf, valid }: Following, follower: Follower): boolean {
  const { offsets, caller } = follower
  if (valid().offsets !== offsets) return false
  const visibility = visibilityOf(caller.principal)
  return (
    visibility === follower.visibility ||
    offsets.readership({ ...follower, visibility }) === offsets.readership(follower)
  )
}
