import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { AppError } from '../../errors/index.ts'
import { storeMessage } from './store-message.ts'
import type { NewMessage } from './store-message.ts'

/** Stores a message; once it resolves, the message is committed. */
export type StoreTogether = (message: NewMessage) => Promise<void>

/** Bytes up to which a message travels with others: a large one gains nothing from company. */
const small = 16_384

/** Statements on their way; those that come meanwhile wait for the next one, and go together. */
const mostOnTheirWay = 2
const mostInOne = 64

type Waiting = {
  readonly message: NewMessage
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Stores small messages that come at the same time with one statement: one commit for all of them, where
 * each of its own would wait for the disk. A single message is stored at once.
 */
export function storeTogether(database: Database): StoreTogether {
  const waiting: Waiting[] = []
  let onTheirWay = 0
  const sendNext = async () => {
    onTheirWay += 1
    while (waiting.length > 0) await storeAll(database, waiting.splice(0, mostInOne))
    onTheirWay -= 1
  }
  return (message) => {
    if (message.body.length > small || message.packed !== undefined) {
      return storeMessage(database, message)
    }
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const done = () => {
      resolve(undefined)
    }
    waiting.push({ message, resolve: done, reject })
    if (onTheirWay < mostOnTheirWay) void sendNext()
    return promise
  }
}

/** Tells each message what became of it; never rejects. */
async function storeAll(database: Database, together: readonly Waiting[]): Promise<void> {
  const [only] = together
  if (only === undefined) return
  if (together.length === 1) {
    await storeMessage(database, only.message).then(only.resolve, only.reject)
    return
  }
  try {
    await insertAll(
      database,
      together.map(({ message }) => message),
    )
    for (const { resolve } of together) resolve()
  } catch (error) {
    if (error instanceof AppError) for (const { reject } of together) reject(error)
    // One of them cannot be stored, and the others must not suffer from it.
    else for (const one of together) await storeAll(database, [one])
  }
}

async function insertAll(database: Database, messages: readonly NewMessage[]): Promise<void> {
  const column = <Value>(read: (message: NewMessage) => Value) => messages.map(read)
  await database.execute(sql`
    insert into message
      (id, stream, received, sender, may_backdate, content_type, headers, body, sha256)
    select * from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ stream }) => stream)}::text[],
      ${column(({ received }) => received.toISOString())}::timestamptz[],
      ${column(({ sender }) => sender)}::text[],
      ${column(({ mayBackdate }) => mayBackdate)}::boolean[],
      ${column(({ contentType }) => contentType ?? null)}::text[],
      ${column(({ headers }) => JSON.stringify(headers))}::jsonb[],
      ${column(({ body }) => Buffer.from(body))}::bytea[],
      ${column(({ sha256 }) => Buffer.from(sha256))}::bytea[])`)
}
