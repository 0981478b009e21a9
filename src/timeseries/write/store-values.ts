import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import { isUniqueViolation } from '../../storage/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { newestOf } from './gather-values.ts'
import type { Chunk, Kind } from './gather-values.ts'

type ValueSaving = {
  readonly provenanceId: number | null
  /** ISO 8601. An older one never overwrites a younger one (decision D53). */
  readonly transactionTime: string
  /** What is later is never the latest value of its series. */
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
 * Upserts the values of a chunk by series and valid time. A stored value with the same
 * transaction time is left alone, so replaying a message writes nothing.
 * @returns the ids of the series in which something changed
 */
async function upsertValues(
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

/** Of fewer values the way by COPY takes as long as an upsert. */
const worthCopying = 1000

/**
 * Stores the values of a chunk, by COPY as long as all are new: that takes half the time of an upsert.
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
    await copy(copyOfNumbers, copied(chunk, saving))
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
 * Whether a series has values already between the first and the last one of the chunk. A COPY that meets one has
 * written rows in vain by then.
 */
async function hasValues(tx: Transaction, { ids, times }: Chunk): Promise<boolean> {
  const firsts = ids.flatMap((id, place) => (id === ids[place - 1] ? [] : [place]))
  const lasts = [...firsts.slice(1), ids.length].map((next) => next - 1)
  const at = (places: readonly number[]) => arrayOf(places.map((place) => times[place] ?? ''))
  const [row] = await tx.query<{ found: boolean }>(sql`
    select exists (
      select from unnest(
        ${arrayOf(firsts.map((place) => ids[place] ?? 0))}::integer[],
        ${at(firsts)}::timestamptz[],
        ${at(lasts)}::timestamptz[]) as span (series_id, first, last)
      join measurement on measurement.series_id = span.series_id
        and valid_time between first and last) as found`)
  return row?.found === true
}

const copyOfNumbers = sql`
  copy measurement (series_id, valid_time, number, provenance_id, transaction_time) from stdin`

/** Numbers and times need no escapes. */
function copied({ ids, times, values }: Chunk, saving: ValueSaving): string {
  const { provenanceId, transactionTime } = saving
  const common = `${provenanceId === null ? '\\N' : String(provenanceId)}\t${transactionTime}\n`
  return ids
    .map((id, place) =>
      [id, withoutZeros(times[place] ?? ''), values[place] ?? '', common].join('\t'),
    )
    .join('')
}

/** Lets the newest value of each series take its place in `latest`, unless it lies too far ahead. */
export async function upsertLatest(
  tx: Transaction,
  chunk: Chunk,
  saving: ValueSaving,
): Promise<void> {
  const newest = newestOf(chunk, saving.latestUntil)
  if (newest.ids.length === 0) return
  const column = columns[chunk.kind]
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
 * Numbers and times as PostgreSQL writes an array. The driver would quote every element, which takes
 * longer to write, to send and to read; none of these needs it.
 */
function arrayOf(elements: readonly (number | string)[]): string {
  return `{${elements.join(',')}}`
}

/** Most times are whole seconds, and PostgreSQL reads those faster without a fraction. */
function withoutZeros(time: string): string {
  return time.endsWith('.000000Z') ? `${time.slice(0, -8)}Z` : time
}

function isOther(column: Sql): Sql {
  return sql`
    (known.${column}, known.provenance_id) is distinct from (excluded.${column}, excluded.provenance_id)`
}
