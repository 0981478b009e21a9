import type { PGlite } from '@electric-sql/pglite'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

/** Messages that are run together. The last one gives the kind, and alone requires a response. */
type Batch = {
  readonly kind: 'startup' | 'query' | 'sync' | 'flush' | 'terminate'
  readonly bytes: Buffer
}

/** Messages that end a batch, by their first byte (PostgreSQL, "Message Formats"). */
const ends: ReadonlyMap<number | undefined, Batch['kind']> = new Map([
  [0x51, 'query'], // Q
  [0x53, 'sync'], // S
  [0x48, 'flush'], // H
  [0x58, 'terminate'], // X
])

/**
 * Splits the bytes of a client into batches: the messages of an extended query up to its Sync, or
 * one simple query. Takes time linear in the number of bytes, however small the pieces are in which
 * a large message arrives.
 */
export class MessageBatches {
  #pieces: Buffer[] = []
  #size = 0
  /** Number of bytes that completes the next message, or reveals its length. */
  #needed = 0
  /** The first message of a connection has no letter before its length. */
  #header: 0 | 1 = 0
  readonly #messages: Buffer[] = []

  /** Adds received bytes and returns the batches that they complete. */
  push(piece: Buffer): readonly Batch[] {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#size < this.#needed) return []
    const complete: Batch[] = []
    let bytes = Buffer.concat(this.#pieces)
    while (bytes.length >= (this.#needed = this.#messageLength(bytes))) {
      const batch = this.#add(bytes.subarray(0, this.#needed))
      if (batch !== undefined) complete.push(batch)
      bytes = bytes.subarray(this.#needed)
    }
    this.#pieces = [bytes]
    this.#size = bytes.length
    return complete
  }

  /** Returns the length of the message at the start of `bytes`; of its header if incomplete. */
  #messageLength(bytes: Buffer): number {
    const header = this.#header + 4
    if (bytes.length < header) return header
    return Math.max(header, this.#header + bytes.readInt32BE(this.#header))
  }

  #add(message: Buffer): Batch | undefined {
    const kind = this.#header === 0 ? 'startup' : ends.get(message[0])
    this.#header = 1
    this.#messages.push(message)
    if (kind === undefined) return undefined
    return { kind, bytes: Buffer.concat(this.#messages.splice(0)) }
  }
}

/**
 * Serves PGlite to PostgreSQL clients, one at a time: PGlite is a single session, so the next
 * connection waits until the previous one has closed. The caller lets the server listen.
 *
 * Used instead of pglite-socket: after an error in an extended query, PGlite reports twice that it
 * is ready for the next one. That package passes both on, so that a client takes the response to
 * one statement for the response to another. Running a whole batch in one call also doubles the
 * rate.
 *
 * @param onCrash called if PGlite itself fails; it cannot be used any more
 */
export function createProtocolServer(db: PGlite, onCrash: (error: unknown) => void): Server {
  let last: Promise<void> = Promise.resolve()
  return createServer({ noDelay: true }, (socket) => {
    // A client that disconnects is not an error. Reading from its connection ends.
    socket.on('error', () => undefined)
    last = last.then(() => serve(db, socket)).catch(onCrash)
  })
}

/** Serves one connection until it ends, and leaves no transaction open. */
async function serve(db: PGlite, socket: Socket): Promise<void> {
  for await (const batch of batchesFrom(socket)) {
    if (batch.kind === 'terminate') break
    await run(db, batch, socket)
  }
  socket.destroy()
  if (db.isInTransaction()) await db.exec('rollback')
}

async function* batchesFrom(socket: Socket): AsyncGenerator<Batch> {
  const batches = new MessageBatches()
  const pieces: AsyncIterable<Buffer> = socket
  try {
    for await (const piece of pieces) yield* batches.push(piece)
  } catch {
    // The connection was lost.
  }
}

/** Runs a batch. Its response ends with one ReadyForQuery, or none if the batch ends with Flush. */
async function run(db: PGlite, { kind, bytes }: Batch, socket: Socket): Promise<void> {
  let ready: Buffer | undefined
  const onRawData = (data: Uint8Array) => {
    const answer = Buffer.from(data)
    if (isReadyForQuery(answer)) ready = answer
    else socket.write(answer)
  }
  socket.cork()
  await db.execProtocolRawStream(bytes, { onRawData })
  if (ready !== undefined && kind !== 'flush') socket.write(ready)
  socket.uncork()
}

/**
 * Reports whether a message is ReadyForQuery: the letter Z, the length 5, and the transaction
 * state. After an error PGlite sends it separately.
 */
function isReadyForQuery(answer: Buffer): boolean {
  return answer.length === 6 && answer[0] === 0x5a && answer.readInt32BE(1) === 5
}
