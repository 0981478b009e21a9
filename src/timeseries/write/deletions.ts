import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { toInstant } from '../time.ts'
import type { MeasurementItem, Value } from './store-values.ts'
import type { Rejection, Saving, Sent } from './outcome.ts'

/**
 * What can be deleted: values of series, series with all their values, or stations with all their
 * series.
 */
export const deletables = ['measurements', 'series', 'stations'] as const
export type Deletable = (typeof deletables)[number]

/** What to delete of a station. A missing field selects all. */
export type Deletion = {
  readonly code: string
  readonly dataType?: string | undefined
  readonly period?: number | undefined
  /** For `measurements`: ISO 8601 with a zone, start (included) and end (excluded). */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

type Deletions = {
  readonly stationType: string
  readonly what: Deletable
  readonly items: readonly Deletion[]
  readonly received?: Date | undefined
}

/** Converts a time to UTC, because PostgreSQL supports fewer offsets than ISO 8601 allows. */
export function momentOf(written: string | undefined): string | undefined {
  return written === undefined ? undefined : (toInstant(written) ?? written)
}

/** Returns the items as a relation. */
const relationOf = (items: readonly Deletion[]) => sql`unnest(
  ${items.map(({ code }) => code)}::text[],
  ${items.map(({ dataType }) => dataType ?? null)}::text[],
  ${items.map(({ period }) => period ?? null)}::integer[],
  ${items.map(({ from }) => momentOf(from) ?? null)}::timestamptz[],
  ${items.map(({ to }) => momentOf(to) ?? null)}::timestamptz[])
  with ordinality as given (code, data_type, period, since, until, place)`

/**
 * Returns the positions of items that the same message already deleted in an earlier attempt. They
 * are noted only once. Within one message, the same data may be deleted, sent and deleted again.
 */
export async function findDone(
  tx: Transaction,
  { stationType, what, items, received }: Deletions,
): Promise<ReadonlySet<number>> {
  if (received === undefined) return new Set()
  const done = await tx.query<{ index: number }>(sql`
    select place::integer - 1 as index from ${relationOf(items)}
    where exists (
      select from deletion as known
      where known.station_type = ${stationType} and known.code = given.code
        and known.received = ${received.toISOString()} and known.what = ${what}
        and known.transaction <> pg_current_xact_id()
        and (known.data_type, known.period, known.since, known.until)
          is not distinct from (given.data_type, given.period, given.since, given.until))`)
  return new Set(done.map(({ index }) => index))
}

/**
 * Records the deletions of a message. Deletions by an operator are not recorded, so their data may
 * come back with a replay.
 */
export async function noteDeletions(
  tx: Transaction,
  { stationType, what, items, received }: Deletions,
): Promise<void> {
  if (received === undefined) return
  await tx.execute(sql`
    insert into deletion (station_type, code, what, data_type, period, since, until, received)
    select ${stationType}, code, ${what}, data_type, period, since, until, ${received.toISOString()}
    from ${relationOf(items)}`)
}

/**
 * Removes deletions that are older than every message, because the data that they deleted cannot
 * arrive again.
 */
export function forgetDeletions(database: Pick<Transaction, 'execute'>): Promise<number> {
  return database.execute(sql`
    delete from deletion where received < (select coalesce(min(received), now()) from message)`)
}

type Younger = {
  readonly code: string
  readonly what: Deletable
  readonly type: string | null
  readonly period: number | null
  /** In the format of `toInstant`. */
  readonly since: string | null
  readonly until: string | null
  readonly received: string
}

const instant = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

/** Loads the deletions of stations that are younger than a message about them. */
async function loadYounger(
  tx: Transaction,
  { stationType, received }: Saving & { readonly stationType: string },
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly Younger[]>> {
  const rows = await tx.query<Younger>(sql`
    select code, what, data_type as type, period,
      to_char(since at time zone 'UTC', ${instant}) as since,
      to_char(until at time zone 'UTC', ${instant}) as until,
      to_char(received at time zone 'UTC', ${instant}) as received
    from deletion
    where station_type = ${stationType} and code = any(${[...new Set(codes)]}::text[])
      and received > ${received.toISOString()}
    order by received desc`)
  return Map.groupBy(rows, ({ code }) => code)
}

/** Items whose station may be written, and warnings about the others. */
type Present<Item> = {
  readonly present: readonly Sent<Item>[]
  readonly warnings: readonly Rejection[]
}

/** Separates the items of stations (or edges) that a younger message deleted, which stay deleted. */
export async function siftGone<Item extends { readonly code: string }>(
  tx: Transaction,
  write: Saving & { readonly stationType: string },
  sent: readonly Sent<Item>[],
): Promise<Present<Item>> {
  const younger = await loadYounger(
    tx,
    write,
    sent.map(({ item }) => item.code),
  )
  const goneOf = ({ item }: Sent<Item>) =>
    younger.get(item.code)?.find(({ what }) => what === 'stations')
  return {
    present: sent.filter((one) => goneOf(one) === undefined),
    warnings: sent.flatMap((one) => {
      const gone = goneOf(one)
      return gone === undefined ? [] : [staysGone(one.index, gone)]
    }),
  }
}

type Written = Saving & {
  readonly stationType: string
  readonly period: number
  readonly items: readonly MeasurementItem[]
}

/**
 * Finds values that a younger message deleted.
 * @returns warnings about these values, by their position in the message
 */
export async function findGoneValues(
  tx: Transaction,
  write: Written,
  values: readonly Value[],
): Promise<ReadonlyMap<number, Rejection>> {
  const { items, period } = write
  const younger = await loadYounger(
    tx,
    write,
    items.map(([code]) => code),
  )
  if (younger.size === 0) return new Map()
  return new Map(
    values.flatMap(({ index, time }) => {
      const [code = '', dataType] = items[index] ?? []
      const gone = younger
        .get(code)
        ?.find(
          (one) =>
            (one.type ?? dataType) === dataType &&
            (one.period ?? period) === period &&
            (one.since ?? time) <= time &&
            (one.until === null || time < one.until),
        )
      return gone === undefined ? [] : [[index, staysGone(index, gone)] as const]
    }),
  )
}

/** Returns the warning about an item that is older than a deletion. */
function staysGone(index: number, { received }: Younger): Rejection {
  const reason = `is older than its deletion, whose message came at ${received}; it stays deleted`
  return { index, pointer: '', reason }
}
