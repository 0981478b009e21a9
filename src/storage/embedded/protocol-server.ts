import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { MessageBatches } from './message-batches.ts'
import type { Batch } from './message-batches.ts'

/**
 * Serves PGlite to clients of PostgreSQL, one at a time: PGlite is a single session, so the next
 * connection waits until the one before has closed. The caller lets the server listen.
 *
 * Ours and not pglite-socket: after an error in an extended query PGlite says twice that it is ready
 * for the next one, which that package passes on, and then a client takes the answer to one statement
 * for the answer to another. Running a whole batch in one call also doubles the rate.
 *
 * @param onCrash called when PGlite itself fails; it cannot be used any more
 */
export function createProtocolServer(db: PGlite, onCrash: (error: unknown) => void): Server {
  let last: Promise<void> = Promise.resolve()
  return createServer({ noDelay: true }, (socket) => {
    // A client that vanishes is no fault; reading its connection ends.
    socket.on('error', () => undefined)
    last = last.then(() => serve(db, socket)).catch(onCrash)
  })
}

/** Resolves when the connection has ended, and leaves no transaction open. */
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
    // The connection broke.
  }
}

/** Runs a batch and answers it with one ReadyForQuery at its end, or none when it ends with Flush. */
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

/** The letter Z, the length 5, and the state of the transaction; PGlite sends it on its own after an error. */
function isReadyForQuery(answer: Buffer): boolean {
  return answer.length === 6 && answer[0] === 0x5a && answer.readInt32BE(1) === 5
}
