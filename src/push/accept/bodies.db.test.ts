import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { loadBody, pieceBytes, storeMessage, storeOnce } from './store-message.ts'
import type { NewMessage } from './store-message.ts'

function messageOf(body: Uint8Array, packed?: Uint8Array): NewMessage {
  return {
    id: randomUUID(),
    stream: 'a/pieces',
    received: new Date('2026-11-22T00:00:00Z'),
    sender: 'somebody',
    mayBackdate: false,
    contentType: undefined,
    headers: {},
    body,
    packed,
    sha256: createHash('sha256')
      .update(packed ?? body)
      .digest(),
  }
}

/** Compares a stored message with what was sent, and counts the pieces left in the database. */
async function look(database: Database, { id, body, packed }: NewMessage) {
  const loaded = await loadBody(database, { id, bytes: body.length })
  const [row] = await database.query<{ digest: Buffer; left: number }>(sql`
    select sha256(coalesce(packed, body)) as digest,
      (select count(*)::integer from message_piece) as left
    from message where id = ${id}`)
  const digest = createHash('sha256')
    .update(packed ?? body)
    .digest()
  return {
    isWhole: Buffer.compare(loaded, body) === 0,
    isAsReceived: row !== undefined && Buffer.compare(row.digest, digest) === 0,
    left: row?.left,
  }
}

const whole = { isWhole: true, isAsReceived: true, left: 0 }

describeWithDatabase('A body that is stored in pieces', (database) => {
  const sizes = [0, 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes, 11 * pieceBytes + 7]

  it.each(sizes)('is unchanged when loaded: %i bytes', async (size) => {
    const message = messageOf(randomBytes(size))
    await storeMessage(database(), message)
    expect(await look(database(), message)).toEqual(whole)
  })

  it('cannot be loaded if its message does not exist', async () => {
    await expect(loadBody(database(), { id: randomUUID(), bytes: 1 })).rejects.toThrow('any more')
  })

  it('is unchanged if it was received compressed and large', async () => {
    const message = messageOf(randomBytes(3 * pieceBytes), randomBytes(2 * pieceBytes + 5))
    await storeMessage(database(), message)
    expect(await look(database(), message)).toEqual(whole)
  })

  it('is stored once per key, even if two requests arrive at the same time', async () => {
    const messages = [1, 2].map(() => messageOf(randomBytes(2 * pieceBytes + 1)))
    const firsts = await Promise.all(
      messages.map((message) => storeOnce(database(), message, 'a key')),
    )
    expect(firsts[0]?.id).toBe(firsts[1]?.id)
    const first = messages.find(({ id }) => id === firsts[0]?.id)
    if (first === undefined) throw new Error('Neither is the first')
    expect(await look(database(), first)).toEqual(whole)
    const other = messages.find(({ id }) => id !== first.id)
    const kept = sql`select 1 from message where id = ${other?.id ?? null}`
    expect(await database().query(kept)).toEqual([])
  })
})
