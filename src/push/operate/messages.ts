import { join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Queryable, Row } from '../../storage/index.ts'
import { waiting } from '../queue/claim-messages.ts'
import { isUuid } from '../receipt.ts'

/** What an operator asks for; what is left out is not asked. */
export type MessageFilter = {
  /** `provider/dataset`, or `provider/*` */
  readonly stream?: string | undefined
  readonly state?: string | undefined
  /** Received at this time or later. */
  readonly from?: Date | undefined
  /** Received before this time. */
  readonly to?: Date | undefined
  readonly ids?: readonly string[] | undefined
}

/** A message in a list. */
export type ListedMessage = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly received: Date
  readonly sender: string
  readonly attempts: number
  readonly stored: number
  readonly rejected: number
  readonly bytes: number
  readonly reason: string | null
}

/** The newest messages first. */
export function listMessages(
  database: Queryable,
  filter: MessageFilter,
  limit: number,
): Promise<readonly ListedMessage[]> {
  return database.query<ListedMessage>(sql`
    select id, stream, state, received, sender, attempts, stored,
      jsonb_array_length(rejected) as rejected, octet_length(body) as bytes, reason
    from message where ${conditionOf(filter)}
    order by received desc, id limit ${limit}`)
}

/** Everything about one message but its body. */
export async function loadMessage(database: Queryable, id: string): Promise<Row | undefined> {
  if (!isUuid(id)) return undefined
  const [message] = await database.query<Described>(sql`
    select id, stream, state, reason, received, started, finished, not_before as "notBefore", sender,
      attempts, stored, rejected, warnings, mapping, content_type as "contentType",
      headers, octet_length(body) as bytes, octet_length(packed) as "packedBytes",
      encode(sha256, 'hex') as sha256
    from message where id = ${id}`)
  if (message === undefined) return undefined
  return {
    ...message,
    headers: JSON.parse(message.headers),
    rejected: JSON.parse(message.rejected),
    warnings: JSON.parse(message.warnings),
    mapping: message.mapping === null ? null : JSON.parse(message.mapping),
  }
}

/** Columns of JSON come as texts. */
type Described = Row & {
  readonly headers: string
  readonly rejected: string
  readonly warnings: string
  readonly mapping: string | null
}

/** The body of a message, unpacked; empty when there is no such message. */
export async function loadBodyOf(database: Queryable, id: string): Promise<Uint8Array> {
  const [row] = await database.query<{ readonly body: Uint8Array }>(
    sql`select body from message where id = ${id}`,
  )
  return row?.body ?? new Uint8Array()
}

/**
 * Lets messages be worked on again, as if they had just come; what a younger one wrote stays (decision
 * D53). Those that wait anyway are left alone, but not those that wait for a pipeline.
 * @returns how many
 */
export function replayMessages(database: Queryable, filter: MessageFilter): Promise<number> {
  return database.execute(sql`
    update message set state = 'accepted', reason = null, attempts = 0, not_before = '-infinity',
      started = null, finished = null, stored = 0, rejected = '[]', warnings = '[]', mapping = null
    where not (${waiting}) and ${conditionOf(filter)}`)
}

/** Deletes dead messages for good. @returns how many */
export function deleteMessages(database: Queryable, filter: MessageFilter): Promise<number> {
  return database.execute(sql`delete from message where state = 'dead' and ${conditionOf(filter)}`)
}

function conditionOf({ stream, state, from, to, ids }: MessageFilter): Sql {
  const conditions = [
    ...(stream === undefined ? [] : [streamCondition(stream)]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(from === undefined ? [] : [sql`received >= ${from}`]),
    ...(to === undefined ? [] : [sql`received < ${to}`]),
    ...(ids === undefined ? [] : [sql`id = any(${ids}::uuid[])`]),
  ]
  return conditions.length === 0 ? sql`true` : join(conditions, ' and ')
}

function streamCondition(stream: string): Sql {
  if (!stream.endsWith('/*')) return sql`stream = ${stream}`
  return sql`split_part(stream, '/', 1) = ${stream.slice(0, -2)}`
}
