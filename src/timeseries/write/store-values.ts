import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { isUniqueViolation } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { toInstant } from '../time.ts'
import { binaryRows } from './binary-rows.ts'
import type { Fault, Rejection } from './outcome.ts'

type ValueSaving = {
  readonly provenanceId: number | null
  /** ISO 8601. An older value never overwrites a younger one (decision D53). */
  readonly transactionTime: string
  /** A value after this time is never the latest value of its series. */
  readonly latestUntil: string
}

const columns: Readonly<Record<Kind, Sql>> = {
  number: sql`number`,
  text: sql`text`,
  json: sql`json`,
}

const arrays: Readonly<Record<Kind, Sql>> = {
  number: sql`double precision[]`,
  text: sql`text[]`,
  json: sql`jsonb[]`,
}

/**
 * Upserts the values of a chunk by series and valid time. A stored value with the same transaction
 * time is left alone unless it differs, so replaying a message writes nothing.
 * @returns the ids of the series in which something changed
 */
async function upsertValues(
  tx: Transaction,
  chunk: Chunk,
  saving: ValueSaving,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (const slice of slicesOf(chunk, maxUpserted)) {
    for (const id of await upsertSlice(tx, slice, saving)) ids.push(id)
  }
  return ids
}

async function upsertSlice(
  tx: Transaction,
  chunk: Chunk,
  saving: ValueSaving,
): Promise<readonly number[]> {
  const column = columns[chunk.kind]
  const rows = await tx.query<{ series_id: number }>(sql`
    with written as (
      insert into measurement as known
        (series_id, valid_time, ${column}, provenance_id, transaction_time)
      ${rowsOf(chunk, saving)}
      on conflict (series_id, valid_time) do update set
        ${column} = excluded.${column},
        provenance_id = excluded.provenance_id,
        transaction_time = excluded.transaction_time
      where known.transaction_time < excluded.transaction_time
        or (known.transaction_time = excluded.transaction_time and ${isOther(column)})
      returning series_id
    )
    select distinct series_id from written`)
  return rows.map(({ series_id }) => series_id)
}

/** Minimum number of values for COPY. For fewer values it takes as long as an upsert. */
const worthCopying = 1000

/**
 * Stores the values of a chunk, by COPY if all are new: that takes half the time of an upsert.
 * @returns the ids of the series in which something changed
 */
export async function storeValues(
  tx: Transaction,
  chunk: Chunk,
  saving: ValueSaving,
): Promise<readonly number[]> {
  const { copy } = tx
  const isMany = chunk.kind === 'number' && chunk.ids.length >= worthCopying
  if (copy === undefined || !isMany || (await hasValues(tx, chunk))) {
    return upsertValues(tx, chunk, saving)
  }
  // Another writer may store one of these values meanwhile.
  await tx.execute(sql`savepoint before_copy`)
  try {
    await copy(copyOfNumbers, binaryRows({ ...chunk, ...saving }))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await tx.execute(sql`rollback to savepoint before_copy`)
    await tx.execute(sql`release savepoint before_copy`)
    return upsertValues(tx, chunk, saving)
  }
  await tx.execute(sql`release savepoint before_copy`)
  return [...new Set(chunk.ids)]
}

/**
 * Reports whether a series already has values between the first and the last one of the chunk. By
 * the time a COPY meets such a value, it has written rows in vain.
 */
async function hasValues(tx: Transaction, { ids, times }: Chunk): Promise<boolean> {
  const firsts = ids.flatMap((id, place) => (id === ids[place - 1] ? [] : [place]))
  const lasts = [...firsts.slice(1), ids.length].map((next) => next - 1)
  const at = (places: readonly number[]) => arrayOf(places.map((place) => times[place] ?? ''))
  // Looked up separately for each span. For a join, PostgreSQL reads whole months if it has no good
  // statistics of them yet.
  const [row] = await tx.query<{ found: boolean | null }>(sql`
    select bool_or(exists (
      select from measurement
      where measurement.series_id = span.series_id and valid_time between first and last)) as found
    from unnest(
      ${arrayOf(firsts.map((place) => ids[place] ?? 0))}::integer[],
      ${at(firsts)}::timestamptz[],
      ${at(lasts)}::timestamptz[]) as span (series_id, first, last)`)
  return row?.found === true
}

const copyOfNumbers = sql`
  copy measurement (series_id, valid_time, number, provenance_id, transaction_time)
  from stdin (format binary)`

