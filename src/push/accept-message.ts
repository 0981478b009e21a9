import { createHash, randomUUID } from 'node:crypto'
import type { Verified } from '../access/index.ts'
import type { Database } from '../storage/index.ts'
import { storeMessage } from './messages.ts'
import { readBody } from './read-body.ts'

type Deps = {
  readonly database: Database
  readonly bodyLimit: number
  readonly now: () => Date
  readonly wake: () => void
}

/** A body as it came, and who sent it where. */
export type SentMessage = {
  readonly stream: string
  readonly sender: Verified
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly body: Uint8Array
}

/**
 * Stores a message durably and returns its id; only then may it be acknowledged (decision D51).
 * @throws AppError HUB-BDY-001, HUB-BDY-002, HUB-BDY-003 when the body cannot be unpacked
 */
export async function acceptMessage(deps: Deps, sent: SentMessage): Promise<string> {
  const body = await readBody(sent.body, sent.contentEncoding, deps.bodyLimit)
  const id = randomUUID()
  await storeMessage(deps.database, {
    id,
    stream: sent.stream,
    received: deps.now(),
    sender: sent.sender.client,
    mayBackdate: sent.sender.roles.has('ADMIN'),
    contentType: sent.contentType,
    body,
    sha256: createHash('sha256').update(body).digest(),
  })
  deps.wake()
  return id
}
