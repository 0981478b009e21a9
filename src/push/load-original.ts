import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { isUuid } from './receipt.ts'

/** The bytes of a message as they were received. */
export type Original = {
  readonly contentType: string | null
  /** Content-Encoding of the bytes; null when they are not packed. */
  readonly encoding: string | null
  readonly bytes: Uint8Array
  /** In base64. */
  readonly sha256: string
}

/** What was sent, for its sender alone; undefined when there is no such message of this sender. */
export async function loadOriginal(
  database: Queryable,
  { stream, id, sender }: { readonly stream: string; readonly id: string; readonly sender: string },
): Promise<Original | undefined> {
  if (!isUuid(id)) return undefined
  const [original] = await database.query<Original>(sql`
    select content_type as "contentType",
      case when packed is not null then headers ->> 'content-encoding' end as encoding,
      coalesce(packed, body) as bytes, encode(sha256, 'base64') as sha256
    from message where id = ${id} and stream = ${stream} and sender = ${sender}`)
  return original
}
