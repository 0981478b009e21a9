import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import { isPassing } from '../../storage/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import { loadBody, pieceBytes } from '../accept/store-message.ts'
import { endingOf, storeBody, storeParts, waitingIfPatient } from '../pipeline.ts'
import type { Mappings, Pipeline, EvaluatedMessage, Stored } from '../pipeline.ts'
import { countRejected } from '../rejection.ts'
import type { Rejection } from '../rejection.ts'
import {
  holdLease,
  holdMessages,
  postponeMessage,
  returnMessage,
  settleMessages,
} from './claim-messages.ts'
import type { Claim, HeldMessage } from './claim-messages.ts'

/**
 * Number of messages in a row that must have had a field before a message without it is unusual.
 */
const usual = 10

/** Number of messages without a field after which the field is no longer expected. */
const forgotten = 1000

/**
 * Records which fields a message of a stream has, and warns of fields that earlier messages had.
 */
export async function warnOfMissing(
  tx: Transaction,
  stream: string,
  members: readonly string[],
): Promise<readonly Rejection[]> {
  if (members.length === 0) return []
  const missing = await tx.query<{ member: string; present: number }>(sql`
    with seen as (
      select unnest(${members}::text[]) as member
    ), added as (
      insert into expected_member (stream, member, present, missing)
      select ${stream}, member, 1, 0 from seen order by member
      on conflict (stream, member) do update set
        present = least(expected_member.present + 1, 1000000), missing = 0
    ), gone as (
      update expected_member set
        present = case when present >= ${usual} and missing < ${forgotten} then present else 0 end,
        missing = missing + 1
      where stream = ${stream} and present > 0 and not member = any(${members}::text[])
      returning member, present
    )
    select member, present from gone where present > 0 order by member`)
  return missing.map(({ member, present }) => ({
    index: null,
    reason: `no item has a value of ${member}, which the last ${String(present)} messages with it had: did the provider rename something?`,
  }))
}

/** Result of a mapping for a message, or an error that the message did not cause. */
type Evaluated =
  | { readonly kind: 'evaluated'; readonly message: EvaluatedMessage }
  | { readonly kind: 'failed'; readonly error: unknown }

type MappedDeps = {
  readonly database: Database
  readonly mappings?: Mappings
  readonly now: () => Date
}

/** Milliseconds for which messages are evaluated before those that are ready are stored. */
const batchMilliseconds = 1000

/**
 * Evaluates claimed messages of streams with a mapping one by one, before the transaction that
 * stores them. Small ones that are soon ready are stored together.
 * @param isStopping if true, messages that have not been started are put back
 * @returns messages that can be stored now, by id; those that another worker has taken are missing
 */
async function* evaluateMapped(
  { database, mappings, now }: MappedDeps,
  claims: readonly Claim[],
  isStopping: () => boolean,
): AsyncGenerator<ReadonlyMap<string, Evaluated>> {
  if (mappings === undefined) return
  let batch = new Map<string, Evaluated>()
  let began = now().getTime()
  for (const [index, { id }] of claims.entries()) {
    if (isStopping()) {
      await returnUnbegun(database, claims.slice(index), now())
      break
    }
    const evaluated = await evaluateOne(database, mappings, id)
    if (evaluated !== undefined) batch.set(id, evaluated)
    if (batch.size === 0 || now().getTime() - began < batchMilliseconds) continue
    yield batch
    batch = new Map()
    began = now().getTime()
  }
  if (batch.size > 0) yield batch
}

function returnUnbegun(database: Database, claims: readonly Claim[], now: Date): Promise<void> {
  return database.transaction(async (tx) => {
    for (const { id } of claims) await returnMessage(tx, id, now)
  })
}

type Loaded = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly contentType: string | null
  readonly bytes: number
  readonly body: Uint8Array | null
}

async function loadMapped(database: Database, id: string) {
  const [row] = await database.query<Loaded>(sql`
    select id, stream, received, content_type as "contentType", octet_length(body) as bytes,
      case when octet_length(body) <= ${pieceBytes} then body end as body
    from message where id = ${id} and state = 'processing'`)
  if (row === undefined) return undefined
  return { ...row, body: row.body ?? (await loadBody(database, row)) }
}

