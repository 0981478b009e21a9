import { createLimit } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database, Queryable } from '../../storage/index.ts'
import type { Month } from '../partitions/months.ts'
import { digest, inMonth, unreadable, valueColumns, windowSize } from './cold-rows.ts'
import type { ColdFile, ReadRows } from './cold-rows.ts'

type Source = { readonly database: Database; readonly read: ReadRows }

/** Values that have to be in the table. */
type Wanted = {
  readonly files: readonly ColdFile[]
  /** Whether of a file only those series are needed whose rollups are stale; false where it is left out. */
  readonly isRolled?: (file: ColdFile) => boolean
  /** Selects ids of series. */
  readonly series: Sql
  /** So many of the newest values of each are needed; all where it is left out. */
  readonly newest?: number
  /** Values that may be brought back. */
  readonly most: number
  /** Seconds for which they stay beyond the usual. */
  readonly stay: number
}

/** Reads that bring back values at a time, on a node. */
const atOnce = 2

/**
 * Brings series of cold months from their files into the table.
 * @throws AppError HUB-QRY-001 where they are too many, HUB-SRV-009 where a file cannot be read
 */
export function thawer(source: Source): (wanted: Wanted) => Promise<void> {
  const limit = createLimit({ places: atOnce })
  return async (wanted) => {
    const { files, most, stay } = wanted
    // Until nothing is due: what was there a moment ago may have left.
    for (let due; (due = await findDue(source.database, wanted)).length > 0;) {
      const away = due.filter(({ isAway }) => isAway)
      assertFew(away, most)
      await touch(source.database, due, stay)
      for (const file of files) {
        const ofFile = away.filter(({ month }) => month === file.month)
        for (const chunk of chunksOf(ofFile)) {
          await limit.run(() => thawChunk(source, file, { chunk, stay }))
        }
      }
    }
  }
}

/** Values of a series that are in the file alone, or have not been used for a while. */
type Due = {
  readonly month: Month
  readonly series: number
  readonly firstRow: number
  readonly rows: number
  readonly isAway: boolean
}

async function findDue(
  database: Queryable,
  { files, isRolled = () => false, series, newest, stay }: Wanted,
): Promise<readonly Due[]> {
  const monthsOf = (some: readonly ColdFile[]) => some.map(({ month }) => month)
  const rows = await database.texts(sql`
    select month, series_id, first_row, rows, used is null from cold_series
    where month = any(${monthsOf(files)}::text[]) and series_id in (${series})
      and (month <> all(${monthsOf(files.filter(isRolled))}::text[]) or ${isStale})
      and (used is null or used < now() + ${stay - 60}::integer * interval '1 second')
      and ${newest === undefined ? sql`true` : lacksNewer(newest)}
    order by month, series_id`)
  return rows.map(([month, id, firstRow, count, isAway]) => ({
    ...{ month: month ?? '', series: Number(id), firstRow: Number(firstRow), rows: Number(count) },
    isAway: isAway === 't',
  }))
}

const isStale = sql`exists (
  select from rollup_stale
  where rollup_stale.series_id = cold_series.series_id
    and to_char(day at time zone 'UTC', 'YYYY-MM') = month)`

/** Where the table has as many values that are newer, those of the file are not among the newest. */
function lacksNewer(count: number): Sql {
  return sql`not exists (
    select from measurement
    where measurement.series_id = cold_series.series_id and valid_time > last_time
    offset ${count - 1}::bigint limit 1)`
}

function assertFew(away: readonly Due[], most: number): void {
  const count = away.reduce((sum, { rows }) => sum + rows, 0)
  if (count <= most) return
  const months = [...new Set(away.map(({ month }) => month))].join(', ')
  throw new AppError(
    'HUB-QRY-001',
    `This needs ${count.toLocaleString('en')} values of cold months (${months}), which lie in files; one request can read ${most.toLocaleString('en')} of them.`,
    { hint: 'Request fewer series (data types, stations in where), or a shorter range.' },
  )
}

/** What is there stays there. What has just left is found again by whoever looks next. */
async function touch(database: Queryable, due: readonly Due[], stay: number): Promise<void> {
  const there = due.filter(({ isAway }) => !isAway)
  if (there.length === 0) return
  await database.execute(sql`
    update cold_series set used = now() + ${stay}::integer * interval '1 second'
    from (
      select series_id, month from cold_series
      where used is not null and (series_id, month) in (
        select * from unnest(
          ${there.map(({ series }) => series)}::integer[],
          ${there.map(({ month }) => month)}::text[]))
      order by series_id, month for update) as there
    where cold_series.series_id = there.series_id and cold_series.month = there.month`)
}

/** Series that lie close together in a file, and are brought back together. */
function* chunksOf(series: readonly Due[]): Generator<readonly Due[]> {
  let chunk: Due[] = []
  for (const one of series) {
    const start = chunk[0]?.firstRow ?? one.firstRow
    if (one.firstRow + one.rows - start > windowSize && chunk.length > 0) {
      yield chunk
      chunk = []
    }
    chunk.push(one)
  }
  if (chunk.length > 0) yield chunk
}

type Thawing = { readonly chunk: readonly Due[]; readonly stay: number }

/** Values and the mark that they are there appear at once, and only if they are those that were written. */
async function thawChunk(
  { database, read }: Source,
  file: ColdFile,
  { chunk, stay }: Thawing,
): Promise<void> {
  const { month } = file
  const [first, last] = [chunk[0], chunk.at(-1)]
  if (first === undefined || last === undefined) return
  await database.transaction(async (tx) => {
    const away = await tx.query<{ id: number }>(sql`
      select series_id as id from cold_series
      where month = ${month} and series_id = any(${chunk.map(({ series }) => series)}::integer[])
        and used is null
      order by series_id for update`)
    const ids = away.map(({ id }) => id)
    const end = last.firstRow + last.rows
    // Another read brings back the same.
    for (let from = first.firstRow; from < end && ids.length > 0; from += windowSize) {
      const rows = await read(file, { from, to: Math.min(from + windowSize, end) })
      await tx.execute(sql`
        insert into measurement (${valueColumns})
        select ${valueColumns} from ${rows} where series_id = any(${ids}::integer[])`)
    }
    const whole = await tx.execute(sql`
      update cold_series set used = now() + ${stay}::integer * interval '1 second'
      from (${digestsOf(month, ids)}) as found where ${isSame(month)}`)
    if (whole < ids.length) throw unreadable(month)
  })
}

/** What the table has of series in a month, as `found`. */
export function digestsOf(month: Month, ids: readonly number[]): Sql {
  return sql`
    select series_id as id, count(*) as count, ${digest} as digest from measurement
    where ${inMonth(month)} and series_id = any(${ids}::integer[]) group by series_id`
}

/** Whether that is what the file has. */
export const isSame = (month: Month) => sql`
  cold_series.month = ${month} and cold_series.series_id = found.id
  and cold_series.rows = found.count and cold_series.digest = found.digest`
