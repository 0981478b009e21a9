import { randomUUID } from 'node:crypto'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'

/**
 * Bytes of a body that travel to or from the database at once. The driver copies what it sends twice, and
 * a long answer would hold up whoever passes it on.
 */
export const pieceBytes = 2_097_152

/**
 * Hands a body to the database, a large one in pieces.
 * @returns its bytes as an expression, for the next statement of the transaction
 */
export async function sendBody(tx: Transaction, bytes: Uint8Array): Promise<Sql> {
  if (bytes.length <= pieceBytes) return sql`${bytes}::bytea`
  const id = randomUUID()
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const piece = bytes.subarray(start, start + pieceBytes)
    await tx.execute(sql`insert into message_piece values (${id}, ${start / pieceBytes}, ${piece})`)
  }
  return sql`(
    select string_agg(bytes, ''::bytea order by number) from message_piece where body = ${id})`
}

/** To be called before the transaction of `sendBody` ends. */
export async function forgetPieces(tx: Transaction): Promise<void> {
  await tx.execute(sql`delete from message_piece`)
}

/**
 * The body of a message of so many bytes, read piece by piece.
 * @throws Error when there is no such message any more
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
