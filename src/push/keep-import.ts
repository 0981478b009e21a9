import { hash, randomUUID } from 'node:crypto'
import type { Transaction } from '../storage/index.ts'
import { storeMessage } from './accept/store-message.ts'
import type { NewMessage } from './accept/store-message.ts'
import { finishMessage } from './queue/held-messages.ts'
import type { Outcome } from './queue/held-messages.ts'

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
    finish: async (outcome: Outcome) => {
      if (keeping !== undefined) await finishMessage(tx, id, outcome)
    },
  }
}

function toMessage(id: string, imported: Imported): NewMessage {
  const sha256 = hash('sha256', imported.body, 'buffer')
  const asSent = { contentType: 'application/json', headers: {}, packed: undefined, sha256 }
  return { id, sender: 'import', ...asSent, ...imported }
}
