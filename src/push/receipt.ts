import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'

/** What became of a pushed message (decision D53). Times are ISO 8601 in UTC. */
export type Receipt = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly reason: string | null
  readonly received: string
  readonly started: string | null
  /** When its data could be read; null until then. */
  readonly visible: string | null
  /** From received to visible. */
  readonly secondsUntilVisible: number | null
  /** When the hub was done with it, whatever the outcome; null until then. */
  readonly finished: string | null
  readonly stored: number
  readonly rejected: unknown
  /** What was stored, though it is of another type than usual (decision D66). */
  readonly warnings: unknown
  /** The mapping that took it; null when none did. */
  readonly mapping: unknown
  readonly attempts: number
  readonly contentType: string | null
  /** Of the body, unpacked. */
  readonly bytes: number
  /** Of the bytes as they were received, in hexadecimal digits. */
  readonly sha256: string
  /** What an acknowledged message survives (decision D51). */
  readonly durability: string
}

type ReceiptRow = {
  readonly id: string
  readonly stream: string
  readonly state: string
  readonly reason: string | null
  readonly received: Date
  readonly started: Date | null
  readonly finished: Date | null
  readonly stored: number
  readonly rejected: string
  readonly warnings: string
  readonly mapping: string | null
  readonly attempts: number
  readonly content_type: string | null
  readonly bytes: number
  readonly sha256: string
}

export const durability = {
  postgresql: 'survives a crash of the hub and a power loss, as the database is configured',
  embedded:
    'survives a crash of the hub, but not a power loss: the embedded database does not sync',
} as const

/** The receipt of a message on a stream; undefined when there is none. */
export async function loadReceipt(
  database: Database,
  stream: string,
  id: string,
): Promise<Receipt | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await database.query<ReceiptRow>(sql`
    select id, stream, state, reason, received, started, finished, stored, rejected, warnings, attempts,
      mapping - 'sha256' as mapping, content_type, octet_length(body) as bytes, encode(sha256, 'hex') as sha256
    from message where id = ${id} and stream = ${stream}`)
  if (row === undefined) return undefined
  const { content_type: contentType, finished, received, started, mapping, ...same } = row
  const visible = row.state === 'visible' ? finished : null
  return {
    ...same,
    contentType,
    received: received.toISOString(),
    started: started?.toISOString() ?? null,
    visible: visible?.toISOString() ?? null,
    secondsUntilVisible: visible && (visible.getTime() - received.getTime()) / 1000,
    finished: finished?.toISOString() ?? null,
    rejected: JSON.parse(row.rejected),
    warnings: JSON.parse(row.warnings),
    mapping: mapping === null ? null : JSON.parse(mapping),
    durability: durability[database.engine],
  }
}

/** Whether a text can be the id of a message. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
