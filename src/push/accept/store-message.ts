import { randomUUID } from 'node:crypto'
import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable, Transaction } from '../../storage/index.ts'

/** Maximum characters of a key. A UUID has 36. */
const longest = 255

/**
 * Parses `Idempotency-Key`: any printable ASCII text, with or without quotes
 * (draft-ietf-httpapi-idempotency-key-header).
 * @returns undefined if the header is missing
 * @throws AppError HUB-QRY-013
 */
export function readIdempotencyKey(header: string | readonly string[] | undefined) {
  if (header === undefined) return undefined
  const written = String(header).trim()
  const key = /^"(.*)"$/.exec(written)?.[1] ?? written
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= longest) return key
  throw new AppError(
    'HUB-QRY-013',
    `Idempotency-Key must be 1 to ${String(longest)} printable ASCII characters.`,
    { hint: 'Use a new UUID for each message, and the same one when you send it again.' },
  )
}

/**
 * Marks a key as in use, and returns a function that releases it. Further calls of that function
 * have no effect.
 * @throws AppError HUB-QRY-014 if the key is already in use
 */
type EnterKey = (...names: readonly [sender: string, stream: string, key: string]) => () => void

/**
 * Creates the register of keys of the requests in this process: each key can be in use only once.
 */
export function runningKeys(): EnterKey {
  const running = new Set<string>()
  return (...names) => {
    const name = JSON.stringify(names)
    if (running.has(name)) throw stillRunning()
    running.add(name)
    let isHeld = true
    return () => {
      // By now another request may be using the key.
      if (isHeld) running.delete(name)
      isHeld = false
    }
  }
}

function stillRunning(): AppError {
  return new AppError('HUB-QRY-014', 'A request with this Idempotency-Key is being answered.', {
    hint: 'Wait for its answer, or send this one again a little later.',
    headers: { 'retry-after': '1' },
  })
}

/** Returns the error for a key that was already used for another body. */
export function otherBody(key: string): AppError {
  return new AppError('HUB-QRY-015', `Another body was sent with the Idempotency-Key ${key}.`, {
    hint: 'Use a new key for each message.',
  })
}

/** A message to store: what was sent, by whom and when. */
export type NewMessage = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly sender: string
  readonly mayBackdate: boolean
  readonly contentType: string | undefined
  /** Headers that describe the body, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed body. */
  readonly body: Uint8Array
  /** The body as it was received, if that differs from `body`. */
  readonly packed: Uint8Array | undefined
  /** Digest of the bytes as they were received. */
  readonly sha256: Uint8Array
}

/** Reports whether a text can be the id of a message. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/**
 * Stores a message. Unless it is part of a transaction, it is committed once this resolves, and may
 * be acknowledged (decision D51).
 */
export async function storeMessage(
  database: Database | Transaction,
  message: NewMessage,
): Promise<void> {
  await withBytes(database, message, (on, bytes) =>
    on.execute(sql`insert into message (${columns}) values (${valuesOf(message, bytes)})`),
  )
}

/** Hours for which repeated requests get the first response (decision D51). */
export const keyHours = 24

type FirstMessage = { readonly id: string; readonly sha256: Uint8Array }

/**
 * Stores a message unless one with the same key, sender and stream was stored in the last 24 hours.
 * Of two concurrent requests, one waits for the other and finds its message.
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
  // The key has expired and was deleted in between, so this message is the first again.
  return first ?? takeKey(database, keyed)
}

type Bytes = { readonly body: Sql; readonly packed: Sql }

/**
 * Passes the bytes of a message to `store` as SQL. Large bodies need several statements, and so a
 * transaction.
 */
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

/**
 * Bytes of a body that are sent to or from the database at a time. The driver copies what it sends
 * twice, and a long response would block the thread that passes it on.
 */
export const pieceBytes = 2_097_152

/**
 * Sends a body to the database, a large one in pieces.
 * @returns an SQL expression of its bytes, for the next statement of the transaction
 */
