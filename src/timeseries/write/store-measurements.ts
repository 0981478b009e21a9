import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { dataTypes, stationsOf } from '../datasets.ts'
import { lookUpMonths, makeMissing } from '../partitions/keep-partitions.ts'
import type { Closed, Months } from '../partitions/keep-partitions.ts'
import type { Month } from '../partitions/months.ts'
import { markStale } from '../rollups/rollup-tables.ts'
import { findGoneValues } from './deletions.ts'
import { chunkValues, gatherValues, storeValues, upsertLatest } from './store-values.ts'
import type {
  Chunk,
  Gathered,
  KnownSeries,
  MeasurementItem,
  SeriesKey,
  Value,
} from './store-values.ts'
import type { DataTypeItem, Provenance } from './items.ts'
import {
  keepLast,
  recordPastChange,
  recordUpserts,
  recordValueChanges,
  storeProvenance,
} from './outcome.ts'
import type { Fault, Outcome, Rejection, Saving } from './outcome.ts'

type Context = { readonly stationType: string; readonly period: number }

type ResolvedSeries =
  | ({ readonly kind: 'known' } & { readonly series: KnownSeries })
  | { readonly kind: 'unknown'; readonly fault: Fault }

/**
 * Finds the series of a message, in the requested order, and creates the missing ones. Nothing is
 * cached between messages: the lookup is one statement, and a series that was created by a message
 * that was rolled back does not exist.
 */
async function resolveSeries(
  tx: Transaction,
  context: Context,
  wanted: readonly SeriesKey[],
): Promise<readonly ResolvedSeries[]> {
  if (wanted.length === 0) return []
  const found = await findSeries(tx, context, wanted)
  const missing = found.filter(isMissing)
  if (missing.length === 0) return toResolved(found, wanted)
  await tx.execute(sql`
    insert into series (station_id, data_type_id, period, kind)
    select station_id, data_type_id, ${context.period}, kind
    from unnest(
      ${missing.map(({ station_id }) => station_id)}::integer[],
      ${missing.map(({ data_type_id }) => data_type_id)}::integer[],
      ${missing.map(({ kind }) => kind)}::text[]) as missing (station_id, data_type_id, kind)
    order by station_id, data_type_id, kind
    on conflict do nothing`)
  const stations = new Set(
    wanted.flatMap(({ code }, place) => (isMissingAt(found, place) ? [code] : [])),
  )
  await recordUpserts(tx, stationsOf(context.stationType), [...stations])
  return toResolved(await findSeries(tx, context, wanted), wanted)
}

type Found = {
  readonly kind: string
  readonly station_id: number | null
  readonly data_type_id: number | null
  readonly id: number | null
}

function findSeries(
  tx: Transaction,
  { stationType, period }: Context,
  wanted: readonly SeriesKey[],
): Promise<readonly Found[]> {
  // Looks up each series by index: PostgreSQL cannot tell how few are needed, and would read all.
  return tx.query<Found>(sql`
    select kind, station_id, data_type_id, (
      select series.id from series
      where series.station_id = found.station_id and series.data_type_id = found.data_type_id
        and series.period = ${period} and series.kind = found.kind
    ) as id
    from (
      select place, kind,
        (select id from station where type = ${stationType} and code = wanted.code) as station_id,
        (select id from data_type where name = wanted.data_type) as data_type_id
      from unnest(
        ${wanted.map(({ code }) => code)}::text[],
        ${wanted.map(({ dataType }) => dataType)}::text[],
        ${wanted.map(({ kind }) => kind)}::text[])
        with ordinality as wanted (code, data_type, kind, place)
      offset 0
    ) as found
    order by place`)
}

function isMissingAt(found: readonly Found[], place: number): boolean {
  const one = found[place]
  return one !== undefined && isMissing(one)
}

function isMissing({ station_id, data_type_id, id }: Found): boolean {
  return id === null && station_id !== null && data_type_id !== null
}

function toResolved(
  found: readonly Found[],
  wanted: readonly SeriesKey[],
): readonly ResolvedSeries[] {
  return wanted.map(({ code, dataType, kind }, place) => {
    const { id = null, station_id = null } = found[place] ?? {}
    if (id !== null) return { kind: 'known', series: { id, kind } }
    const [pointer, what] =
      station_id === null
        ? ['/0', `station of this type: ${code}`]
        : ['/1', `data type: ${dataType}`]
    const reason = `names no known ${what}; send it before its values`
    return { kind: 'unknown', fault: { pointer, reason } }
  })
}

