import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { siftGone } from './deletions.ts'
import type { StationItem, StationReference } from './items.ts'
import { keepLast, recordStationChanges, sift } from './outcome.ts'
import type { Fault, Outcome, Saving, Sent } from './outcome.ts'

/**
 * Returns what is wrong with a GeoJSON geometry (RFC 7946), or undefined. PostGIS would accept some
 * faults: it reads the text "x" as 0, and keeps rings that are not closed.
 */
export function geometryFault(geometry: object): string | undefined {
  const { type, coordinates, geometries }: Members = geometry
  if (type === 'GeometryCollection') {
    if (!Array.isArray(geometries)) return 'has a GeometryCollection without geometries'
    return geometries.map(memberFault).find((fault) => fault !== undefined)
  }
  const isShape = shapes.get(String(type))
  if (isShape === undefined) {
    return `has a geometry of a type that GeoJSON does not have; known: ${[...shapes.keys()].join(', ')}`
  }
  return isShape(coordinates)
    ? undefined
    : `has a ${String(type)} whose coordinates are not those of one; longitude (±180) comes before latitude (±90)`
}

/** Returns the fault of an item whose `geometry` is not a valid geometry, or undefined. */
export function shapeFault({
  geometry,
}: {
  readonly geometry?: object | null | undefined
}): Fault | undefined {
  const reason = geometry === null || geometry === undefined ? undefined : geometryFault(geometry)
  return reason === undefined ? undefined : { pointer: '/geometry', reason }
}

type Members = {
  readonly type?: unknown
  readonly coordinates?: unknown
  readonly geometries?: unknown
}

function memberFault(member: unknown): string | undefined {
  return typeof member === 'object' && member !== null
    ? geometryFault(member)
    : 'has a GeometryCollection with an element that is not a geometry'
}

type Shape = (coordinates: unknown) => boolean

const isPosition: Shape = (value) =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.every((number) => Number.isFinite(number)) &&
  Math.abs(Number(value[0])) <= 180 &&
  Math.abs(Number(value[1])) <= 90

const listOf =
  (isMember: Shape, least: number): Shape =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(isMember)

const isLine = listOf(isPosition, 2)

/**
 * A ring has four positions or more, and the last one equals the first (RFC 7946 section 3.1.6).
 */
const isRing: Shape = (value) =>
  Array.isArray(value) &&
  listOf(isPosition, 4)(value) &&
  JSON.stringify(value[0]) === JSON.stringify(value.at(-1))

const isPolygon = listOf(isRing, 1)

const shapes: ReadonlyMap<string, Shape> = new Map([
  ['Point', isPosition],
  ['MultiPoint', listOf(isPosition, 1)],
  ['LineString', isLine],
  ['MultiLineString', listOf(isLine, 1)],
  ['Polygon', isPolygon],
  ['MultiPolygon', listOf(isPolygon, 1)],
])

/** A station of a message. A missing field keeps its stored value. */
type StationRow = { readonly code: string; readonly metadata?: unknown }

type Context = { readonly stationType: string; readonly received: Date }

type Id = { readonly id: number }

/**
 * Writes the rows and returns the ids of the stations that changed.
 *
 * New stations are created first and all are locked, so that missing fields keep their values even
 * if two messages about the same station are processed at the same time. An upsert alone would use
 * up an id for each station of each message, and the ids would run out after a year or two.
 */
export async function upsertStations(
  tx: Transaction,
  context: Context,
  rows: readonly StationRow[],
): Promise<readonly number[]> {
  if (rows.length === 0) return []
  const { stationType } = context
  const codes = rows.map(({ code }) => code).sort()
  await tx.execute(sql`
    insert into station (type, code, name, active, available, received)
    select ${stationType}, code, code, true, true, '-infinity'
    from unnest(${codes}::text[]) as sent (code)
    where not exists (select from station where type = ${stationType} and station.code = sent.code)
    on conflict do nothing`)
  await tx.execute(sql`
    select from station where type = ${stationType} and code = any(${codes}) order by id for update`)
  return updateStations(tx, context, rows)
}

async function updateStations(
  tx: Transaction,
  { stationType, received }: Context,
  rows: readonly StationRow[],
): Promise<readonly number[]> {
  const changed = await tx.query<Id>(sql`
    with wanted as (
      select known.id, known as old, given.*
      from unnest(${rows.map((row) => JSON.stringify(row))}::jsonb[]) as sent (item)
      join station as known on known.type = ${stationType} and known.code = item ->> 'code'
      left join station as parent
        on parent.type = item #>> '{parent,type}' and parent.code = item #>> '{parent,code}'
      cross join lateral (${given}) as given
      where known.received <= ${received.toISOString()}
    ), updated as (
      update station set
        name = wanted.name, origin = wanted.origin, active = wanted.active,
        available = wanted.available, point = wanted.point, parent_id = wanted.parent_id,
        metadata = wanted.metadata, closed = wanted.closed, received = ${received.toISOString()}
      from wanted where station.id = wanted.id
    )
    select id from wanted
    where (old).received = '-infinity' or (
      (old).name, (old).origin, (old).active, (old).available, (old).point, (old).parent_id,
      (old).metadata, (old).closed
    ) is distinct from (name, origin, active, available, point, parent_id, metadata, closed)`)
  return changed.map(({ id }) => id)
}