async function sendBody(tx: Transaction, bytes: Uint8Array): Promise<Sql> {
  if (bytes.length <= pieceBytes) return sql`${bytes}::bytea`
  const id = randomUUID()
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes)
    await tx.execute(sql`insert into message_piece values (${id}, ${start / pieceBytes}, ${piece})`)
  }
  return sql`(
    select string_agg(bytes, ''::bytea order by number) from message_piece where body = ${id})`
}

/** Deletes the pieces. Must be called before the transaction of `sendBody` ends. */
async function forgetPieces(tx: Transaction): Promise<void> {
  await tx.execute(sql`delete from message_piece`)
}

/**
 * Loads the body of a message of known size, piece by piece.
 * @throws Error if the message no longer exists
 */
export async function loadBody(
  database: Queryable,
  { id, bytes }: { readonly id: string; readonly bytes: number },
): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(bytes)
  for (let start = 0; start < bytes; start += pieceBytes) {
    const [row] = await database.query<{ readonly part: Uint8Array }>(sql`
      select substring(body from ${start + 1}::integer for ${pieceBytes}::integer) as part
      from message where id = ${id}`)
    if (row === undefined) throw new Error(`There is no message ${id} any more`)
    whole.set(row.part, start)
  }
  return whole
}

const columns = sql`
  id, stream, received, sender, may_backdate, content_type, headers, bytes, body, packed, sha256`

function valuesOf(message: NewMessage, { body, packed }: Bytes): Sql {
  const { id, stream, received, sender, mayBackdate, sha256 } = message
  return sql`
    ${id}::uuid, ${stream}::text, ${received}::timestamptz, ${sender}::text, ${mayBackdate}::boolean,
    ${message.contentType ?? null}::text, ${JSON.stringify(message.headers)}::jsonb,
    ${message.body.length}::integer, ${body}, ${packed}, ${sha256}::bytea`
}

/** Stores a message. Once the promise resolves, the message is committed. */
export type StoreTogether = (message: NewMessage) => Promise<void>

/** Size in bytes up to which messages are stored together. A larger one gains nothing from it. */
const small = 16_384

/**
 * Maximum number of concurrent statements. Messages that arrive meanwhile wait for the next one,
 * and share it.
 */
const maxInFlight = 2
const maxPerBatch = 64

type Waiting = {
  readonly message: NewMessage
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Stores small messages that arrive at the same time with one statement and one commit, because
 * otherwise each would wait for the disk. A single message is stored immediately.
 */
export function storeTogether(database: Database): StoreTogether {
  const waiting: Waiting[] = []
  let onTheirWay = 0
  const sendNext = async () => {
    onTheirWay += 1
    while (waiting.length > 0) await storeAll(database, waiting.splice(0, maxPerBatch))
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
    if (onTheirWay < maxInFlight) void sendNext()
    return promise
  }
}

/** Stores messages and settles the promise of each. Never rejects. */
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
    // One of them cannot be stored, which must not affect the others.
    else for (const one of together) await storeAll(database, [one])
  }
}

async function insertAll(database: Database, messages: readonly NewMessage[]): Promise<void> {
  const column = <Value>(read: (message: NewMessage) => Value) => messages.map(read)
  await database.execute(sql`
    insert into message
      (id, stream, received, sender, may_backdate, content_type, headers, bytes, body, sha256)
    select * from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ stream }) => stream)}::text[],
      ${column(({ received }) => received.toISOString())}::timestamptz[],
      ${column(({ sender }) => sender)}::text[],
      ${column(({ mayBackdate }) => mayBackdate)}::boolean[],
      ${column(({ contentType }) => contentType ?? null)}::text[],
      ${column(({ headers }) => JSON.stringify(headers))}::jsonb[],
      ${column(({ body }) => body.length)}::integer[],
      ${column(({ body }) => Buffer.from(body))}::bytea[],
      ${column(({ sha256 }) => Buffer.from(sha256))}::bytea[])`)
}
