import type { Verified } from '../../access/index.ts'
import { findFeed, unknownFeed } from '../feed.ts'
import type { Feed } from '../feed.ts'
import { isExpired, read } from '../follow.ts'
import type { Follower, Following } from '../follow.ts'
import type { Position } from '../offsets.ts'
import { lastSequence } from '../order.ts'
import { dayOf, ending } from '../read-page.ts'
import type { Claimed, Examined, Owner } from './subscriptions.ts'

async function toFollower(following: Following, feed: Feed, owner: Owner): Promise<Follower> {
  const roles = new Set(owner.roles)
  // The token itself is not stored: the hub sends no requests on the subscriber's behalf.
  const principal: Verified = { kind: 'verified', ...owner, roles, token: '' }
  const visibility = following.visibilityOf(principal)
  const caller = { principal, visibility, isStrict: false }
  const reading = await feed.open({}, caller)
  const { offsets } = following.valid()
  const { signal: gone } = new AbortController()
  return { feed, query: {}, visibility, caller, reading, offsets, gone }
}

/**
 * Returns where a new subscription starts, and the offset of that place.
 * @throws AppError HUB-RTE-003 for a feed without any record that the owner may see
 */
export async function beginAt(following: Following, feed: Feed, owner: Owner) {
  const follower = await toFollower(following, feed, owner)
  if (!(await feed.isKnown(follower.visibility))) throw unknownFeed(feed.name)
  const end = await ending(following)
  const { datasets } = follower.reading
  const { time } = end
  const from = {
    datasets,
    place: end,
    time,
    day: end.day,
    rights: follower.offsets.readership(follower),
  }
  return { from, offset: follower.offsets.print(end, follower) }
}

/** How far the feed was read, and the body of a notification if there are new changes. */
type Found = { readonly examined: Examined; readonly body?: string }

/** Maximum number of pages that are read before one notification. */
const maxPages = 20

/**
 * Reads a feed from where it was last examined, with the subscriber's rights. Only changes that the
 * subscriber would get as messages cause a notification.
 */
export async function examineFeed(
  following: Following,
  { feed: name, owner, examined }: Claimed,
): Promise<Found> {
  const feed = findFeed(following.sources, name)
  const follower = await toFollower(following, feed, owner)
  const day = dayOf(following.now())
  const known = {
    datasets: follower.reading.datasets,
    day,
    rights: follower.offsets.readership(follower),
  }
  const bodyAt = (position: Position) => {
    const offset = follower.offsets.print(position, follower)
    return JSON.stringify({ type: 'changes', feed: feed.name, offset })
  }
  if (known.rights !== examined.rights || isExpired(following, examined)) {
    // The subscriber's offset is no longer valid. The subscriber learns this on reading the feed.
    const end = await ending(following)
    const time = Math.max(examined.time + 1, end.time)
    return { examined: { ...known, place: end, time }, body: bodyAt({ ...end, time }) }
  }
  const { place, last } = await readOn(following, follower, examined)
  const time = last?.time ?? examined.time
  const body = last === undefined ? {} : { body: bodyAt(last) }
  return { examined: { ...known, place, time }, ...body }
}

/** @returns the end of what was read, and the position after the last message */
async function readOn(following: Following, follower: Follower, { place, time, day }: Examined) {
  let from: Position = { kind: 'changes', ...place, time, day }
  let last: Position | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await read(following, follower, from)
    if (page.messages.length > 0) last = page.next
    if (page.isUpToDate) return { place: { xid: page.horizon, sequence: lastSequence }, last }
    from = page.next
  }
  return { place: from, last }
}