/** The new columns of a station: as sent, or else as in `known`. */
const given = sql`
  select
    case when item ? 'name' then item ->> 'name' else known.name end as name,
    case when item ? 'origin' then item ->> 'origin' else known.origin end as origin,
    case when item ? 'active' then (item ->> 'active')::boolean else known.active end as active,
    case when item ? 'available' then (item ->> 'available')::boolean else known.available end
      as available,
    case when item ? 'coordinate'
      then ST_SetSRID(ST_MakePoint(
        (item #>> '{coordinate,0}')::float8, (item #>> '{coordinate,1}')::float8), 4326)
      else known.point end as point,
    case when item ? 'parent' then parent.id else known.parent_id end as parent_id,
    case when item ? 'metadata' then nullif(item -> 'metadata', 'null') else known.metadata end
      as metadata,
    case when item ? 'closed' then (item ->> 'closed')::boolean else known.closed end as closed`

/**
 * Adds a version wherever the metadata differ from those that were valid before this message. A
 * younger message that repeated these added no version, so the version that follows a late one is
 * added with it.
 */
async function storeMetadataVersions(
  tx: Transaction,
  { stationType, received }: Context,
  rows: readonly StationRow[],
): Promise<void> {
  const described = rows.filter(({ metadata }) => metadata !== undefined)
  if (described.length === 0) return
  const time = sql`${received.toISOString()}::timestamptz`
  await tx.execute(sql`
    with other as (
      select id, station.received, station.metadata as current, given.metadata
      from unnest(${described.map((row) => JSON.stringify(row))}::jsonb[]) as sent (item)
      join station on station.type = ${stationType} and station.code = item ->> 'code'
      cross join lateral (select nullif(item -> 'metadata', 'null') as metadata) as given
      where given.metadata is distinct from (
        select metadata from station_metadata as version
        where station_id = id and recorded <= ${time} order by recorded desc limit 1)
    )
    insert into station_metadata (station_id, recorded, metadata)
    select id, ${time}, metadata from other
    union all
    select id, received, current from other
    where received > ${time} and current is distinct from metadata
      and not exists (select from station_metadata where station_id = id and recorded > ${time})
    on conflict (station_id, recorded) do update set metadata = excluded.metadata`)
}

type Listing = Context & {
  readonly origin?: string | null | undefined
  readonly items: readonly StationRow[]
  readonly spared?: readonly string[] | undefined
}

/** Deactivates the stations of the type and origin that a complete list does not include. */
async function deactivateUnlisted(
  tx: Transaction,
  { stationType, origin = null, items, spared = [], received }: Listing,
): Promise<readonly number[]> {
  const codes = [...items.map(({ code }) => code), ...spared]
  const rows = await tx.query<Id>(sql`
    update station set active = false, received = ${received.toISOString()}
    where id in (
      -- Locked as in \`upsertStations\`: children that are being linked are waited for.
      select id from station
      where type = ${stationType} and origin is not distinct from ${origin}::text
        and active is distinct from false and code <> all(${codes}::text[])
        and received <= ${received.toISOString()}
      order by id for update)
    returning id`)
  return rows.map(({ id }) => id)
}

/** A message with stations of one type. */
export type StationsWrite = Saving & {
  readonly stationType: string
  readonly origin?: string | null | undefined
  /** Whether the values of these stations are closed data. */
  readonly closed?: boolean | undefined
  /** Whether these are all stations of the type and origin. Any other one becomes inactive. */
  readonly complete?: boolean | undefined
  /** Codes of stations that stay as they are, although the list does not include them. */
  readonly spared?: readonly string[] | undefined
  readonly items: readonly StationItem[]
}

/**
 * Upserts stations by type and code. Rejects invalid coordinates, and parents that do not exist.
 */
export async function storeStations(tx: Transaction, write: StationsWrite): Promise<Outcome> {
  const distinct = keepLast(write.items, 'code')
  const { present, warnings } = await siftGone(tx, write, distinct.taken)
  const positions = await locate(tx, present)
  const placed = sift(present, ({ index, item }) =>
    isPlaced(item) && !positions.has(index) ? noPosition(item) : undefined,
  )
  const known = await withKnownParent(tx, write.stationType, placed.taken)
  const sound = sift(placed.taken, ({ index }) => (known.has(index) ? undefined : noParent))

  const rows = sound.taken.map((sent) => toRow(write, sent, positions))
  const changed = await upsertStations(tx, write, rows)
  await storeMetadataVersions(tx, write, rows)
  const deactivated = write.complete === true ? await deactivateUnlisted(tx, write) : []
  await recordStationChanges(tx, [...changed, ...deactivated])
  return {
    stored: sound.taken.length + warnings.length,
    rejected: [...distinct.rejected, ...placed.rejected, ...sound.rejected],
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(sound.rejected.length === 0 ? {} : { awaits: true }),
  }
}

