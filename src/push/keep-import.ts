import { hash, randomUUID } from 'node:crypto'
import type { Transaction } from '../storage/index.ts'
import { finishMessage, storeMessage } from './messages.ts'
import type { NewMessage, Outcome } from './messages.ts'

type Imported = Pick<NewMessage, 'stream' | 'received' | 'mayBackdate' | 'body'>

/**
 * Keeps an imported body among the messages, for records that point to where they came from. It is kept
 * only when something does: measurements would only be stored twice.
 */
export function keepImport(tx: Transaction, imported: Imported) {
  const id = randomUUID()
  let keeping: Promise<void> | undefined
  return {
    keptAs: async () => {
      keeping ??= storeMessage(tx, toMessage(id, imported))
      await keeping
      return id
    },
    /** Says what became of it, so that no worker takes it for a message that waits. */
    finish: async (outcome: Omit<Outcome, 'state'>) => {
      if (keeping !== undefined) await finishMessage(tx, id, { state: 'visible', ...outcome })
    },
  }
}

function toMessage(id: string, imported: Imported): NewMessage {
  const sha256 = hash('sha256', imported.body, 'buffer')
  return { id, sender: 'import', contentType: 'application/json', sha256, ...imported }
}
