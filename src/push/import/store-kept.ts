import { hash, randomUUID } from 'node:crypto'
import type { Transaction } from '../../storage/index.ts'
import { storeMessage } from '../accept/store-message.ts'
import type { NewMessage } from '../accept/store-message.ts'
import type { Pipeline, Stored } from '../pipeline.ts'
import { settleMessages } from '../queue/held-messages.ts'
import { storeBody } from '../store-body.ts'

type Deps = { readonly pipelines: readonly Pipeline[]; readonly now: () => Date }

/** A body that nobody pushed, and who brings it. */
type Brought = Pick<NewMessage, 'stream' | 'received' | 'mayBackdate' | 'body' | 'sender'>

/**
 * Stores a body, and keeps it among the messages for records that point to where they came from. It is
 * kept only when something does: measurements would only be stored twice.
 */
export async function storeKept(
  tx: Transaction,
  { pipelines, now }: Deps,
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
