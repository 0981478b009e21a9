import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'
import { forgetPieces, pieceBytes, sendBody } from '../body-pieces.ts'

/** A message as it is accepted: what was sent, by whom, when. */
export type NewMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly sender: string
  readonly mayBackdate: boolean
  readonly contentType: string | undefined
  /** Headers that say something about the body, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Unpacked. */
  readonly body: Uint8Array
  /** The body as it was received, where that is not `body` itself. */
  readonly packed: Uint8Array | undefined
  /** Of the bytes as they were received. */
  readonly sha256: Uint8Array
}

/** Stores a message; once this resolves, it is committed and may be acknowledged (decision D51). */
export async function storeMessage(
  database: Database | Transaction,
  message: NewMessage,
): Promise<void> {
  await withBytes(database, message, (on, bytes) =>
    on.execute(sql`insert into message (${columns}) values (${valuesOf(message, bytes)})`),
  )
}

/** How long the first answer is given to repetitions (decision D51). */
export const keyHours = 24

/** The message that was stored first under a key. */
export type FirstMessage = { readonly id: string; readonly sha256: Uint8Array }

/**
 * Stores a message unless one was stored under the same key of the same sender and stream in the last
 * 24 hours. Of two that come at once, one waits for the other and finds it.
 * @returns the first message, which may be this one
 */
export function storeOnce(
  database: Database,
  message: NewMessage,
  key: string,
): Promise<FirstMessage> {
  return withBytes(database, message, (on, bytes) => takeKey(on, { message, bytes, key }))
}

type KeyedMessage = {
  readonly message: NewMessage
  readonly bytes: Bytes
  readonly key: string
}

async function takeKey(database: Queryable, keyed: KeyedMessage): Promise<FirstMessage> {
  const { message, bytes, key } = keyed
  const { id, sender, stream, sha256, received } = message
  const stored = await database.execute(sql`
    with taken as (
      insert into push_key as known (sender, stream, key, message, sha256, created)
      values (${sender}, ${stream}, ${key}, ${id}, ${sha256}, ${received})
      on conflict (sender, stream, key) do update set
        message = excluded.message, sha256 = excluded.sha256, created = excluded.created
      where known.created < excluded.created - ${keyHours}::integer * interval '1 hour'
      returning true
    )
    insert into message (${columns}) select ${valuesOf(message, bytes)} from taken`)
  if (stored > 0) return { id, sha256 }
  const [first] = await database.query<FirstMessage>(sql`
    select message as id, sha256 from push_key
    where sender = ${sender} and stream = ${stream} and key = ${key}`)
  // Forgotten in between: its time was over, so this one is the first again.
  return first ?? takeKey(database, keyed)
}

/** The bytes of a message as expressions. */
type Bytes = { readonly body: Sql; readonly packed: Sql }

/** Large bytes need several statements, so they have a transaction. */
async function withBytes<Result>(
  database: Database | Transaction,
  { body, packed }: NewMessage,
  store: (on: Queryable, bytes: Bytes) => Promise<Result>,
): Promise<Result> {
  if (Math.max(body.length, packed?.length ?? 0) <= pieceBytes) {
    return store(database, { body: sql`${body}::bytea`, packed: sql`${packed ?? null}::bytea` })
  }
  const storeInPieces = async (tx: Transaction) => {
    const bytes = {
      body: await sendBody(tx, body),
      packed: packed === undefined ? sql`null::bytea` : await sendBody(tx, packed),
    }
    const result = await store(tx, bytes)
    await forgetPieces(tx)
    return result
  }
  return 'transaction' in database ? database.transaction(storeInPieces) : storeInPieces(database)
}

const columns = sql`
  id, stream, received, sender, may_backdate, content_type, headers, body, packed, sha256`

function valuesOf(message: NewMessage, { body, packed }: Bytes): Sql {
  const { id, stream, received, sender, mayBackdate, sha256 } = message
  return sql`
    ${id}::uuid, ${stream}::text, ${received}::timestamptz, ${sender}::text, ${mayBackdate}::boolean,
    ${message.contentType ?? null}::text, ${JSON.stringify(message.headers)}::jsonb,
    ${body}, ${packed}, ${sha256}::bytea`
}
