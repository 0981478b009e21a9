import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { loadBody, pieceBytes } from '../body-pieces.ts'
import type { Mappings, PreparedMessage } from '../pipeline.ts'
import type { Claim } from './claim-messages.ts'
import { returnMessage } from './held-messages.ts'

/** What a mapping made of a message, or why it could not by no fault of the message. */
export type Prepared =
  | { readonly kind: 'prepared'; readonly message: PreparedMessage }
  | { readonly kind: 'failed'; readonly error: unknown }

type Deps = {
  readonly database: Database
  readonly mappings?: Mappings
  readonly now: () => Date
}

/** So long messages are evaluated before those that are ready are stored. */
const batchMilliseconds = 1000

/**
 * Has claimed messages of streams with a mapping evaluated one by one, before the transaction that stores
 * them: small ones that are soon ready are stored together.
 * @param isStopping then what has not begun goes back to the queue
 * @returns by their ids, those that can be stored now; messages in other hands are missing
 */
export async function* prepareMapped(
  { database, mappings, now }: Deps,
  claims: readonly Claim[],
  isStopping: () => boolean,
): AsyncGenerator<ReadonlyMap<string, Prepared>> {
  if (mappings === undefined) return
  let batch = new Map<string, Prepared>()
  let began = now().getTime()
  for (const [index, { id }] of claims.entries()) {
    if (isStopping()) {
      await returnUnbegun(database, claims.slice(index), now())
      break
    }
    const prepared = await prepareOne(database, mappings, id)
    if (prepared !== undefined) batch.set(id, prepared)
    if (batch.size === 0 || now().getTime() - began < batchMilliseconds) continue
    yield batch
    batch = new Map()
    began = now().getTime()
  }
  if (batch.size > 0) yield batch
}

function returnUnbegun(database: Database, claims: readonly Claim[], now: Date): Promise<void> {
  return database.transaction(async (tx) => {
    for (const { id } of claims) await returnMessage(tx, id, now)
  })
}

type Loaded = {
  readonly id: string
  readonly stream: string
  readonly received: Date
  readonly contentType: string | null
  readonly bytes: number
  readonly body: Uint8Array | null
}

async function loadMapped(database: Database, id: string) {
  const [row] = await database.query<Loaded>(sql`
    select id, stream, received, content_type as "contentType", octet_length(body) as bytes,
      case when octet_length(body) <= ${pieceBytes} then body end as body
    from message where id = ${id} and state = 'processing'`)
  if (row === undefined) return undefined
  return { ...row, body: row.body ?? (await loadBody(database, row)) }
}

/** @returns undefined when it is in other hands */
async function prepareOne(
  database: Database,
  mappings: Mappings,
  id: string,
): Promise<Prepared | undefined> {
  try {
    const message = await loadMapped(database, id)
    if (message === undefined) return undefined
    return { kind: 'prepared', message: await mappings.prepare(message) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}