/** Stores the newest value of each series in `latest`, unless it is too far in the future. */
export async function upsertLatest(
  tx: Transaction,
  chunk: Chunk,
  saving: ValueSaving,
): Promise<void> {
  const column = columns[chunk.kind]
  for (const newest of slicesOf(newestOf(chunk, saving.latestUntil), maxUpserted)) {
    await tx.execute(sql`
      insert into latest as known (series_id, valid_time, ${column}, provenance_id, transaction_time)
      ${rowsOf(newest, saving)}
      on conflict (series_id) do update set
        valid_time = excluded.valid_time,
        ${column} = excluded.${column},
        provenance_id = excluded.provenance_id,
        transaction_time = excluded.transaction_time
      where (known.valid_time, known.transaction_time)
          < (excluded.valid_time, excluded.transaction_time)
        or ((known.valid_time, known.transaction_time)
          = (excluded.valid_time, excluded.transaction_time) and ${isOther(column)})`)
  }
}

function rowsOf(
  { kind, ids, times, values }: Chunk,
  { provenanceId, transactionTime }: ValueSaving,
): Sql {
  const sent = kind === 'number' ? arrayOf(values) : values
  return sql`
    select series_id, valid_time, value, ${provenanceId}::integer, ${transactionTime}::timestamptz
    from unnest(
      ${arrayOf(ids)}::integer[],
      ${arrayOf(times.map(withoutZeros))}::timestamptz[],
      ${sent}::${arrays[kind]}) as sent (series_id, valid_time, value)`
}

/**
 * Prints numbers and times as a PostgreSQL array. The driver would quote every element, which takes
 * longer to write, to send and to read; none of these needs it.
 */
function arrayOf(elements: readonly (number | string)[]): string {
  return `{${elements.join(',')}}`
}

/**
 * Removes a fraction of zero. Most times are whole seconds, which PostgreSQL reads faster without
 * it.
 */
function withoutZeros(time: string): string {
  return time.endsWith('.000000Z') ? `${time.slice(0, -8)}Z` : time
}

function isOther(column: Sql): Sql {
  return sql`
    (known.${column}, known.provenance_id) is distinct from (excluded.${column}, excluded.provenance_id)`
}

/** Values of one kind in three columns, ready to be bound, ordered by series and time. */
export type Chunk = {
  readonly kind: Kind
  readonly ids: readonly number[]
  readonly times: readonly string[]
  readonly values: readonly (number | string)[]
}

/** A series that exists. */
export type KnownSeries = { readonly id: number; readonly kind: Kind }

/** Maximum number of rows of an upsert. More do not make it faster, but make others wait longer. */
const maxUpserted = 10_000

/** Maximum number of rows of a COPY, which blocks others for less time. */
const maxChunkSize = 50_000

/**
 * Returns the rows to write. Of several values for the same series and time, the last one is used.
 * All upserts are in the order of the keys, so concurrent ones wait for each other instead of
 * deadlocking. COPY goes month by month: if it meets the same new values of another writer in
 * another order, one of the two is retried.
 * @param seriesOf the series of a value; values without one are omitted
 */
export function chunkValues(
  values: readonly Value[],
  seriesOf: (value: Value) => KnownSeries | undefined,
): readonly Chunk[] {
  const ofSeries = [...Map.groupBy(values, ({ series }) => series).values()].flatMap((list) => {
    const [first] = list
    const series = first === undefined ? undefined : seriesOf(first)
    return series === undefined ? [] : [{ series, list: inOrder(list) }]
  })
  const ordered = ofSeries.sort((left, right) => left.series.id - right.series.id)
  return kinds.flatMap((kind) => {
    const ofKind = ordered.filter(({ series }) => series.kind === kind)
    return slicesOf(toChunk(kind, ofKind), maxChunkSize)
  })
}

/** Sorts the values of a series by time, each time once. */
function inOrder(list: readonly Value[]): readonly Value[] {
  const isAscending = list.every(
    ({ time }, place) => place === 0 || (list[place - 1]?.time ?? '') < time,
  )
  if (isAscending) return list
  // The sort is stable, so the last of equal times was sent last.
  const sorted = list.toSorted((left, right) => compareTimes(left.time, right.time))
  return sorted.filter(({ time }, place) => time !== sorted[place + 1]?.time)
}

