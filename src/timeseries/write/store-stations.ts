import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { recordStationChanges } from './changes.ts'
import { keepLast, sift } from './outcome.ts'
import type { Fault, Outcome, Saving, Sent } from './outcome.ts'
import { withKnownParent } from './references.ts'
import type { StationReference } from './references.ts'
import { deactivateUnlisted, storeMetadataVersions, upsertStations } from './station-rows.ts'

/** A station as messages describe it. A member that is left out keeps its value, null clears it. */
export type StationItem = {
  readonly code: string
  readonly name?: string | undefined
  /** x before y; further numbers are ignored. */
  readonly coordinate?: readonly number[] | null | undefined
  readonly srid?: number | undefined
  readonly active?: boolean | undefined
  readonly available?: boolean | undefined
  readonly parent?: StationReference | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

/** A message with stations of one type. */
export type StationsWrite = Saving & {
  readonly stationType: string
  readonly origin?: string | null | undefined
  /** Whether the values of these stations are closed data. */
  readonly closed?: boolean | undefined
  /** Whether these are all stations of the type and origin: the others become inactive. */
  readonly complete?: boolean | undefined
  /** Codes of stations that stay as they are, though the list does not name them. */
  readonly spared?: readonly string[] | undefined
  readonly items: readonly StationItem[]
}

/** Upserts stations by type and code. Rejected are places and parents that do not exist. */
export async function storeStations(tx: Transaction, write: StationsWrite): Promise<Outcome> {
  const distinct = keepLast(write.items, 'code')
  const positions = await locate(tx, distinct.taken)
  const placed = sift(distinct.taken, ({ index, item }) =>
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
    stored: sound.taken.length,
    rejected: [...distinct.rejected, ...placed.rejected, ...sound.rejected],
    ...(sound.rejected.length === 0 ? {} : { awaits: true }),
  }
}

const noParent: Fault = {
  pointer: '/parent',
  reason: 'has a parent that does not exist; send the parent before, or in the same message',
}

function noPosition({ srid = 4326 }: StationItem): Fault {
  const reason = `has a coordinate that is no place in the reference system ${String(srid)}; x (longitude) comes first`
  return { pointer: '/coordinate', reason }
}

function isPlaced({ coordinate }: StationItem): boolean {
  return coordinate !== undefined && coordinate !== null
}

/** The members to write: only those that were sent. The coordinate is in EPSG:4326 now. */
function toRow(
  { origin, closed }: StationsWrite,
  { index, item }: Sent<StationItem>,
  positions: ReadonlyMap<number, Position>,
) {
  return {
    ...item,
    ...(isPlaced(item) ? { coordinate: positions.get(index) } : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(closed === undefined ? {} : { closed }),
  }
}

/** A coordinate as stations are sent: x before y, in the given reference system. */
type Placed = {
  readonly coordinate?: readonly number[] | null | undefined
  readonly srid?: number | undefined
}

/** Longitude and latitude in EPSG:4326. */
type Position = readonly [number, number]

/** The reference system of the store (and of a coordinate that names none). */
const wgs84 = 4326

/**
 * The positions of items in EPSG:4326, by index. An item whose coordinate cannot be brought there is
 * not among them: its reference system is unknown to PostGIS, or has no such place.
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
    where point is not null`)
}
