import { randomUUID } from 'node:crypto'
import type { Verified } from '../../access/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Backlog } from '../backlog.ts'
import { otherBody } from './idempotency-key.ts'
import type { InTurn } from './in-turn.ts'
import type { Received } from './receive-body.ts'
import { storeOnce } from './store-message.ts'
import type { NewMessage } from './store-message.ts'
import type { StoreTogether } from './store-together.ts'
import { unpack } from './unpack.ts'

type Deps = {
  readonly database: Database
  readonly store: StoreTogether
  /** Has large bodies wait for each other; without it they do not. */
  readonly inTurn?: InTurn
  /** Keeps count of the room there is. */
  readonly backlog?: Pick<Backlog, 'store'>
  readonly bodyLimit: number
  readonly now: () => Date
}

/** Bytes from which on a body takes its turn: on its way to the database it is in memory several times. */
const large = 1_048_576

/** A body as it came, and who sent it where. */
export type SentMessage = {
  readonly stream: string
  readonly sender: Verified
  readonly contentType: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly idempotencyKey: string | undefined
  readonly received: Received
}

/** The message that a request is answered with: its own, or the first one under its key. */
export type Accepted = { readonly id: string; readonly isFirst: boolean }

/**
 * Stores a message durably and returns its id; only then may it be acknowledged (decision D51).
 * @throws AppError HUB-BDY-001, HUB-BDY-002, HUB-BDY-003 when the body cannot be unpacked, HUB-QRY-015
 *   when another one came under the same key, HUB-SRV-006 when there is no room for it
 */
export async function acceptMessage(deps: Deps, sent: SentMessage): Promise<Accepted> {
  const message = await toMessage(deps, sent)
  const bytes = message.body.length + (message.packed?.length ?? 0)
  const storeNow = () => storeUnder(deps, message, sent.idempotencyKey)
  const { inTurn } = deps
  const store = bytes > large && inTurn !== undefined ? () => inTurn(storeNow) : storeNow
  return deps.backlog === undefined ? store() : deps.backlog.store(bytes, store)
}

async function storeUnder(
  deps: Deps,
  message: NewMessage,
  idempotencyKey: string | undefined,
): Promise<Accepted> {
  if (idempotencyKey === undefined) {
    await deps.store(message)
    return { id: message.id, isFirst: true }
  }
  const { id, sha256 } = await storeOnce(deps.database, message, idempotencyKey)
  if (Buffer.compare(sha256, message.sha256) !== 0) throw otherBody(idempotencyKey)
  return { id, isFirst: id === message.id }
}

async function toMessage({ bodyLimit, now }: Deps, sent: SentMessage): Promise<NewMessage> {
  const { stream, sender, contentType, headers, received } = sent
  const body = await unpack(received.bytes, headers['content-encoding'], bodyLimit)
  return {
    id: randomUUID(),
    stream,
    received: now(),
    sender: sender.client,
    mayBackdate: mayBackdate(sender),
    contentType,
    headers,
    body,
    packed: body === received.bytes ? undefined : received.bytes,
    sha256: received.sha256,
  }
}

/** Whether the sender may set the transaction time of its data. */
export function mayBackdate({ roles }: Verified): boolean {
  return roles.has('ADMIN')
}
