import { randomUUID } from 'node:crypto'
import { parsePushScope } from '../access/index.ts'
import { sql } from '../sql/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import type { Mappings, Pipeline, Stored } from './pipeline.ts'
import { storeBody, storeParts } from './store-body.ts'
import type { Trial } from './thread/protocol.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly mappings?: Mappings
}

/**
 * Stores a body as a push would, and takes it back: what would be stored, and what would be rejected.
 * @throws AppError HUB-SRV-007 when too many wait for their mappings
 */
export async function tryOut(deps: Deps, trial: Trial): Promise<Stored> {
  const { body, contentType, ...from } = trial
  const isMapped = deps.mappings?.secondsFor(trial.stream) !== undefined
  const prepared = isMapped
    ? await deps.mappings.prepareTrial({ ...trial, contentType })
    : undefined
  const rollback = new Error('A trial ends without a commit')
  let outcome: Stored = { stored: 0, rejected: [] }
  try {
    await deps.database.transaction(async (tx) => {
      const origin = { ...from, scope: await loadScope(tx, trial) }
      const keptAs = () => Promise.resolve(randomUUID())
      outcome =
        prepared === undefined
          ? await storeBody(tx, deps.pipelines, { ...origin, body, keptAs })
          : {
              ...(await storeParts(tx, prepared.parts(), { ...origin, keptAs })),
              mapping: prepared.mapping,
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
