import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { holdersOf } from '../access/index.ts'
import type { PushPermission, Verified } from '../access/index.ts'
import { createLimit } from '../async/index.ts'
import { parseCursor, printCursor } from '../content/index.ts'
import type { OrderKey } from '../content/index.ts'
import { AppError } from '../errors/index.ts'
import { join, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { isUuid } from './accept/store-message.ts'
import type { LoadedMapping } from './mappings/definition/definition.ts'
import { parked } from './queue/claim-messages.ts'
import { storedRejections } from './rejection.ts'
import { isStream, pathOf } from './streams.ts'

/** Number of past days for which an overview counts messages. */
export const countedDays = 30

const counts = Type.Record(Type.String(), Type.Integer())
type Counts = Readonly<Static<typeof counts>>

type ReadBy = Pick<LoadedMapping, 'name' | 'version'>

/** A stream, as shown to callers who may push to it. */
type StreamOverview = {
  /** `provider/dataset` */
  readonly stream: string
  /** The mapping that reads the stream. Null if only bodies in the push formats are read. */
  readonly mapping: ReadBy | null
  /** When the newest message arrived, however long ago. */
  readonly lastArrival: string | null
  /** Number of messages that no pipeline reads, of any age. */
  readonly unread: number
  /** Total size of the bodies of the counted days. */
  readonly bytes: number
  /** Number of messages of the counted days, by state. */
  readonly messages: Counts
  /** Number of messages of the counted days, by day (UTC). */
  readonly arrivals: Counts
}

/** Dependencies of an overview. */
export type OverviewDeps = {
  readonly database: Queryable
  readonly permission: PushPermission
  readonly mappings: () => readonly (ReadBy & { readonly stream: string })[]
}

/** Loads the streams to which a caller may push, sorted by name. */
export async function loadOverview(
  deps: OverviewDeps,
  principal: Verified,
  since: Date,
): Promise<readonly StreamOverview[]> {
  const counted = await countMessages(deps.database, await streamsOf(deps, principal), since)
  const mappings = deps.mappings()
  return counted.map(({ lastArrival, messages, arrivals, ...same }) => {
    const mapping = mappings.find(({ stream }) => stream === same.stream)
    return {
      ...same,
      mapping: mapping === undefined ? null : { name: mapping.name, version: mapping.version },
      lastArrival: lastArrival?.toISOString() ?? null,
      messages: Parse(counts, JSON.parse(messages)),
      arrivals: Parse(counts, JSON.parse(arrivals)),
    }
  })
}

/**
 * Lists the streams that are granted by name, and the streams with messages that a permission
 * covers. An external identity provider does not list permissions, so it is queried about each
 * stream to which the caller has pushed.
 */
async function streamsOf(
  { database, permission }: OverviewDeps,
  principal: Verified,
): Promise<readonly string[]> {
  const patterns = permission.pathsOf(principal)
  if (patterns !== undefined) {
    const named = patterns.map((pattern) => pattern.slice(1)).filter(isStream)
    return [
      ...new Set([...named, ...(await knownStreams(database, underPatterns(patterns)))]),
    ].sort()
  }
  const own = await knownStreams(database, sentBy(principal))
  const { run } = createLimit({ places: 4 })
  const mayPush = (stream: string) => run(() => permission.mayPush(principal, pathOf(stream)))
  const decisions = await Promise.all(own.map(mayPush))
  return own.filter((_, index) => decisions[index])
}

/**
 * Condition for streams below the patterns, consistent with `matchesPath`. A stream is two
 * segments, so only these patterns have streams below them.
 */
function underPatterns(patterns: readonly string[]): Sql {
  if (patterns.includes('/*')) return sql`true`
  const providers = patterns.flatMap((pattern) => /^\/([^/]+)\/\*$/.exec(pattern)?.[1] ?? [])
  return sql`split_part(stream, '/', 1) = any(${providers}::text[])`
}

function sentBy(principal: Verified): Sql {
  return sql`exists (
    select from message where message.stream = known.stream and sender = any(${holdersOf(principal)}::text[]))`
}

/**
 * Lists the streams that have messages. The recursive query enters the index once per stream
 * instead of reading it for all messages.
 */
async function knownStreams(database: Queryable, condition: Sql): Promise<readonly string[]> {
  const rows = await database.texts(sql`
    with recursive known as (
      (select stream from message order by stream limit 1)
      union all
      select (select stream from message where stream > known.stream order by stream limit 1)
      from known where known.stream is not null
    )
    select stream from known where stream is not null and ${condition} order by stream`)
  return rows.flatMap(([stream]) => stream ?? [])
}

/** Row of an overview, in which JSON is still text. */
type Counted = Pick<StreamOverview, 'stream' | 'unread' | 'bytes'> & {
  readonly lastArrival: Date | null
  readonly messages: string
  readonly arrivals: string
}

function countMessages(
  database: Queryable,
  streams: readonly string[],
  since: Date,
): Promise<readonly Counted[]> {
  return database.query<Counted>(sql`
    with counted as (
      select stream, state, to_char(received at time zone 'UTC', 'YYYY-MM-DD') as day,
        count(*) as messages, sum(bytes) as bytes
      from message where stream = any(${streams}::text[]) and received >= ${since}
      group by stream, state, day
    )
    select stream,
      (select max(received) from message where message.stream = listed.stream) as "lastArrival",
      (select count(*)::integer from message
        where message.stream = listed.stream and ${parked}) as unread,
      (select coalesce(sum(bytes), 0)::double precision from counted
        where counted.stream = listed.stream) as bytes,
      (select coalesce(jsonb_object_agg(state, messages), '{}') from (
        select state, sum(messages) as messages from counted
        where counted.stream = listed.stream group by state) as by_state) as messages,
      (select coalesce(jsonb_object_agg(day, messages), '{}') from (
        select day, sum(messages) as messages from counted
        where counted.stream = listed.stream group by day) as by_day) as arrivals
    from unnest(${streams}::text[]) with ordinality as listed (stream, place)
    order by place`)
}

/** Filter for the messages of a stream, and the position of the page. */
type MessageQuery = {
  readonly stream: string
  readonly state: string | undefined
  readonly from: string | undefined
  readonly limit: number
  readonly cursor: string | undefined
}

type Listed = {
  readonly id: string
  readonly state: string
  readonly reason: string | null
  readonly received: Date
  readonly finished: Date | null
  readonly sender: string
  readonly stored: number
  readonly rejected: number
  readonly bytes: number
  readonly contentType: string | null
  /** Time of receipt with microseconds, which a Date does not have. */
  readonly place: string
}

const keys: readonly OrderKey[] = [
  { name: 'received', value: sql`received`, type: 'timestamptz', direction: 'descending' },
  { name: 'id', value: sql`id`, type: 'text', direction: 'descending' },
]

/** Loads a page of the messages of a stream, newest first, and the cursor of the next page. */
export async function loadMessages(database: Queryable, query: MessageQuery, principal: Verified) {
  const { stream, state, from, limit } = query
  const filters = Object.entries({ stream, state, from }).flatMap(([parameter, text]) =>
    text === undefined ? [] : [{ parameter, text, condition: sql`true` }],
  )
  const cursor =
    query.cursor === undefined ? undefined : parseCursor({ keys, filters }, query.cursor)
  const conditions = [
    sql`stream = ${stream}`,
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(from === undefined ? [] : [sql`received >= ${from}::timestamptz`]),
    ...(cursor === undefined ? [] : [isBehind(cursor.values)]),
  ]
  // The inner query needs only the index; only the messages of the page are read.
  const rows = await database.query<Listed>(sql`
    select id, state, reason, received, finished, sender, stored,
      ${storedRejections} as rejected, octet_length(body) as bytes,
      content_type as "contentType", received::text as place
    from message where id in (
      select id from message where ${join(conditions, ' and ')}
      order by received desc, id desc limit ${limit + 1})
    order by message.received desc, id desc`)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const seen = (cursor?.seen ?? 0) + page.length
  return {
    messages: page.map((message) => toListed(message, principal)),
    next:
      last === undefined
        ? undefined
        : printCursor({ keys, filters }, { seen, values: [last.place, last.id] }),
  }
}

/**
 * Condition for messages after a cursor, as one row comparison that the index supports.
 * @throws AppError HUB-QRY-012
 */
function isBehind([received, id]: readonly (string | null)[]): Sql {
  if (!isUuid(id ?? '')) throw new AppError('HUB-QRY-012', 'cursor is not a cursor of this hub.')
  return sql`(received, id) < (${received}::timestamptz, ${id}::uuid)`
}

function toListed({ received, finished, sender, place: _, ...same }: Listed, caller: Verified) {
  const visible = same.state === 'visible' ? finished : null
  return {
    ...same,
    received: received.toISOString(),
    secondsUntilVisible: visible && (visible.getTime() - received.getTime()) / 1000,
    isOwn: holdersOf(caller).includes(sender),
  }
}