const noParent: Fault = {
  pointer: '/parent',
  reason: 'has a parent that does not exist; send the parent before, or in the same message',
}

function noPosition({ srid = 4326 }: StationItem): Fault {
  const reason = `has a coordinate that is not valid in the reference system ${String(srid)}; x (longitude) comes first`
  return { pointer: '/coordinate', reason }
}

function isPlaced({ coordinate }: StationItem): boolean {
  return coordinate !== undefined && coordinate !== null
}

/**
 * Returns the fields to write: those that were sent, with the coordinate in EPSG:4326. A complete
 * list makes its stations active, unless it states otherwise.
 */
function toRow(
  { origin, closed, complete }: StationsWrite,
  { index, item }: Sent<StationItem>,
  positions: ReadonlyMap<number, Position>,
) {
  return {
    ...(complete === true ? { active: true } : {}),
    ...item,
    ...(isPlaced(item) ? { coordinate: positions.get(index) } : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(closed === undefined ? {} : { closed }),
  }
}

/** A coordinate as stations are sent: x before y, in the stated reference system. */
type Placed = {
  readonly coordinate?: readonly number[] | null | undefined
  readonly srid?: number | undefined
}

/** Longitude and latitude in EPSG:4326. */
type Position = readonly [number, number]

/** The reference system of the database, and of a coordinate that names none. */
const wgs84 = 4326

/**
 * Returns the positions of items in EPSG:4326, by index. Omits items whose coordinate cannot be
 * transformed: PostGIS does not know its reference system, or that system has no such place.
 */
async function locate(
  tx: Transaction,
  sent: readonly Sent<Placed>[],
): Promise<ReadonlyMap<number, Position>> {
  const positions = new Map<number, Position>()
  const foreign: Foreign[] = []
  for (const { index, item } of sent) {
    const [x, y] = item.coordinate ?? []
    if (x === undefined || y === undefined) continue
    if ((item.srid ?? wgs84) !== wgs84) foreign.push({ index, x, y, srid: item.srid ?? wgs84 })
    else if (Math.abs(x) <= 180 && Math.abs(y) <= 90) positions.set(index, [x, y])
  }
  for (const { index, x, y } of await transform(tx, foreign)) positions.set(index, [x, y])
  return positions
}

type Foreign = {
  readonly index: number
  readonly x: number
  readonly y: number
  readonly srid: number
}

type Transformed = { readonly index: number; readonly x: number; readonly y: number }

/** A place beyond the edge of a system comes out as another one, and does not lead back. */
async function transform(
  tx: Transaction,
  foreign: readonly Foreign[],
): Promise<readonly Transformed[]> {
  if (foreign.length === 0) return []
  return tx.query<Transformed>(sql`
    select index, ST_X(point) as x, ST_Y(point) as y
    from unnest(
      ${foreign.map(({ index }) => index)}::integer[],
      ${foreign.map(({ x }) => x)}::double precision[],
      ${foreign.map(({ y }) => y)}::double precision[],
      ${foreign.map(({ srid }) => srid)}::integer[]) as sent (index, x, y, srid)
    cross join point_from(sent.x, sent.y, sent.srid) as point
    cross join place_in_system(point, sent.srid) as back
    where abs(ST_X(back) - sent.x) < 1 and abs(ST_Y(back) - sent.y) < 1`)
}

export const keyOf = ({ type, code }: StationReference): string => JSON.stringify([type, code])

/** Returns the keys of the stations that exist. */
export async function findStations(
  tx: Transaction,
  references: readonly StationReference[],
): Promise<ReadonlySet<string>> {
  if (references.length === 0) return new Set()
  const rows = await tx.query<{ type: string; code: string }>(sql`
    select type, code from station
    where (type, code) in (
      select * from unnest(
        ${references.map(({ type }) => type)}::text[],
        ${references.map(({ code }) => code)}::text[]))`)
  return new Set(rows.map(keyOf))
}

type Child = { readonly code: string; readonly parent?: StationReference | null | undefined }

/**
 * Returns the indexes of the items that have no parent, or whose parent exists or is accepted in
 * the same message.
 */
async function withKnownParent(
  tx: Transaction,
  stationType: string,
  sent: readonly Sent<Child>[],
): Promise<ReadonlySet<number>> {
  const stored = await findStations(
    tx,
    sent.flatMap(({ item }) => item.parent ?? []),
  )
  let taken = sent
  // A child of a rejected item is rejected, too, so this repeats until no further item is.
  for (;;) {
    const coming = new Set(taken.map(({ item }) => keyOf({ type: stationType, code: item.code })))
    const next = taken.filter(({ item: { parent } }) => {
      if (parent === null || parent === undefined) return true
      return stored.has(keyOf(parent)) || coming.has(keyOf(parent))
    })
    if (next.length === taken.length) return new Set(next.map(({ index }) => index))
    taken = next
  }
}
