import { LRUCache } from 'lru-cache'
import { requirePrincipal } from '../access/index.ts'
import type { Every, Principal, Visibility } from '../access/index.ts'
import { shareRunning } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import { assertNoneIgnored, reportIgnored, wantsStrictHandling } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import type { Database } from '../storage/index.ts'
import { findFeed, unknownFeed } from './feed.ts'
import type { Feed, FeedCaller, FeedQuery, FeedSource, Reading } from './feed.ts'
import { loadEpoch } from './epoch.ts'
import type { Epoch } from './epoch.ts'
import { openOffsets, outdated } from './offsets.ts'
import type { Offsets, Position, Readership } from './offsets.ts'
import type { Place } from './order.ts'
import { beginning, dayOf, ending, readPage } from './read-page.ts'
import type { Page } from './read-page.ts'
import type { FeedParameters } from './schemas.ts'

/** What requests are answered from. */
export type Following = {
  readonly database: Database
  readonly sources: readonly FeedSource[]
  readonly now: () => Date
  readonly visibilityOf: (principal: Principal) => Visibility
  /** Whether access rules could be read: without them, offsets of other rights seem to be outdated. */
  readonly areRightsKnown: () => boolean
  /** How long offsets are valid, in days; 0: forever. */
  readonly days: number
  /** Those of today; they change with the epoch. */
  readonly valid: () => { readonly epoch: Epoch; readonly offsets: Offsets }
  readonly reached: LRUCache<string, Place>
  readonly share: ReturnType<typeof shareRunning<Page>>
}

type Opening = Omit<Following, 'valid' | 'reached' | 'share'> & {
  readonly every: Every
  readonly onError: (error: unknown) => void
}

/** The epoch changes when a server takes over from another one: it is read again in this interval (ms). */
const refresh = 10_000

/** Positions of which is remembered how far was read in vain. */
const remembered = 10_000

export async function openFollowing(
  deps: Opening,
): Promise<{ readonly following: Following; readonly stop: () => void }> {
  const load = async () => {
    const epoch = await loadEpoch(deps.database)
    return { epoch, offsets: openOffsets(epoch) }
  }
  let valid = await load()
  const look = async () => {
    const next = await load()
    const isSame = next.epoch.epoch === valid.epoch.epoch
    valid = isSame ? { ...next, offsets: valid.offsets } : next
  }
  const stop = deps.every(refresh, () => void look().catch(deps.onError))
  const reached = new LRUCache<string, Place>({ max: remembered })
  return { following: { ...deps, valid: () => valid, reached, share: shareRunning<Page>() }, stop }
}

/** A reader of a feed: a request that was understood. */
export type Reader = Exchange &
  Readership & {
    readonly feed: Feed
    readonly query: FeedQuery
    readonly caller: FeedCaller
    readonly reading: Reading
    readonly cursor: number | undefined
  }

/** @throws AppError for an unknown feed, parameters that cannot be read, a missing token */
export async function toReader(
  { sources, visibilityOf }: Following,
  exchange: Exchange,
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
  const reading = await feed.open(query, caller)
  return { ...exchange, feed, query, caller, visibility, reading, cursor }
}

/**
 * Where a reader continues, or begins.
 * @throws AppError HUB-CHG-001 for an offset after which changes may be gone, HUB-RTE-003 for a feed
 *   without anything for the caller: one that has an offset knows it already
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
  const { offsets } = following.valid()
  try {
    const position = offsets.parse(offset, reader)
    if (isExpired(following, position)) throw outdated(feed)
    return position
  } catch (error) {
    if (following.areRightsKnown()) throw error
    throw new AppError('HUB-SRV-002', 'The access rules cannot be read at the moment.')
  }
}

const oneDay = 86_400_000

/** Decided by age alone: which changes were deleted must not be revealed by others that were visible to nobody. */
export function isExpired(
  { days, now, valid }: Following,
  { day }: Pick<Position, 'day'>,
): boolean {
  const { prunedBefore } = valid().epoch
  // A transaction may have begun up to a day before what it wrote could be read.
  const isGone = (day - 1) * oneDay < prunedBefore.getTime()
  return isGone || (days > 0 && day < dayOf(now()) - days)
}

/** Readers of the same place with the same rights share one reading. */
export function read(following: Following, reader: Reader, from: Position): Promise<Page> {
  const { database, now, reached, valid, share } = following
  const { offsets } = valid()
  const offset = offsets.print(from, reader)
  const paging = { database, now, reached, transactionId: offsets.transactionId }
  const { principal } = reader.caller
  const subject = principal.kind === 'anonymous' ? '' : principal.subject
  return share(`${offset} ${subject}`, () => readPage(paging, { ...reader, offset }, from))
}

/** Whether the rules that apply to the reader, and the epoch, are still those it began with. */
export function isStillValid({ visibilityOf, valid }: Following, began: Began): boolean {
  const { reader, offsets } = began
  if (valid().offsets !== offsets) return false
  const visibility = visibilityOf(reader.caller.principal)
  return (
    visibility === reader.visibility ||
    offsets.readership({ ...reader, visibility }) === offsets.readership(reader)
  )
}

type Began = { readonly reader: Reader; readonly offsets: Offsets }
