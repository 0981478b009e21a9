import { gcmsiv } from '@noble/ciphers/aes.js'
import { createHash } from 'node:crypto'
import type { Visibility } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { sql } from '../sql/index.ts'
import type { Database } from '../storage/index.ts'
import type { Feed, FeedQuery } from './feed.ts'
import type { Place } from './order.ts'

/** How far a reader has come: in the list that a feed begins with, or in the changes after it. */
export type Position = Place & {
  /** Offsets of one feed sort by it (protocol, section 6). Milliseconds. */
  readonly time: number
  /** In the list: where it goes on. The place is then where the changes begin. */
  readonly after?: string | undefined
  readonly kind: 'list' | 'changes'
  /** When it was given out, in days: places that nothing visible follows are renewed once a day. */
  readonly day: number
}

/** What the offsets of one kind of reader have in common: a feed, his rights and his parameters. */
export type Readership = {
  readonly feed: Feed
  readonly visibility: Visibility
  readonly query: FeedQuery
}

export type Offsets = {
  readonly print: (position: Position, of: Readership) => string
  /** @throws AppError HUB-QRY-011 for what is no offset, HUB-CHG-001 for one that is not valid any more */
  readonly parse: (offset: string, of: Readership) => Position
  /** Stands for a transaction, and says nothing about others. */
  readonly transactionId: (xid: bigint) => string
}

type Epoch = { readonly epoch: string; readonly secret: Buffer }

/** Reads the epoch of the database. A database that was restored on another cluster gets a new one. */
export async function loadEpoch(database: Database): Promise<Epoch> {
  const cluster = await clusterOf(database)
  return database.transaction(async (tx) => {
    await tx.execute(sql`
      update feed_epoch set cluster = ${cluster},
        epoch = case when cluster is null then epoch else gen_random_uuid() end
      where ${cluster}::text is not null and cluster is distinct from ${cluster}`)
    const [row] = await tx.texts(sql`select epoch, encode(secret, 'hex') from feed_epoch`)
    return { epoch: row?.[0] ?? '', secret: Buffer.from(row?.[1] ?? '', 'hex') }
  })
}

/** Some providers of databases keep it to themselves; then only offsets from the future are noticed. */
async function clusterOf(database: Database): Promise<string | null> {
  const [allowed] = await database.texts(
    sql`select has_function_privilege('pg_control_system()', 'execute')`,
  )
  if (allowed?.[0] !== 't') return null
  const [row] = await database.texts(sql`select system_identifier from pg_control_system()`)
  return row?.[0] ?? null
}

/** AES-GCM-SIV (RFC 8452) may have the same nonce each time: equal places have equal offsets. */
const nonce = new Uint8Array(12)

const shape = /^([0-9a-z]{9})_([\w-]{20,500})$/

/** Offsets are encrypted: from those of visible changes nobody learns of others between them. */
export function openOffsets({ epoch, secret }: Epoch): Offsets {
  const cipherFor = (of: Readership) => gcmsiv(secret, nonce, boundTo(epoch, of))
  return {
    print: ({ kind, xid, sequence, day, after, time }, of) => {
      const text = JSON.stringify([kind, String(xid), String(sequence), day, after])
      const hidden = Buffer.from(cipherFor(of).encrypt(Buffer.from(text))).toString('base64url')
      return `${time.toString(36).padStart(9, '0')}_${hidden}`
    },
    parse: (offset, of) => {
      const [, time = '', hidden = ''] = shape.exec(offset) ?? []
      if (hidden === '') throw unreadable(offset)
      try {
        const text = Buffer.from(cipherFor(of).decrypt(Buffer.from(hidden, 'base64url'))).toString()
        return toPosition(JSON.parse(text), parseInt(time, 36))
      } catch {
        throw outdated(of.feed)
      }
    },
    transactionId: (xid) =>
      createHash('sha256').update(secret).update(String(xid)).digest('hex').slice(0, 16),
  }
}

function toPosition(written: unknown, time: number): Position {
  const parts: readonly unknown[] = Array.isArray(written) ? written : []
  const [kind, xid, sequence, day, after] = parts
  return {
    kind: kind === 'list' ? 'list' : 'changes',
    xid: BigInt(String(xid)),
    sequence: BigInt(String(sequence)),
    day: Number(day),
    time,
    ...(typeof after === 'string' ? { after } : {}),
  }
}

/** Offsets are only for the same feed, read with the same rights and parameters. */
function boundTo(epoch: string, { feed, visibility, query }: Readership): Uint8Array {
  const asked = Object.entries(query).sort(([left], [right]) => (left < right ? -1 : 1))
  const text = JSON.stringify([epoch, feed.name, asked, rightsOf(feed, visibility)])
  return createHash('sha256').update(text).digest()
}

/** The rules that may open data of the feed: when they change, what was visible may not be, and the other way round. */
function rightsOf({ area, ruleType }: Feed, visibility: Visibility): unknown {
  if (visibility.kind === 'everything') return visibility.kind
  return visibility.rules
    .filter((rule) => rule.area === null || rule.area === area)
    .filter(({ type }) => type === null || ruleType === undefined || type === ruleType)
    .map(({ origin, type, dataType, period }) => JSON.stringify([origin, type, dataType, period]))
    .sort()
}

function unreadable(offset: string): AppError {
  const expected = ['-1', 'now', 'the Stream-Next-Offset of an answer']
  return new AppError('HUB-QRY-001', `${JSON.stringify(offset)} is not an offset.`, {
    issues: [{ parameter: 'offset', detail: 'is not an offset', expected }],
  })
}

/** For an offset with which nothing can be continued. */
export function outdated({ name }: Feed): AppError {
  return new AppError(
    'HUB-CHG-001',
    `This offset of the feed ${name} is no longer valid for these parameters and rights.`,
    {
      hint: `Start again with GET /changes/${encodeURIComponent(name)}?offset=-1, which lists everything first. Replace what you have kept.`,
      headers: { link: `</changes/${encodeURIComponent(name)}?offset=-1>; rel="start"` },
    },
  )
}
