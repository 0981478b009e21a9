import { identifier, join, sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { eventsOf } from '../datasets.ts'
import { toInstant } from '../time.ts'
import type { EventItem, Provenance } from './items.ts'
import { shapeFault } from './store-stations.ts'
import { keepLast, recordUpserts, sift, storeProvenance } from './outcome.ts'
import type { Fault, Outcome, Saving } from './outcome.ts'

/** A message with events of one origin. */
export type EventsWrite = Saving & {
  readonly origin: string
  readonly closed?: boolean | undefined
  readonly provenance?: Provenance | null | undefined
  readonly items: readonly EventItem[]
}

/**
 * Stores states of events. A known uuid is replaced as a whole and keeps its position among the
 * states of its series. A new uuid in a series is its next version, also after another one in the
 * same message (decision D50). Rejects invalid geometries, times out of range, and uuids that
 * belong to another origin.
 */
export async function storeEvents(tx: Transaction, write: EventsWrite): Promise<Outcome> {
  const distinct = keepLast(write.items, 'uuid')
  const foreign = await findForeign(tx, write)
  const sound = sift(distinct.taken, ({ item }) =>
    foreign.has(item.uuid) ? foreignFault : (timeFault(item) ?? shapeFault(item)),
  )
  const items = sound.taken.map(({ item }) => item)
  await recordUpserts(tx, eventsOf(write.origin), await upsert(tx, write, items))
  return { stored: items.length, rejected: [...distinct.rejected, ...sound.rejected] }
}

const foreignFault: Fault = {
  pointer: '/uuid',
  reason: 'has a uuid that belongs to an event of another origin',
}

function timeFault(item: EventItem): Fault | undefined {
  const member = (['start', 'end'] as const).find((name) => {
    const time = item[name] ?? undefined
    return time !== undefined && toInstant(time) === undefined
  })
  if (member === undefined) return undefined
  return { pointer: `/${member}`, reason: 'has a time outside of the years 0001 to 9999' }
}

async function findForeign(
  tx: Transaction,
  { origin, items }: EventsWrite,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ uuid: string }>(sql`
    select uuid from mobility_event
    where uuid = any(${items.map(({ uuid }) => uuid)}) and origin <> ${origin}`)
  return new Set(rows.map(({ uuid }) => uuid))
}

/** The columns that define a state, and how each is read from an `item`. */
const members: Readonly<Record<string, Sql>> = {
  series: sql`coalesce(item ->> 'series', item ->> 'uuid')`,
  name: sql`coalesce(item ->> 'name', item ->> 'uuid')`,
  description: sql`item ->> 'description'`,
  category: sql`item ->> 'category'`,
  tags: sql`array(select jsonb_array_elements_text(coalesce(item -> 'tags', '[]')))`,
  severity: sql`item ->> 'severity'`,
  start: sql`(item ->> 'start')::timestamptz`,
  end: sql`(item ->> 'end')::timestamptz`,
  cancelled: sql`coalesce((item ->> 'cancelled')::boolean, false)`,
  title: sql`coalesce(nullif(item -> 'title', 'null'), '{}')`,
  text: sql`coalesce(nullif(item -> 'text', 'null'), '{}')`,
  geometry: sql`geometry_from_geojson(item ->> 'geometry')`,
  location_description: sql`item ->> 'locationDescription'`,
  metadata: sql`nullif(item -> 'metadata', 'null')`,
  datex: sql`nullif(item -> 'datex', 'null')`,
}

/** The columns of `members`, and those that are the same for all items of a message. */
const columns = [...Object.keys(members), 'provenance_id', 'closed'].map(identifier)

const listOf = (toSql: (column: Sql) => Sql) => join(columns.map(toSql), ', ')

const isOther = sql`
  (${listOf((column) => sql`known.${column}`)}) is distinct from
  (${listOf((column) => sql`excluded.${column}`)})`

/** Whether a younger message has already written this state. */
const isLate = sql`known.received > excluded.received`

/** Whether this message is older than every one that wrote the state. */
const isFirst = sql`excluded.first_recorded < known.first_recorded`

/**
 * Time of a state's version: that of the message with its content, also of an older one that comes
 * later, unless the state had another content in between.
 */
const recorded = sql`case
  when ${isOther} and not ${isLate} then excluded.recorded
  when not ${isOther} and known.recorded = known.first_recorded
    then least(known.recorded, excluded.recorded)
  else known.recorded end`

/**
 * Writes states and returns the uuids of those that changed. The version time advances only with a
 * change, so that sending a state again does not make it newer. A late message changes no content,
 * but a state has the position of its oldest message.
 */
async function upsert(
  tx: Transaction,
  write: EventsWrite,
  items: readonly EventItem[],
): Promise<readonly string[]> {
  if (items.length === 0) return []
  const provenanceId = await storeProvenance(tx, write.provenance)
  const received = write.received.toISOString()
  const rows = await tx.query<{ uuid: string }>(sql`
    with written as (
      insert into mobility_event as known
        (uuid, origin, recorded, first_recorded, received, place, ${listOf((column) => column)})
      select
        item ->> 'uuid', ${write.origin}, ${received}, ${received}, ${received}, place,
        ${join(Object.values(members), ', ')}, ${provenanceId}::integer, ${write.closed ?? false}
      from (
        select item, nextval('mobility_event_place') as place
        from unnest(${items.map(toRow)}::jsonb[]) with ordinality as sent (item, position)
        order by position
      ) as placed
      order by item ->> 'uuid'
      on conflict (uuid) do update set
        recorded = ${recorded},
        first_recorded = least(known.first_recorded, excluded.first_recorded),
        place = case when ${isFirst} then excluded.place else known.place end,
        received = greatest(known.received, excluded.received),
        ${listOf(
          (column) =>
            sql`${column} = case when ${isLate} then known.${column} else excluded.${column} end`,
        )}
      where known.origin = excluded.origin and (known.received < excluded.received or ${isFirst}
        or (known.received = excluded.received and ${isOther}))
      returning uuid, recorded, first_recorded
    )
    select uuid from written where ${received}::timestamptz in (recorded, first_recorded)`)
  return rows.map(({ uuid }) => uuid)
}

/** Converts times to UTC, because PostgreSQL supports fewer offsets than ISO 8601 allows. */
function toRow({ start, end, ...item }: EventItem): string {
  const [from, to] = [start, end].map((time) => (typeof time === 'string' ? toInstant(time) : null))
  return JSON.stringify({ ...item, start: from, end: to })
}