function compareTimes(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Returns the newest value of each series in a chunk, without values after `until`. */
function newestOf({ kind, ids, times, values }: Chunk, until: string): Chunk {
  const isIn = (index: number) => (times[index] ?? '') <= until
  const isNewest = (_: unknown, index: number) =>
    isIn(index) && (ids[index] !== ids[index + 1] || !isIn(index + 1))
  return {
    kind,
    ids: ids.filter(isNewest),
    times: times.filter(isNewest),
    values: values.filter(isNewest),
  }
}

const kinds = ['number', 'text', 'json'] as const

type ValuesOfSeries = { readonly series: KnownSeries; readonly list: readonly Value[] }

function toChunk(kind: Kind, ordered: readonly ValuesOfSeries[]): Chunk {
  const ids: number[] = []
  const times: string[] = []
  const values: (number | string)[] = []
  for (const { series, list } of ordered) {
    for (const { time, value } of list) {
      ids.push(series.id)
      times.push(time)
      values.push(value)
    }
  }
  return { kind, ids, times, values }
}

function slicesOf({ kind, ids, times, values }: Chunk, size: number): readonly Chunk[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => {
    const [start, end] = [index * size, (index + 1) * size]
    return {
      kind,
      ids: ids.slice(start, end),
      times: times.slice(start, end),
      values: values.slice(start, end),
    }
  })
}

/** Station code, data type, ISO 8601 time with a zone, value. */
export type MeasurementItem = readonly [string, string, string, number | string | object]

/** The kind of the values of a series. It is decided by the value itself (decision D41). */
type Kind = 'number' | 'text' | 'json'

/**
 * What distinguishes the series of a message. The message itself has the station type and the
 * period.
 */
export type SeriesKey = {
  readonly code: string
  readonly dataType: string
  readonly kind: Kind
}

export type Value = {
  /** Position of the item in the message. */
  readonly index: number
  /** Position of the value's series in `series`. */
  readonly series: number
  /** In the format of `toInstant`. */
  readonly time: string
  /** JSON text for the kind `json`. */
  readonly value: number | string
}

export type Gathered = {
  readonly series: readonly SeriesKey[]
  readonly values: readonly Value[]
  readonly rejected: readonly Rejection[]
}

/**
 * Finds the distinct series of a message and converts its values to the form in which they are
 * stored.
 */
export function gatherValues(items: readonly MeasurementItem[]): Gathered {
  const instants = remember(toInstant)
  const series = distinctSeries()
  const values: Value[] = []
  const rejected: Rejection[] = []
  items.forEach(([code, dataType, written, value], index) => {
    const time = instants(written)
    if (time === undefined) rejected.push({ index, ...noInstant })
    else if (typeof value === 'number' && !Number.isFinite(value)) {
      rejected.push({ index, ...noFiniteNumber })
    } else {
      const place = series.placeOf({ code, dataType, kind: kindOf(value) })
      const stored = typeof value === 'object' ? JSON.stringify(value) : value
      values.push({ index, series: place, time, value: stored })
    }
  })
  return { series: series.list, values, rejected }
}

/** Returns a number for each item, which is the same for items of the same series and time. */
export function identifyValues(items: readonly MeasurementItem[]): readonly number[] {
  const series = distinctSeries()
  const places = new Map<string | undefined, number>()
  const placeOf = remember((written) => {
    const time = toInstant(written)
    const place = places.get(time) ?? places.size
    places.set(time, place)
    return place
  })
  return items.map(
    ([code, dataType, written, value]) =>
      series.placeOf({ code, dataType, kind: kindOf(value) }) * items.length + placeOf(written),
  )
}

const noInstant: Fault = { pointer: '/2', reason: 'is outside of the years 0001 to 9999' }
const noFiniteNumber: Fault = { pointer: '/3', reason: 'is not a finite number' }

function distinctSeries() {
  const list: SeriesKey[] = []
  // Looking up existing texts takes less time than concatenating them to a key.
  const places = { number: codesOfTypes(), text: codesOfTypes(), json: codesOfTypes() }
  return {
    list,
    placeOf: (key: SeriesKey): number => {
      const ofType = places[key.kind](key.dataType)
      const known = ofType.get(key.code)
      if (known !== undefined) return known
      ofType.set(key.code, list.length)
      return list.push(key) - 1
    },
  }
}

const codesOfTypes = () => remember(() => new Map<string, number>())

function kindOf(value: number | string | object): Kind {
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'json'
}

/** Caches results, because many values of a message share their time. */
function remember<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const result = work(text)
    known.set(text, result)
    return result
  }
}
