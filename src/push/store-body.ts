import { randomUUID } from 'node:crypto'
import { ownOnly } from '../access/index.ts'
import type { PushScope } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'
import { noPipeline } from './pipeline.ts'
import type { Part, Pipeline, Reading, Stored } from './pipeline.ts'
import { onLine } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/**
 * Bytes of a body that travel to or from the database at once. The driver copies what it sends twice, and
 * a long answer would hold up the thread that passes it on.
 */
export const pieceBytes = 2_097_152

/**
 * Hands a body to the database, a large one in pieces.
 * @returns its bytes as an expression, for the next statement of the transaction
 */
export async function sendBody(tx: Transaction, bytes: Uint8Array): Promise<Sql> {
  if (bytes.length <= pieceBytes) return sql`${bytes}::bytea`
  const id = randomUUID()
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes)
    await tx.execute(sql`insert into message_piece values (${id}, ${start / pieceBytes}, ${piece})`)
  }
  return sql`(
    select string_agg(bytes, ''::bytea order by number) from message_piece where body = ${id})`
}

/** To be called before the transaction of `sendBody` ends. */
export async function forgetPieces(tx: Transaction): Promise<void> {
  await tx.execute(sql`delete from message_piece`)
}

/**
 * The body of a message of a known size, read piece by piece.
 * @throws Error when the message no longer exists
 */
export async function loadBody(
  database: Queryable,
  { id, bytes }: { readonly id: string; readonly bytes: number },
): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(bytes)
  for (let start = 0; start < bytes; start += pieceBytes) {
    const [row] = await database.query<{ readonly part: Uint8Array }>(sql`
      select substring(body from ${start + 1}::integer for ${pieceBytes}::integer) as part
      from message where id = ${id}`)
    if (row === undefined) throw new Error(`There is no message ${id} any more`)
    whole.set(row.part, start)
  }
  return whole
}

/** Where a body comes from, as far as storing it needs to know. */
type Origin = {
  /** `provider/dataset` */
  readonly stream: string
  readonly received: Date
  /** Whether the sender may do everything, and set the transaction time of its data (role ADMIN). */
  readonly mayBackdate: boolean
  /** What the sender's permission covers; only what the stream itself wrote when it is left out. */
  readonly scope?: PushScope | undefined
  /** Identifier of the message, for what points back to it; absent when it is not kept. */
  readonly keptAs?: () => Promise<string>
  /** Rejections, and warnings, that are listed at most; the others are counted. */
  readonly listed?: number
}

/**
 * Takes a body apart and stores what is good in it. Push, import and the demo all come through here.
 */
export async function storeBody(
  tx: Transaction,
  pipelines: readonly Pipeline[],
  { body, ...origin }: Origin & { readonly body: Uint8Array },
): Promise<Stored> {
  const reading = read(pipelines, body)
  if (reading.kind === 'read') return storeParts(tx, reading.parts, origin)
  return { stored: 0, rejected: [], unread: reading.fault, warnings: [reading.fault] }
}

/** Stores what a body was taken apart into. */
export async function storeParts(
  tx: Transaction,
  parts: Iterable<Part>,
  origin: Origin,
): Promise<Stored> {
  let [stored, awaits] = [0, false]
  const { listed = mostListed } = origin
  const rejected = boundedList('rejections', listed)
  const warnings = boundedList('warnings', listed)
  for (const part of parts) {
    const outcome = await storePart(tx, part, origin)
    stored += outcome.stored
    awaits ||= outcome.awaits === true
    rejected.add(outcome.rejected)
    warnings.add(outcome.warnings ?? [])
  }
  return { stored, rejected: rejected.all(), warnings: warnings.all(), awaits }
}

/** Collects what a receipt lists, and counts what is too much for it. */
function boundedList(what: string, most: number) {
  const listed: Rejection[] = []
  let unlisted = 0
  return {
    add: (more: readonly Rejection[]) => {
      const some = more.slice(0, most - listed.length)
      unlisted += more.length - some.length
      for (const one of some) listed.push(one)
    },
    all: (): readonly Rejection[] => {
      const reason = `${String(unlisted)} more ${what} are not listed`
      return unlisted === 0 ? listed : [...listed, { index: null, reason }]
    },
  }
}

/** A receipt is read by people and programs: some hundred kilobytes. */
const mostListed = 1_000

function read(pipelines: readonly Pipeline[], body: Uint8Array): Reading {
  let foreign: Reading = { kind: 'foreign', fault: { index: null, reason: noPipeline } }
  for (const pipeline of pipelines) {
    const reading = pipeline.read(body)
    if (reading.kind === 'read') return reading
    foreign = reading
  }
  return foreign
}

async function storePart(tx: Transaction, part: Part, origin: Origin): Promise<Stored> {
  if (part.recorded !== undefined && !origin.mayBackdate) return refuseToBackdate(part)
  const received = part.recorded === undefined ? origin.received : new Date(part.recorded)
  const [provider = ''] = origin.stream.split('/')
  const { stream, keptAs, mayBackdate, scope = ownOnly } = origin
  const pushed = { stream, scope: mayBackdate ? undefined : scope }
  const saving = { ...pushed, received, provider, keptAs }
  const outcome = await part.store(tx, saving)
  const { rejected, warnings = [] } = outcome
  const all = [...part.rejected, ...rejected].sort(byLine)
  return {
    ...outcome,
    rejected: all,
    warnings: [...(part.warnings ?? []), ...warnings].sort(byLine),
  }
}

function refuseToBackdate({ lines, rejected }: Part): Stored {
  const reason = 'may only be given by a caller with the role ADMIN'
  const refused = { index: null, pointer: '/recorded', reason }
  const others = rejected.filter(({ line }) => !lines.includes(line))
  const all = [...others, ...lines.map((line) => onLine(refused, line))]
  return { stored: 0, rejected: all.sort(byLine) }
}

/** Of one line, what checking refused comes before what storing refused. */
function byLine(one: Rejection, other: Rejection): number {
  return (one.line ?? 0) - (other.line ?? 0)
}
