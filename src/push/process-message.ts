import type { Database } from '../storage/index.ts'
import { finishMessage, holdMessage, parkMessage } from './messages.ts'
import type { Pipeline } from './pipeline.ts'
import { storeBody } from './store-body.ts'

type Deps = {
  readonly database: Database
  readonly pipelines: readonly Pipeline[]
  readonly now: () => Date
}

/** No caller waits for a message to be stored, so a large one may take longer than an answer. */
const patient = { statementTimeout: 300_000 }

/**
 * Works on a claimed message in one transaction: what it brings and what became of it are committed
 * together, so a message is never half done and never done twice.
 */
export async function processMessage(deps: Deps, id: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const message = await holdMessage(tx, id)
    if (message === undefined) return
    const keptAs = () => Promise.resolve(id)
    const outcome = await storeBody(tx, deps.pipelines, { ...message, keptAs })
    if (outcome === undefined) {
      await parkMessage(tx, id)
      return
    }
    // A message of which nothing could be taken is rejected; one that brings nothing is simply done.
    const nothingTaken = outcome.stored === 0 && outcome.rejected.length > 0
    const state = nothingTaken ? 'rejected' : 'visible'
    await finishMessage(tx, id, { state, finished: deps.now(), ...outcome })
  }, patient)
}
