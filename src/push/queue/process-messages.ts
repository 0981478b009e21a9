import { sql } from '../../sql/index.ts'
import { isPassing } from '../../storage/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import { AppError } from '../../errors/index.ts'
import type { Pipeline } from '../pipeline.ts'
import { stateOf } from '../outcome.ts'
import { storeBody } from '../store-body.ts'
import type { Claim } from './claim-messages.ts'
import {
  finishMessage,
  holdMessages,
  loadBody,
  parkMessage,
  postponeMessage,
  returnMessage,
} from './held-messages.ts'
import type { HeldMessage } from './held-messages.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly now: () => Date
}

/** What became of a message in one attempt. */
export type Settled = {
  readonly id: string
  readonly stream: string
  readonly state: 'visible' | 'rejected' | 'parked' | 'postponed' | 'dead'
  readonly stored: number
  /** How many items were rejected. */
  readonly rejected: number
  /** Seconds since it was received. */
  readonly seconds: number
  readonly error?: unknown
}

/** No caller waits for a message to be stored, so a large one may take longer than an answer. */
const patient = { statementTimeout: 300_000 }

/**
 * Works on claimed messages in one transaction: what they bring and what became of them are committed
 * together, so a message is never half done and never done twice. One that fails leaves no trace but
 * that it failed, and the others alone.
 */
export function processMessages(deps: Deps, claims: readonly Claim[]): Promise<readonly Settled[]> {
  return deps.database.transaction(async (tx) => {
    const settled: Settled[] = []
    const ids = claims.map(({ id }) => id)
    for (const message of await holdMessages(tx, ids)) {
      settled.push(await processOne(deps, tx, message))
    }
    return settled
  }, patient)
}

async function processOne(deps: Deps, tx: Transaction, message: HeldMessage): Promise<Settled> {
  const { id, stream, received } = message
  const settle = (state: Settled['state'], counts: Partial<Settled> = {}): Settled => {
    const seconds = (deps.now().getTime() - received.getTime()) / 1000
    return { id, stream, state, stored: 0, rejected: 0, seconds, ...counts }
  }
  await tx.execute(sql`savepoint message`)
  try {
    const body = await loadBody(tx, message)
    const keptAs = () => Promise.resolve(id)
    const outcome = await storeBody(tx, deps.pipelines, { ...message, body, keptAs })
    if (outcome === undefined) await parkMessage(tx, id)
    else await finishMessage(tx, id, { finished: deps.now(), ...outcome })
    await tx.execute(sql`release savepoint message`)
    if (outcome === undefined) return settle('parked')
    const { stored, rejected } = outcome
    return settle(stateOf(outcome), { stored, rejected: rejected.length })
  } catch (error) {
    // An unreachable database is no fault of the message: it stays claimed and is picked up again.
    if (error instanceof AppError && error.code === 'HUB-SRV-002') throw error
    await tx.execute(sql`rollback to savepoint message`)
    if (isPassing(error)) {
      await returnMessage(tx, id, deps.now())
      return settle('postponed', { error })
    }
    const state = await postponeMessage(tx, message, deps.now())
    return settle(state === 'dead' ? 'dead' : 'postponed', { error })
  }
}
