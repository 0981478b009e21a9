import { hash, randomUUID } from 'node:crypto'
import { parsePushScope } from '../access/index.ts'
import type { Entity } from '../content/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { storeMessage } from './accept/store-message.ts'
import type { NewMessage } from './accept/store-message.ts'
import { compareWithStored, markChanges, readWritten } from './changed-records.ts'
import type { ChangedRecord, Written } from './changed-records.ts'
import { storeBody, storeParts } from './pipeline.ts'
import type { EvaluatedMessage, Mappings, Pipeline, Stored } from './pipeline.ts'
import { settleMessages } from './queue/claim-messages.ts'

/** A body to be tried out: nothing of it stays. */
export type Trial = {
  readonly stream: string
  readonly received: Date
  /** The client that would send it. */
  readonly sender: string
  readonly mayBackdate: boolean
  readonly contentType: string | null
  readonly body: Uint8Array
  /** `compare`: what is different from what is stored, too. */
  readonly aim?: 'compare'
}

type TrialDeps = {
  readonly database: Database
  /** Whose records are compared; without it those of no entity are. */
  readonly entities?: readonly Entity[]
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
}

/** What would become of a body; with the aim to compare also the records that it would change. */
export type Tried = Stored & {
  readonly compared?: {
    /** At most 100. */
    readonly records: readonly ChangedRecord[]
    readonly count: number
  }
}

/**
 * Stores a body as a push would, and takes it back: what would be stored, and what would be rejected.
 * @throws AppError HUB-SRV-007 when too many wait for their mappings
 */
export async function tryOut(deps: TrialDeps, trial: Trial): Promise<Tried> {
  const { database, entities = [] } = deps
  const isMapped = deps.mappings?.secondsFor(trial.stream) !== undefined
  const evaluated = isMapped ? await deps.mappings.evaluateTrial(trial) : undefined
  const rollback = new Error('A trial ends without a commit')
  const tried: { outcome: Stored; written?: Written } = { outcome: { stored: 0, rejected: [] } }
  try {
    await database.transaction(async (tx) => {
      const mark = trial.aim === 'compare' ? await markChanges(tx) : undefined
      tried.outcome = await storeTrial(tx, { ...deps, evaluated }, trial)
      if (mark !== undefined) tried.written = await readWritten(tx, mark, entities)
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  const { outcome, written } = tried
  if (written === undefined) return outcome
  const records = await compareWithStored(database, written, entities)
  return { ...outcome, compared: { records, count: written.count } }
}

type Evaluated = Pick<TrialDeps, 'pipelines'> & { readonly evaluated: EvaluatedMessage | undefined }

async function storeTrial(
  tx: Transaction,
  { pipelines, evaluated }: Evaluated,
  trial: Trial,
): Promise<Stored> {
  const { stream, received, mayBackdate, body } = trial
  const keptAs = () => Promise.resolve(randomUUID())
  const origin = { stream, received, mayBackdate, scope: await loadScope(tx, trial), keptAs }
  if (evaluated === undefined) return storeBody(tx, pipelines, { ...origin, body })
  const stored = await storeParts(tx, evaluated.parts(), origin)
  return { ...stored, mapping: evaluated.mapping }
}

async function loadScope(tx: Transaction, { sender, stream }: Trial) {
  const [row] = await tx.query<{ scope: string | null }>(
    sql`select push_scope(${sender}, ${stream}) as scope`,
  )
  return parsePushScope(row?.scope ?? null)
}

type KeptDeps = { readonly pipelines: readonly Pipeline[]; readonly now: () => Date }

/** A body that nobody pushed, and who brings it. */
type Brought = Pick<NewMessage, 'stream' | 'received' | 'mayBackdate' | 'body' | 'sender'>

/**
 * Stores a body, and keeps it among the messages for records that point to where they came from. It is
 * kept only when something does: measurements would only be stored twice.
 */
export async function storeKept(
  tx: Transaction,
  { pipelines, now }: KeptDeps,
  brought: Brought,
): Promise<Stored> {
  const id = randomUUID()
  let keeping: Promise<void> | undefined
  const keptAs = async () => {
    keeping ??= storeMessage(tx, toMessage(id, brought))
    await keeping
    return id
  }
  const outcome = await storeBody(tx, pipelines, { ...brought, keptAs, listed: Infinity })
  // No worker must take it for a message that waits.
  if (keeping !== undefined) await settleMessages(tx, new Map([[id, outcome]]), now())
  return outcome
}

function toMessage(id: string, brought: Brought): NewMessage {
  const sha256 = hash('sha256', brought.body, 'buffer')
  const asSent = { contentType: 'application/json', headers: {}, packed: undefined, sha256 }
  return { id, ...asSent, ...brought }
}
