import { sql } from '../../sql/index.ts'
import type { Transaction } from '../../storage/index.ts'
import { stationsOf } from '../datasets.ts'
import { recordUpserts } from './changes.ts'
import type { KnownSeries } from './chunk-values.ts'
import type { SeriesKey } from './gather-values.ts'
import type { Fault } from './outcome.ts'

type Context = { readonly stationType: string; readonly period: number }

/** What the database knows of a series. */
export type ResolvedSeries =
  | ({ readonly kind: 'known' } & { readonly series: KnownSeries })
  | { readonly kind: 'unknown'; readonly fault: Fault }

/**
 * Finds the series of a message, in the order asked, and makes those that are missing. Nothing is
 * remembered between messages: the look-up is one statement, and a series made by a message that was
 * rolled back does not exist.
 */
export async function resolveSeries(
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
  return tx.query<Found>(sql`
    select wanted.kind, station.id as station_id, data_type.id as data_type_id, series.id
    from unnest(
      ${wanted.map(({ code }) => code)}::text[],
      ${wanted.map(({ dataType }) => dataType)}::text[],
      ${wanted.map(({ kind }) => kind)}::text[])
      with ordinality as wanted (code, data_type, kind, place)
    left join station on station.type = ${stationType} and station.code = wanted.code
    left join data_type on data_type.name = wanted.data_type
    left join series on series.station_id = station.id and series.data_type_id = data_type.id
      and series.period = ${period} and series.kind = wanted.kind
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
