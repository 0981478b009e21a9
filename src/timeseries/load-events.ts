import type { Geometry } from 'geojson'
import { anonymous, visible } from '../access/index.ts'
import type { RuleTable, Visibility } from '../access/index.ts'
import { isObject } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import { versionOfDataset } from '../storage/index.ts'
import type { Queryable } from '../storage/index.ts'
import { eventsOf } from './datasets.ts'
import type { MobilityEvent, Texts } from './datasets.ts'

/** Returns a source of events for the public traffic feed: anonymous rights apply. */
export function eventSource(queryable: Queryable, visibilityOf: RuleTable['visibility']) {
  const rights = () => visibilityOf(anonymous)
  return {
    rights,
    version: () => eventsVersion(queryable),
    loadOrigins: () => loadEventOrigins(queryable, rights()),
    loadEvents: (origin: string) => loadEvents(queryable, origin, rights()),
    isSettled: (origin: string, time: Date) => isSettled(queryable, origin, time),
  }
}

/** The columns of an event as the driver returns them: JSON is text. */
type EventRow = Omit<
  MobilityEvent,
  'title' | 'text' | 'geometry' | 'metadata' | 'datex' | 'version'
> & {
  readonly title: string
  readonly text: string
  readonly geometry: string | null
  readonly metadata: string | null
  readonly datex: string | null
  readonly version: string
}

/**
 * Loads the newest state of each event series of an origin, if the caller may see it. A series
 * whose newest state is closed to the caller is not shown in an older state.
 */
export async function loadEvents(
  queryable: Queryable,
  origin: string,
  visibility: Visibility,
): Promise<readonly MobilityEvent[]> {
  const rows = await queryable.query<EventRow>(sql`
    select
      uuid, series, origin, name, description, category, tags, severity, start, "end", cancelled,
      title, text, ST_AsGeoJSON(coalesce(geometry, ${lastGeometry(visibility)}), 15) as geometry,
      location_description as "locationDescription",
      metadata, datex, recorded, "firstRecorded", version
    from (
      select *,
        row_number() over version_order as version,
        min(first_recorded) over (partition by series) as "firstRecorded",
        lead(uuid) over version_order is null as newest
      from mobility_event
      where origin = ${origin}
      window version_order as (partition by series order by first_recorded, place, uuid)
    ) as state
    where newest and ${isVisible(visibility)}
    order by series`)
  return rows.map(toEvent)
}

/**
 * Returns SQL for the position of a state that ends its event and has none itself: the last one of
 * its series, because the feed announces an end with its position (decision D55).
 */
const lastGeometry = (visibility: Visibility) => sql`
  case when cancelled or "end" <= recorded then (
    select geometry from mobility_event as earlier
    where earlier.origin = state.origin and earlier.series = state.series
      and earlier.geometry is not null and ${isVisible(visibility)}
    order by first_recorded desc, place desc, uuid desc limit 1) end`

/** Loads the origins with events that the caller may see. */
export async function loadEventOrigins(
  queryable: Queryable,
  visibility: Visibility,
): Promise<readonly string[]> {
  const rows = await queryable.query<{ origin: string }>(sql`
    select distinct origin from mobility_event where ${isVisible(visibility)} order by origin`)
  return rows.map(({ origin }) => origin)
}

/** Returns a text that changes with every change of an event. Use it only for comparison. */
export async function eventsVersion(queryable: Queryable): Promise<string> {
  const [row] = await queryable.query<{ version: string | null }>(versionOfEvents)
  return row?.version ?? ''
}

/** Upper bound for the duration of a transaction that writes events, in milliseconds. */
const maxWriteTime = 600_000

/**
 * Reports whether the events of an origin are still as they were recorded at a time: no other event
 * was written after it, nor shortly before, when a transaction may have been open, and no access
 * rule changed.
 */
async function isSettled(queryable: Queryable, origin: string, time: Date): Promise<boolean> {
  const from = new Date(time.getTime() - maxWriteTime).toISOString()
  const written = await queryable.query(sql`
    select from change left join mobility_event on uuid = id
    where dataset = ${eventsOf(origin)} and time >= ${from}
      and (recorded is distinct from ${time.toISOString()} or first_recorded < recorded)
    union all
    select from audit where dataset = 'AccessRule' and time >= ${from}
    limit 1`)
  return written.length === 0
}

/**
 * SQL for the versions of all origins. It looks up one origin after another in the index, because
 * `distinct` over all events would read them all.
 */
const versionOfEvents = sql`
  with recursive known as (
    (select origin from mobility_event order by origin limit 1)
    union all
    select (
      select origin from mobility_event where origin > known.origin order by origin limit 1
    )
    from known where known.origin is not null
  )
  select string_agg(concat(origin, ' ', ${versionOfDataset(sql`${eventsOf('')} || origin`)}), ' ' order by origin)
    as version
  from known where origin is not null`

function isVisible(visibility: Visibility): Sql {
  return visible(visibility, 'event', {
    closed: sql`closed`,
    origin: sql`origin`,
    type: sql`category`,
  })
}

function toEvent({
  title,
  text,
  geometry,
  metadata,
  datex,
  version,
  ...event
}: EventRow): MobilityEvent {
  return {
    ...event,
    title: parse(title, isTexts) ?? {},
    text: parse(text, isTexts) ?? {},
    geometry: parse(geometry, isGeometry),
    metadata: parse(metadata, isObject) ?? {},
    datex: parse(datex, isObject),
    version: Number(version),
  }
}

/**
 * Parses JSON and returns null if a guard rejects it. These guards suffice, because `storeEvents`
 * wrote the values and PostgreSQL printed them.
 */
function parse<Value>(
  json: string | null,
  isValue: (value: unknown) => value is Value,
): Value | null {
  const value: unknown = JSON.parse(json ?? 'null')
  return isValue(value) ? value : null
}

function isTexts(value: unknown): value is Texts {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

function isGeometry(value: unknown): value is Geometry {
  return isObject(value) && 'type' in value
}
