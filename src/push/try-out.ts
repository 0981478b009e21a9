import { randomUUID } from 'node:crypto'
import type { Database } from '../storage/index.ts'
import type { Pipeline, Stored } from './pipeline.ts'
import { storeBody } from './store-body.ts'
import type { Trial } from './thread/protocol.ts'

type Deps = { readonly database: Database; readonly pipelines: readonly Pipeline[] }

/**
 * Stores a body as a push would, and takes it back: what would be stored, and what would be rejected.
 * @returns undefined when no pipeline knows what to do with it
 */
export async function tryOut(deps: Deps, { body, ...origin }: Trial): Promise<Stored | undefined> {
  const rollback = new Error('A trial ends without a commit')
  let outcome: Stored | undefined
  try {
    await deps.database.transaction(async (tx) => {
      const keptAs = () => Promise.resolve(randomUUID())
      outcome = await storeBody(tx, deps.pipelines, { ...origin, body, keptAs })
      throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return outcome
}
