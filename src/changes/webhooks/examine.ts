import type { Principal, Verified, Visibility } from '../../access/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Feed, FeedCaller, FeedSource } from '../feed.ts'
import type { Offsets, Position, Readership } from '../offsets.ts'
import { isLost, lastSequence } from '../order.ts'
import { dayOf, ending, readPage } from '../read-page.ts'
import type { Claimed, Examined, Owner } from './subscriptions.ts'

/** What is needed to read feeds as a subscriber would. */
export type Reader = {
  readonly database: Database
  readonly sources: readonly FeedSource[]
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  readonly offsets: Offsets
}

const pageDeps = ({ database, now, offsets }: Reader) => ({
  ...{ database, now },
  transactionId: offsets.transactionId,
})

function readershipOf(reader: Reader, feed: Feed, owner: Owner) {
  const roles = new Set(owner.roles)
  // The token itself is not kept: nobody is asked anything on the subscriber's behalf.
  const principal: Verified = { kind: 'verified', ...owner, roles, token: '' }
  const caller: FeedCaller = {
    principal,
    visibility: reader.visibilityOf(principal),
    isStrict: false,
  }
  const readership: Readership = { feed, query: {}, visibility: caller.visibility }
  return { caller, readership }
}

/** The offset of no place: it differs by epoch, feed and rights, and by nothing else. */
function rightsOf({ offsets }: Reader, readership: Readership): string {
  const nowhere = { kind: 'changes', xid: 0n, sequence: 0n, time: 0, day: 0 } as const
  return offsets.print(nowhere, readership)
}

/** Where a new subscription begins, and the offset of that place. */
export async function beginAt(reader: Reader, feed: Feed, owner: Owner) {
  const { readership } = readershipOf(reader, feed, owner)
  const end = await ending(pageDeps(reader))
  const from: Examined = {
    datasets: feed.datasets,
    place: end,
    time: end.time,
    rights: rightsOf(reader, readership),
  }
  return { from, offset: reader.offsets.print(end, readership) }
}

/** What is new for a subscriber: how far that was read, and the body of a notification if there is any. */
type Found = { readonly examined: Examined; readonly body?: string }

/** Pages that are read before one notification. */
const mostPages = 20

/**
 * Reads a feed from where it was last examined, with the subscriber's rights. Only what he would get as a message is
 * notified; what he cannot see is passed over.
 */
export async function examineFeed(
  reader: Reader,
  { feed: name, owner, examined }: Claimed,
): Promise<Found> {
  const found = await Promise.all(reader.sources.map((source) => source.find(name)))
  const feed = found.find((one) => one !== undefined)
  // A type of stations can disappear, and come back.
  if (feed === undefined) return { examined }
  const { caller, readership } = readershipOf(reader, feed, owner)
  const known = { datasets: feed.datasets, rights: rightsOf(reader, readership) }
  const bodyAt = (position: Position) => {
    const offset = reader.offsets.print(position, readership)
    return JSON.stringify({ type: 'changes', feed: feed.name, offset })
  }
  const isOther = known.rights !== examined.rights
  if (isOther || (await isLost(reader.database, feed.datasets, examined.place))) {
    // The subscriber's offset is void, which he finds out when he reads.
    const end = await ending(pageDeps(reader))
    const time = Math.max(examined.time + 1, end.time)
    return { examined: { ...known, place: end, time }, body: bodyAt({ ...end, time }) }
  }
  const { place, last } = await readOn(reader, { feed, caller }, examined)
  const time = last?.time ?? examined.time
  const body = last === undefined ? {} : { body: bodyAt(last) }
  return { examined: { ...known, place, time }, ...body }
}

type Read = { readonly feed: Feed; readonly caller: FeedCaller }

/** @returns up to where everything was read, and the place behind the last message */
async function readOn(reader: Reader, { feed, caller }: Read, { place, time }: Examined) {
  const reading = await feed.open({}, caller)
  let from: Position = { kind: 'changes', ...place, time, day: dayOf(reader.now()) }
  let last: Position | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await readPage(pageDeps(reader), { feed, reading }, from)
    if (page.messages.length > 0) last = page.next
    if (page.isUpToDate) return { place: { xid: page.horizon, sequence: lastSequence }, last }
    from = page.next
  }
  return { place: from, last }
}