/** A message with values of stations of one type, all with the same period. */
export type MeasurementsWrite = Saving & {
  readonly stationType: string
  /** Seconds between values. Part of the identity of a series. */
  readonly period: number
  readonly provenance?: Provenance | null | undefined
  readonly items: readonly MeasurementItem[]
}

/**
 * Upserts values by series and valid time. Missing series are created. Late, repeated and corrected
 * values are accepted (decision D48). Of two values for the same time in one message, the last one
 * wins. Rejects values of unknown stations or data types, numbers that are not finite, and values
 * of months that are no longer kept.
 */
export async function storeMeasurements(
  tx: Transaction,
  write: MeasurementsWrite,
): Promise<Outcome> {
  const sent = gatherValues(write.items)
  const gone = await findGoneValues(tx, write, sent.values)
  const gathered = keepValues(sent, ({ index }) => !gone.has(index))
  const months = await lookUpMonths(
    tx,
    monthsIn(gathered.values.map(({ time }) => time)),
    write.received,
  )
  const { series, values, rejected } = leaveOutClosed(gathered, months.closed)
  const resolved = await resolveSeries(tx, write, series)
  const unknown = faultsOf(values, resolved)
  const chunks = chunkValues(values, ({ series: place }) => {
    const found = resolved[place]
    return found?.kind === 'known' ? found.series : undefined
  })
  const written = monthsIn(chunks.flatMap(({ times }) => times))
  await makeMissing(tx, new Set([...written].filter((month) => months.missing.has(month))))
  await storeChunks(tx, chunks, { write, months })
  const refused = [...rejected, ...unknown]
  const isRefused = new Set(refused.map(({ index }) => index))
  const odd = oddTimes(values, months).filter(({ index }) => !isRefused.has(index))
  const warnings = [...gone.values(), ...odd]
  return {
    stored: write.items.length - refused.length,
    rejected: refused,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(unknown.length === 0 ? {} : { awaits: true }),
  }
}

type ChunkWrite = { readonly write: MeasurementsWrite; readonly months: Months }

/** Stores values and the latest values, and records what changed. */
async function storeChunks(
  tx: Transaction,
  chunks: readonly Chunk[],
  { write, months: { latestUntil, settled } }: ChunkWrite,
): Promise<void> {
  const provenanceId = await storeProvenance(tx, write.provenance)
  const saving = { provenanceId, transactionTime: write.received.toISOString(), latestUntil }
  const changed = new Set<number>()
  let isPast = false
  for (const chunk of chunks) {
    const ids = await storeValues(tx, chunk, saving)
    for (const id of ids) changed.add(id)
    isPast ||= ids.length > 0 && chunk.times.some((time) => time < settled)
    if (chunk.kind === 'number' && ids.length > 0) await markStale(tx, chunk, settled)
    await upsertLatest(tx, chunk, saving)
  }
  await recordValueChanges(tx, write.stationType, [...changed])
  if (isPast) await recordPastChange(tx, write.stationType)
}

/** Returns the faults of values whose series does not exist and cannot be created. */
function faultsOf(
  values: readonly Value[],
  resolved: readonly ResolvedSeries[],
): readonly Rejection[] {
  if (resolved.every(({ kind }) => kind === 'known')) return []
  return values.flatMap(({ index, series: place }) => {
    const found = resolved[place]
    return found?.kind === 'unknown' ? [{ index, ...found.fault }] : []
  })
}

function monthsIn(times: readonly string[]): ReadonlySet<Month> {
  const months = new Set<Month>()
  let month: Month = '-'
  for (const time of times) {
    // Neighbours are usually in the same month.
    if (time.startsWith(month)) continue
    month = time.slice(0, 7)
    months.add(month)
  }
  return months
}

/** Rejects the values of months that accept none, so that none is lost silently. */
function leaveOutClosed(gathered: Gathered, closed: ReadonlyMap<Month, Closed>): Gathered {
  if (closed.size === 0) return gathered
  const refused = gathered.values.flatMap((value) => {
    const why = closed.get(monthOfValue(value))
    return why === undefined ? [] : [{ index: value.index, pointer: '/2', reason: reasons[why] }]
  })
  const open = keepValues(gathered, (value) => !closed.has(monthOfValue(value)))
  return { ...open, rejected: [...gathered.rejected, ...refused] }
}

