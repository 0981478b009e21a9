import type { Queryable } from '../storage/index.ts'
import type { Feed, Reading } from './feed.ts'
import { findEnd, lastSequence, readChanges } from './order.ts'
import type { Chunk, Concern } from './order.ts'
import type { Position } from './offsets.ts'

/** Messages of a feed, and where to go on after them. */
export type Page = {
  /** JSON texts. */
  readonly messages: readonly string[]
  readonly next: Position
  readonly isUpToDate: boolean
  /** All transactions up to this one have been looked at. */
  readonly horizon: bigint
}

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  readonly transactionId: (xid: bigint) => string
}

type Read = { readonly feed: Feed; readonly reading: Reading }

/** Rows of `change`, or records of the list, that one statement reads. */
const atOnce = 250

const dayOf = (time: Date) => Math.floor(time.getTime() / 86_400_000)

/** Where a reader begins who wants everything: with the list of what there is. */
export async function beginning({ database, now }: Deps): Promise<Position> {
  const end = await findEnd(database)
  return { kind: 'list', ...end, time: now().getTime(), day: dayOf(now()) }
}

/** Where a reader begins who wants only what is still to come. */
export async function ending(deps: Deps): Promise<Position> {
  return { ...(await beginning(deps)), kind: 'changes' }
}

export function readPage(deps: Deps, read: Read, from: Position): Promise<Page> {
  return from.kind === 'list' ? readList(deps, read, from) : readOn(deps, read, from)
}

async function readList(
  { database, now }: Deps,
  { feed, reading }: Read,
  from: Position,
): Promise<Page> {
  const { entries, next } = await reading.list(from.after, atOnce)
  const place = { ...from, time: from.time + 1, day: dayOf(now()) }
  const end = next === undefined ? await findEnd(database) : undefined
  return {
    messages: entries.map(({ key, value }) =>
      printMessage(feed, { key, value, headers: { operation: 'insert' } }),
    ),
    next:
      next === undefined
        ? { ...place, kind: 'changes', after: undefined }
        : { ...place, after: next },
    isUpToDate: end !== undefined && from.after === undefined && end.xid === from.xid,
    horizon: from.xid,
  }
}

/**
 * What happened to the records of the feed. Changes that do not concern the caller are passed over, and leave no trace:
 * the next offset is that of the last message.
 */
async function readOn(deps: Deps, read: Read, from: Position): Promise<Page> {
  const { feed, reading } = read
  let after: Pick<Position, 'xid' | 'sequence'> = from
  for (;;) {
    const wanted = { datasets: feed.datasets, concerning: reading.concerning, after, limit: atOnce }
    const chunk = await readChanges(deps.database, wanted)
    const { messages, last } = await toMessages(deps, read, chunk.concerns)
    const { horizon } = chunk
    if (last !== undefined) {
      const time = Math.max(from.time + 1, last.time.getTime())
      const { xid, sequence } = last
      const next: Position = { kind: 'changes', xid, sequence, time, day: dayOf(deps.now()) }
      return { messages, next, isUpToDate: !chunk.isFull, horizon }
    }
    if (!chunk.isFull || chunk.last === undefined) {
      return { messages, next: renewed(from, chunk, dayOf(deps.now())), isUpToDate: true, horizon }
    }
    after = chunk.last
  }
}

/** The same place, or once a day a later one: what nothing visible followed for long must not be lost. */
function renewed(from: Position, { horizon }: Chunk, day: number): Position {
  if (day <= from.day || horizon <= from.xid) return from
  return { kind: 'changes', xid: horizon, sequence: lastSequence, time: from.time + 1, day }
}

type Change = {
  readonly target: string | null
  readonly seen: boolean
  readonly fresh: boolean | undefined
  readonly last: Concern
}

/** One message for each record, however often it changed, where the last of its changes stands. */
async function toMessages(
  { transactionId }: Deps,
  { feed, reading }: Read,
  concerns: readonly Concern[],
) {
  const changes = new Map<string, Change>()
  for (const one of concerns) {
    const known = changes.get(one.key)
    changes.delete(one.key)
    changes.set(one.key, {
      target: one.target ?? known?.target ?? null,
      seen: one.seen || known?.seen === true,
      fresh: known?.fresh ?? one.fresh,
      last: one,
    })
  }
  const targets = new Set([...changes.values()].flatMap(({ target }) => target ?? []))
  const entries = targets.size === 0 ? [] : await reading.load([...targets])
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  const messages: string[] = []
  let last: Concern | undefined
  for (const [key, change] of changes) {
    const value = values.get(key)
    if (value === undefined && !change.seen) continue
    last = change.last
    const operation = value === undefined ? 'delete' : change.fresh === true ? 'insert' : 'update'
    const { xid, time } = change.last
    const headers = { operation, txid: transactionId(xid), timestamp: time.toISOString() }
    messages.push(printMessage(feed, { key, value, headers }))
  }
  return { messages, last }
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
