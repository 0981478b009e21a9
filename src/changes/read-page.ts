import { randomBytes } from 'node:crypto'
import type { Queryable } from '../storage/index.ts'
import type { Entry, Feed, Reading } from './feed.ts'
import type { Position } from './offsets.ts'
import { findEnd, lastSequence, readChanges } from './order.ts'
import type { Concern, Place } from './order.ts'

/** Messages of a feed, and where to continue after them. */
export type Page = {
  /** JSON texts. */
  readonly messages: readonly string[]
  readonly next: Position
  readonly isUpToDate: boolean
  /** All transactions up to this one have been read. */
  readonly horizon: bigint
}

export type Paging = {
  readonly database: Queryable
  readonly now: () => Date
  readonly transactionId: (xid: bigint) => string
  /**
   * For each place, the end of a reading that found nothing visible, so that invisible changes are
   * not read again.
   */
  readonly reached: {
    readonly get: (place: Place) => Place | undefined
    readonly set: (place: Place, reached: Place) => void
  }
  /** Reports whether a reader still waits for the page. */
  readonly isAwaited: () => boolean
}

type Read = { readonly feed: Feed; readonly reading: Reading }

/** Maximum number of listed records and of changes in a page. */
const maxListed = 250
const maxConcerned = 1000

/** Records that are loaded at once. */
const atOnce = 25

/** A page ends after this many characters. It and the records of one load are held in memory. */
const longest = 2_000_000

const oneDay = 86_400_000

/** Returns the number of days since 1970. */
export const dayOf = (time: Date) => Math.floor(time.getTime() / oneDay)

const newSalt = () => randomBytes(6).toString('base64url')

/**
 * Returns the starting position for a reader that wants everything: the list of existing records.
 */
export async function beginning({
  database,
  now,
}: Pick<Paging, 'database' | 'now'>): Promise<Position> {
  const end = await findEnd(database)
  return { kind: 'list', ...end, time: now().getTime(), day: dayOf(now()), salt: newSalt() }
}

/** Returns the starting position for a reader that wants future changes only. */
export async function ending(deps: Pick<Paging, 'database' | 'now'>): Promise<Position> {
  return { ...(await beginning(deps)), kind: 'changes' }
}

export async function readPage(deps: Paging, read: Read, from: Position): Promise<Page> {
  if (from.kind === 'changes') return readOn(deps, read, from)
  const { messages, after } = await readList(read, from.after)
  const place = { ...from, time: from.time + 1, after }
  if (after !== undefined) return { messages, next: place, isUpToDate: false, horizon: from.xid }
  const page = await readOn(deps, read, { ...place, kind: 'changes' })
  return { ...page, messages: [...messages, ...page.messages] }
}

async function readList({ feed, reading }: Read, begin: string | undefined) {
  const messages: string[] = []
  let length = 0
  let after = begin
  do {
    const { entries, next } = await reading.list(after, atOnce)
    for (const entry of entries) {
      const message = printInsert({ feed, reading }, entry)
      messages.push(message)
      length += message.length
    }
    after = next
  } while (after !== undefined && messages.length < maxListed && length < longest)
  return { messages, after }
}

/**
 * Reads the changes of the records of the feed. Changes that the caller cannot see leave no trace:
 * the next offset is that of the last message, and the size of a page depends on messages only.
 */
async function readOn(deps: Paging, read: Read, from: Position): Promise<Page> {
  const { reached, now } = deps
  const found = await findConcerns(deps, read, from)
  if (found === undefined) return { messages: [], next: from, isUpToDate: false, horizon: from.xid }
  const { horizon } = found
  const { messages, end, isCut } = await toMessages(deps, read, found.concerns)
  if (end !== undefined) {
    const isUpToDate = !found.isFull && !isCut
    const { xid, sequence, target } = end
    const time = Math.max(from.time + 1, end.time.getTime())
    const day = isUpToDate ? dayOf(now()) : Math.max(from.day, dayOf(end.time))
    return {
      messages,
      next: { kind: 'changes', xid, sequence, target, time, day },
      isUpToDate,
      horizon,
    }
  }
  const place = { xid: horizon, sequence: lastSequence, target: undefined }
  reached.set(from, place)
  // Renewed once a day, so that an offset does not expire while nothing visible changes.
  const isRenewed = dayOf(now()) > from.day
  const renewed = { ...from, ...place, time: from.time + 1, day: dayOf(now()), salt: newSalt() }
  return { messages: [], next: isRenewed ? renewed : from, isUpToDate: true, horizon }
}

