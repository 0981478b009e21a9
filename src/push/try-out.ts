import { hash, randomUUID } from 'node:crypto'
import { parsePushScope } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import { storeMessage } from './accept/store-message.ts'
import type { NewMessage } from './accept/store-message.ts'
import { storeBody, storeParts } from './pipeline.ts'
import type { Mappings, Pipeline, Stored } from './pipeline.ts'
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
}

type TrialDeps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
}

/**
 * Stores a body as a push would, and takes it back: what would be stored, and what would be rejected.
 * @throws AppError HUB-SRV-007 when too many wait for their mappings
 */
export async function tryOut(deps: TrialDeps, trial: Trial): Promise<Stored> {
  const { body, contentType, ...from } = trial
  const isMapped = deps.mappings?.secondsFor(trial.stream) !== undefined
  const evaluated = isMapped
    ? await deps.mappings.evaluateTrial({ ...trial, contentType })
    : undefined
  const rollback = new Error('A trial ends without a commit')
  let outcome: Stored = { stored: 0, rejected: [] }
  try {
    await deps.database.transaction(async (tx) => {
      const origin = { ...from, scope: await loadScope(tx, trial) }
      const keptAs = () => Promise.resolve(randomUUID())
      outcome =
        evaluated === undefined
          ? await storeBody(tx, deps.pipelines, { ...origin, body, keptAs })
          : {
              ...(await storeParts(tx, evaluated.parts(), { ...origin, keptAs })),
              mapping: evaluated.mapping,
            }
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return outcome
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