/** Evaluates a message. Returns undefined if another worker has taken it. */
async function evaluateOne(
  database: Database,
  mappings: Mappings,
  id: string,
): Promise<Evaluated | undefined> {
  try {
    const message = await loadMapped(database, id)
    if (message === undefined) return undefined
    return { kind: 'evaluated', message: await mappings.evaluate(message) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** Dependencies of processing messages. */
export type ProcessDeps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  /** Mappings of streams. They take precedence over the pipelines. */
  readonly mappings?: Mappings
  readonly now: () => Date
  /** Milliseconds for which values wait for unknown stations. Without it, they do not wait. */
  readonly patience?: number
}

/** Dependencies, with the results of the mappings by message id. */
type Ready = ProcessDeps & { readonly evaluated: ReadonlyMap<string, Evaluated> }

/** Outcome of one attempt to process a message. */
export type Settled = {
  readonly id: string
  readonly stream: string
  readonly state: 'visible' | 'rejected' | 'empty' | 'parked' | 'waiting' | 'postponed' | 'dead'
  readonly stored: number
  readonly rejected: number
  /** Seconds since the message was received. */
  readonly seconds: number
  readonly error?: unknown
}

/**
 * No caller waits for a message to be processed, so a statement may take longer than in a request.
 */
const patient = { statementTimeout: 300_000 }

/**
 * Processes claimed messages. Those of streams with a mapping come last, because evaluating them
 * takes time. Several messages share a transaction: their data and their outcomes are committed
 * together, so that a message is never half done and never done twice. A message that fails leaves
 * nothing behind except its failure, and does not affect the others.
 * @param isStopping if true, no further mapping is evaluated, and the remaining messages are put
 *   back
 */
export async function* processMessages(
  deps: ProcessDeps,
  claims: readonly Claim[],
  isStopping: () => boolean = () => false,
): AsyncGenerator<Settled> {
  const isMapped = ({ stream }: Claim) => deps.mappings?.secondsFor(stream) !== undefined
  const [mapped, plain] = [claims.filter(isMapped), claims.filter((one) => !isMapped(one))]
  const lease = await holdLease(deps, idsOf(mapped))
  try {
    if (plain.length > 0) {
      yield* await processBatch({ ...deps, evaluated: new Map() }, idsOf(plain))
    }
    for await (const evaluated of evaluateMapped(deps, mapped, isStopping)) {
      const ids = [...evaluated.keys()]
      await lease.release(ids)
      yield* await processBatch({ ...deps, evaluated }, ids)
    }
  } finally {
    lease.end()
  }
}

async function processBatch(deps: Ready, ids: readonly string[]): Promise<readonly Settled[]> {
  try {
    if (ids.length > 1) return await processTogether(deps, ids)
  } catch (error) {
    if (isUnreachable(error)) throw error
  }
  return processApart(deps, ids)
}

/**
 * Processes messages together, which is the fast path as long as none fails.
 * @throws the first failure; then nothing is stored
 */
function processTogether(deps: Ready, ids: readonly string[]): Promise<readonly Settled[]> {
  return deps.database.transaction(async (tx) => {
    const held = await holdMessages(tx, ids)
    const outcomes = new Map<string, Stored>()
    for (const message of held) outcomes.set(message.id, await store(deps, tx, message))
    await settleMessages(tx, outcomes, deps.now())
    return held.map((message) => toSettled(deps, message, outcomes.get(message.id) ?? nothing))
  }, patient)
}

/** Processes each message after a savepoint, so that only what fails is undone. */
function processApart(deps: Ready, ids: readonly string[]): Promise<readonly Settled[]> {
  return deps.database.transaction(async (tx) => {
    const settled: Settled[] = []
    for (const message of await holdMessages(tx, ids)) {
      settled.push(await processOne(deps, tx, message))
    }
    return settled
  }, patient)
}

const idsOf = (claims: readonly Claim[]) => claims.map(({ id }) => id)

async function processOne(deps: Ready, tx: Transaction, message: HeldMessage): Promise<Settled> {
  const { id } = message
  await tx.execute(sql`savepoint message`)
  try {
    const outcome = await store(deps, tx, message)
    await settleMessages(tx, new Map([[id, outcome]]), deps.now())
    await tx.execute(sql`release savepoint message`)
    return toSettled(deps, message, outcome)
  } catch (error) {
    // An unreachable database is not the fault of the message, which stays claimed and is retried.
    if (isUnreachable(error)) throw error
    await tx.execute(sql`rollback to savepoint message`)
    const failed = { ...toSettled(deps, message, nothing), error }
    if (isPassing(error)) {
      await returnMessage(tx, id, deps.now())
      return { ...failed, state: 'postponed' }
    }
    const state = await postponeMessage(tx, message, deps.now())
    return { ...failed, state: state === 'dead' ? 'dead' : 'postponed' }
  }
}

/** Stores a message. It may then wait for what it refers to. */
async function store(deps: Ready, tx: Transaction, message: HeldMessage): Promise<Stored> {
  return waitingIfPatient(await storeNow(deps, tx, message), message, deps)
}

async function storeNow(
  { pipelines, evaluated }: Ready,
  tx: Transaction,
  message: HeldMessage,
): Promise<Stored> {
  const keptAs = () => Promise.resolve(message.id)
  const mapped = evaluated.get(message.id)
  if (mapped?.kind === 'failed') throw mapped.error
  if (mapped !== undefined) {
    const { mapping, parts, members } = mapped.message
    const outcome = await storeParts(tx, parts(), { ...message, keptAs })
    const missing = await warnOfMissing(tx, message.stream, members)
    return { ...outcome, mapping, warnings: [...missing, ...(outcome.warnings ?? [])] }
  }
  const body = message.body ?? (await loadBody(tx, message))
  return storeBody(tx, pipelines, { ...message, body, keptAs })
}

const nothing: Stored = { stored: 0, rejected: [] }

function toSettled(
  { now }: ProcessDeps,
  { id, stream, received }: HeldMessage,
  outcome: Stored,
): Settled {
  const seconds = (now().getTime() - received.getTime()) / 1000
  const { state } = endingOf(outcome)
  const taken = { stored: outcome.stored, rejected: countRejected(outcome.rejected) }
  const unsettled = outcome.waits === undefined ? 'parked' : 'waiting'
  return { id, stream, seconds, state: state === 'accepted' ? unsettled : state, ...taken }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'HUB-SRV-002'
}
