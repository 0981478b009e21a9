import type { LRUCache } from 'lru-cache'
import { randomBytes } from 'node:crypto'
import type { Queryable } from '../storage/index.ts'
import type { Feed, Reading } from './feed.ts'
import type { Position } from './offsets.ts'
import { findEnd, lastSequence, readChanges } from './order.ts'
import type { Concern, Place } from './order.ts'

/** Messages of a feed, and where it continues after them. */
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
  /** How far was read in vain from a position, by its offset: what the reader cannot see is not read again. */
  readonly reached: LRUCache<string, Place>
}

type Read = {
  readonly feed: Feed
  readonly reading: Reading
  /** The offset of the position. */
  readonly offset: string
}

/** Records of a list, and rows of `change`, that one statement reads. */
const atOnce = 250
const changesAtOnce = 1000

/** Characters of a page, after which it ends: memory per reader is bounded by this and one record. */
const longest = 2_000_000

const oneDay = 86_400_000

/** Since 1970. */
export const dayOf = (time: Date) => Math.floor(time.getTime() / oneDay)

/** Where a reader begins who wants everything: with the list of what there is. */
export async function beginning({
  database,
  now,
}: Pick<Paging, 'database' | 'now'>): Promise<Position> {
  const salt = randomBytes(6).toString('base64url')
  const end = await findEnd(database)
  return { kind: 'list', ...end, time: now().getTime(), day: dayOf(now()), salt }
}

/** Where a reader begins who wants only what is still to come. */
export async function ending(deps: Pick<Paging, 'database' | 'now'>): Promise<Position> {
  return { ...(await beginning(deps)), kind: 'changes' }
}

export async function readPage(deps: Paging, read: Read, from: Position): Promise<Page> {
  if (from.kind === 'changes') return readOn(deps, read, from)
  const { entries, next } = await read.reading.list(from.after, atOnce)
  const messages = entries.map(({ key, value }) =>
    printMessage(read.feed, { key, value, headers: { operation: 'insert' } }),
  )
  const place = { ...from, time: from.time + 1, after: next }
  if (next !== undefined) return { messages, next: place, isUpToDate: false, horizon: from.xid }
  const page = await readOn(deps, read, { ...place, kind: 'changes' })
  return { ...page, messages: [...messages, ...page.messages] }
}

/**
 * What happened to the records of the feed. Changes that the caller cannot see leave no trace: the next
 * offset is that of the last message.
 */
async function readOn(deps: Paging, read: Read, from: Position): Promise<Page> {
  const { database, reached, now } = deps
  const { datasets } = read.feed
  const { concerning } = read.reading
  let after: Place = reached.get(read.offset) ?? from
  for (;;) {
    const chunk = await readChanges(database, { datasets, concerning, after, limit: changesAtOnce })
    const { isFull, horizon, last } = chunk
    const { messages, end, isCut } = await toMessages(deps, read, chunk.concerns)
    if (end !== undefined) {
      const isUpToDate = !isFull && !isCut
      const { xid, sequence, target } = end
      const time = Math.max(from.time + 1, end.time.getTime())
      const day = isUpToDate ? dayOf(now()) : Math.max(from.day, dayOf(end.time))
      const next: Position = { kind: 'changes', xid, sequence, target, time, day }
      return { messages, next, isUpToDate, horizon }
    }
    after = last ?? after
    if (isFull) continue
    const place = { xid: horizon, sequence: lastSequence, target: undefined }
    reached.set(read.offset, place)
    // What nothing visible followed for long must not be lost: once a day the offset is renewed.
    const isRenewed = dayOf(now()) > from.day
    const next = isRenewed ? { ...from, ...place, time: from.time + 1, day: dayOf(now()) } : from
    return { messages: [], next, isUpToDate: true, horizon }
  }
}

/** The changes of one record in a page. */
type Change = { readonly first: Concern; readonly last: Concern }

/**
 * One message for each record, however often it changed, at the place of its last visible change. Whether it
 * matched the parameters before is not known: what does not match now is reported as deleted.
 */
async function toMessages(
  { transactionId }: Paging,
  { feed, reading }: Read,
  concerns: readonly Concern[],
) {
  const seen = concernsSeen(concerns)
  const changes = new Map<string, Change>()
  for (const last of seen) {
    const first = changes.get(last.key)?.first ?? last
    changes.delete(last.key)
    changes.set(last.key, { first, last })
  }
  const targets = [...new Set(seen.map(({ target }) => target))]
  const entries = targets.length === 0 ? [] : await reading.load(targets)
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  const messages: string[] = []
  let length = 0
  let end: Concern | undefined
  for (const [key, { first, last }] of changes) {
    const value = values.get(key)
    const operation = value === undefined ? 'delete' : first.saw ? 'update' : 'insert'
    const txid = transactionId(last.xid)
    const headers = { operation, txid, timestamp: last.time.toISOString() }
    const message = printMessage(feed, { key, value, headers })
    messages.push(message)
    length += message.length
    end = last
    if (length > longest) break
  }
  return { messages, end, isCut: messages.length < changes.size }
}

/** Without those of records that were visible only within a transaction. */
function concernsSeen(concerns: readonly Concern[]): readonly Concern[] {
  const within = Map.groupBy(concerns, ({ key, xid }) => `${String(xid)} ${key}`)
  const unseen = [...within.values()].filter((some) => !some[0]?.saw && !some.at(-1)?.sees)
  const left = new Set(unseen.flat())
  return left.size === 0 ? concerns : concerns.filter((one) => !left.has(one))
}

type Message = {
  readonly key: string
  readonly value: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** A message of the state protocol of Durable Streams; the value is text already. */
function printMessage({ type }: Feed, { key, value, headers }: Message): string {
  const named = `{"type":${JSON.stringify(type)},"key":${JSON.stringify(key)}`
  const valued = value === undefined ? '' : `,"value":${value}`
  return `${named}${valued},"headers":${JSON.stringify(headers)}}`
}
