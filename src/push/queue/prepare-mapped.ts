import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { loadBody, pieceBytes } from '../body-pieces.ts'
import type { Mappings, PreparedMessage } from '../pipeline.ts'
import type { Claim } from './claim-messages.ts'

/** What a mapping made of a message, or why it could not by no fault of the message. */
export type Prepared =
  | { readonly kind: 'prepared'; readonly message: PreparedMessage }
  | { readonly kind: 'failed'; readonly error: unknown }

type Deps = {
  readonly database: Database
  readonly mappings?: Mappings
  readonly now: () => Date
}

/**
 * Has the claimed messages of streams with a mapping evaluated, before the transaction that stores them.
 * Until that begins nothing but their time keeps others from taking them, so it is made longer.
 * @returns by their ids; messages of other streams are missing
 */
export async function prepareMapped(
  { database, mappings, now }: Deps,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, Prepared>> {
  const prepared = new Map<string, Prepared>()
  if (mappings === undefined) return prepared
  const mapped = claims.filter(({ stream }) => mappings.secondsFor(stream) !== undefined)
  let reservedUntil = 0
  for (const [index, { id }] of mapped.entries()) {
    if (now().getTime() + reserve > reservedUntil) {
      const rest = mapped.slice(index)
      const longest = Math.max(...rest.map(({ stream }) => mappings.secondsFor(stream) ?? 0))
      // Another worker's message may be evaluated first.
      reservedUntil = now().getTime() + 2 * longest * 1000 + 2 * reserve
      await keepFromOthers(database, rest, new Date(reservedUntil))
    }
    const message = await loadMapped(database, id)
    if (message !== undefined) prepared.set(id, await prepareOne(mappings, message))
  }
  return prepared
}

/** Milliseconds that are left at least when the evaluation of a message begins, beside its own. */
const reserve = 15_000

async function keepFromOthers(
  database: Database,
  claims: readonly Claim[],
  until: Date,
): Promise<void> {
  await database.execute(sql`
    update message set not_before = ${until}
    where id = any(${claims.map(({ id }) => id)}::uuid[]) and state = 'processing'`)
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

async function prepareOne(
  mappings: Mappings,
  message: Parameters<Mappings['prepare']>[0],
): Promise<Prepared> {
  try {
    return { kind: 'prepared', message: await mappings.prepare(message) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}