/**
 * Finds the next changes that the caller can see, at most one page of them. Returns undefined if no
 * reader waits any more.
 */
async function findConcerns(
  { database, reached, isAwaited }: Paging,
  { reading: { datasets, concerning } }: Read,
  from: Place,
) {
  let concerns: readonly Concern[] = []
  let after = reached.get(from) ?? from
  for (;;) {
    if (!isAwaited()) return undefined
    const limit = maxConcerned + 1
    const chunk = await readChanges(database, { datasets, concerning, after, limit })
    const { horizon } = chunk
    concerns = visibleAfter([...concerns, ...chunk.concerns])
    const isFull = concerns.length > maxConcerned
    if (isFull || !chunk.isFull) return { concerns: wholeTransactions(concerns), isFull, horizon }
    after = chunk.last ?? after
    if (concerns.length === 0) reached.set(from, after)
  }
}

/**
 * Returns the changes that fit into a page, without the last transaction if it is incomplete,
 * unless it is the only one. Only a whole transaction shows what was visible after it.
 */
function wholeTransactions(concerns: readonly Concern[]): readonly Concern[] {
  const cut = concerns[maxConcerned]?.xid
  if (cut === undefined) return concerns
  const end = concerns.findIndex(({ xid }) => xid === cut)
  return concerns.slice(0, end > 0 ? end : maxConcerned)
}

/** Removes records that were visible only within a transaction. */
function visibleAfter(concerns: readonly Concern[]): readonly Concern[] {
  if (concerns.every(({ sees }) => sees)) return concerns
  const within = Map.groupBy(concerns, ({ key, xid }) => `${String(xid)} ${key}`)
  const unseen = [...within.values()].filter((some) => !some[0]?.saw && !some.at(-1)?.sees)
  const left = new Set(unseen.flat())
  return left.size === 0 ? concerns : concerns.filter((one) => !left.has(one))
}

/** All changes of one record in a page. */
type Change = {
  readonly first: Concern
  readonly last: Concern
  readonly targets: readonly string[]
}

/**
 * Writes one message per record, however often it changed, at the place of its last visible change.
 * Whether the record matched the parameters before is unknown, so a record that does not match now
 * is reported as deleted.
 */
async function toMessages(deps: Paging, { feed, reading }: Read, concerns: readonly Concern[]) {
  const changes = new Map<string, Change>()
  for (const last of concerns) {
    const { first, targets } = changes.get(last.key) ?? { first: last, targets: [] }
    changes.delete(last.key)
    changes.set(last.key, { first, last, targets: [...targets, last.target] })
  }
  const messages: string[] = []
  let length = 0
  let end: Concern | undefined
  const all = [...changes]
  while (messages.length < all.length && length < longest) {
    const done = messages.length
    // As many as probably fit, judging by the average length so far.
    const room = done === 0 ? atOnce : Math.ceil(((longest - length) / length) * done)
    const some = all.slice(done, done + room)
    const entries = await reading.load([...new Set(some.flatMap(([, { targets }]) => targets))])
    const values = new Map(entries.map(({ key, value }) => [key, value]))
    for (const [key, { first, last }] of some) {
      const value = values.get(key)
      const operation = value === undefined ? 'delete' : first.saw ? 'update' : 'insert'
      const txid = deps.transactionId(last.xid)
      const headers = { operation, txid, timestamp: last.time.toISOString() }
      const message = printMessage({ feed, reading }, { key, value, headers })
      messages.push(message)
      length += message.length
      end = last
      if (length > longest) break
    }
  }
  return { messages, end, isCut: messages.length < all.length }
}

/** Writes the message of a listed record. */
export function printInsert(read: Read, { key, value }: Entry): string {
  return printMessage(read, { key, value, headers: { operation: 'insert' } })
}

type Message = {
  readonly key: string
  readonly value: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Writes a message of the state protocol of Durable Streams. The value is already JSON text. */
function printMessage({ feed, reading }: Read, { key: full, value, headers }: Message): string {
  const { type, key } = reading.nameOf?.(full) ?? { type: feed.type, key: full }
  const named = `{"type":${JSON.stringify(type)},"key":${JSON.stringify(key)}`
  const valued = value === undefined ? '' : `,"value":${value}`
  return `${named}${valued},"headers":${JSON.stringify(headers)}}`
}
