import { ownOnly } from '../access/index.ts'
import type { PushScope } from '../access/index.ts'
import type { Transaction } from '../storage/index.ts'
import type { Part, Pipeline, Preparation, Stored } from './pipeline.ts'
import { noPipeline } from './outcome.ts'
import { onLine } from './rejection.ts'
import type { Rejection } from './rejection.ts'

/** Where a body comes from, as far as storing it needs to know. */
export type Origin = {
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
  const prepared = prepare(pipelines, body)
  if (prepared.kind === 'prepared') return storeParts(tx, prepared.parts, origin)
  return { stored: 0, rejected: [], unread: prepared.fault, warnings: [prepared.fault] }
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

function prepare(pipelines: readonly Pipeline[], body: Uint8Array): Preparation {
  let foreign: Preparation = { kind: 'foreign', fault: { index: null, reason: noPipeline } }
  for (const pipeline of pipelines) {
    const preparation = pipeline.prepare(body)
    if (preparation.kind === 'prepared') return preparation
    foreign = preparation
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