/**
 * Removes the values that are not kept. Series without any remaining value are removed, too, so
 * that they are not created.
 */
function keepValues(gathered: Gathered, isKept: (value: Value) => boolean): Gathered {
  const kept = gathered.values.filter(isKept)
  if (kept.length === gathered.values.length) return gathered
  const places = [...new Set(kept.map(({ series }) => series))]
  const placeOf = new Map(places.map((place, index) => [place, index]))
  return {
    series: places.flatMap((place) => gathered.series[place] ?? []),
    values: kept.map((value) => ({ ...value, series: placeOf.get(value.series) ?? 0 })),
    rejected: gathered.rejected,
  }
}

const reasons: Readonly<Record<Closed, string>> = {
  old: 'is older than the values that this hub keeps',
  aside: 'is in a retired month',
}

function monthOfValue({ time }: Value): Month {
  return time.slice(0, 7)
}

/**
 * Returns warnings about values whose time is most likely wrong: so far in the past or in the
 * future that none is expected there.
 */
function oddTimes(
  values: readonly Value[],
  { outer, span, latestUntil }: Months,
): readonly Rejection[] {
  const isOuterAt = (time: string) => outer.size > 0 && outer.has(time.slice(0, 7))
  const odd = values.filter(({ time }) => time > latestUntil || isOuterAt(time))
  return odd.map(({ index, time }) => {
    const [isOuter, isAhead] = [isOuterAt(time), time > latestUntil]
    const reasons = [
      ...(isOuter ? [`outside of the months that this hub expects (${span})`] : []),
      ...(isAhead ? [`after ${latestUntil}, so it is not shown as the latest value`] : []),
    ]
    return { index, pointer: '/2', reason: `is ${reasons.join(' and ')}; it was stored` }
  })
}

export type DataTypesWrite = Saving & { readonly items: readonly DataTypeItem[] }

/** Upserts data types by name. */
export async function storeDataTypes(tx: Transaction, write: DataTypesWrite): Promise<Outcome> {
  const { taken, rejected } = keepLast(write.items, 'name')
  const items = taken.map(({ item }) => item)
  if (items.length === 0) return { stored: 0, rejected }
  const names = items.map(({ name }) => name).sort()
  await tx.execute(sql`
    insert into data_type (name, received)
    select name, '-infinity' from unnest(${names}::text[]) as sent (name)
    where not exists (select from data_type where data_type.name = sent.name)
    on conflict do nothing`)
  await tx.execute(sql`
    select from data_type where name = any(${names}) order by id for update`)
  await recordUpserts(tx, dataTypes, await updateDataTypes(tx, items, write.received))
  return { stored: items.length, rejected }
}

/** Writes the fields that were sent and returns the names of the types that changed. */
async function updateDataTypes(
  tx: Transaction,
  items: readonly DataTypeItem[],
  received: Date,
): Promise<readonly string[]> {
  const changed = await tx.query<{ name: string }>(sql`
    with wanted as (
      select known.id, known.name, known as old,
        case when item ? 'unit' then item ->> 'unit' else known.unit end as unit,
        case when item ? 'type' then item ->> 'type' else known.rtype end as rtype,
        case when item ? 'description' then item ->> 'description' else known.description end
          as description,
        case when item ? 'metadata' then nullif(item -> 'metadata', 'null') else known.metadata end
          as metadata
      from unnest(${items.map((item) => JSON.stringify(item))}::jsonb[]) as sent (item)
      join data_type as known on known.name = item ->> 'name'
      where known.received <= ${received.toISOString()}
    ), updated as (
      update data_type set
        unit = wanted.unit, rtype = wanted.rtype, description = wanted.description,
        metadata = wanted.metadata, received = ${received.toISOString()}
      from wanted where data_type.id = wanted.id
    )
    select name from wanted
    where (old).received = '-infinity'
      or ((old).unit, (old).rtype, (old).description, (old).metadata)
        is distinct from (unit, rtype, description, metadata)`)
  return changed.map(({ name }) => name)
}
