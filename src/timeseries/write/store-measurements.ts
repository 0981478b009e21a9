import type { Transaction } from '../../storage/index.ts'
import { measurementsOf } from '../datasets.ts'
import { lookUpMonths, makeMissing } from '../partitions/ensure-partitions.ts'
import type { Closed, Months } from '../partitions/ensure-partitions.ts'
import type { Month } from '../partitions/months.ts'
import { recordUpserts } from './changes.ts'
import { chunkValues } from './chunk-values.ts'
import type { Chunk } from './chunk-values.ts'
import { gatherValues } from './gather-values.ts'
import type { Gathered, MeasurementItem, Value } from './gather-values.ts'
import type { Outcome, Rejection, Saving } from './outcome.ts'
import { storeProvenance } from './provenance.ts'
import type { Provenance } from './provenance.ts'
import { resolveSeries } from './resolve-series.ts'
import { upsertLatest, upsertValues } from './upsert-values.ts'

/** A message with values of stations of one type, all with one period. */
export type MeasurementsWrite = Saving & {
  readonly stationType: string
  /** Seconds between values; part of the series. */
  readonly period: number
  readonly provenance?: Provenance | null | undefined
  readonly items: readonly MeasurementItem[]
}

/**
 * Upserts values by series and valid time; series are made on demand. Late, repeated and corrected
 * values are welcome (decision D48). Of two values for the same time in one message the last one wins.
 * Rejected are values of unknown stations or data types, numbers that are not finite, and values of
 * months that are not kept any more.
 */
export async function storeMeasurements(
  tx: Transaction,
  write: MeasurementsWrite,
): Promise<Outcome> {
  const gathered = gatherValues(write.items)
  const months = await lookUpMonths(tx, monthsOf(gathered.values), write.received)
  const { missing, latestUntil } = months
  const { series, values, rejected } = leaveOutClosed(gathered, months.closed)
  const resolved = await resolveSeries(tx, write, series)
  const unknown = values.flatMap(({ index, series: place }) => {
    const found = resolved[place]
    return found?.kind === 'unknown' ? [{ index, ...found.fault }] : []
  })
  const chunks = chunkValues(values, ({ series: place }) => {
    const found = resolved[place]
    return found?.kind === 'known' ? found.series : undefined
  })
  await makeMissing(tx, new Set(monthsIn(chunks).filter((month) => missing.has(month))))
  const provenanceId = await storeProvenance(tx, write.provenance)
  const changed = new Set<number>()
  for (const chunk of chunks) {
    const saving = { provenanceId, transactionTime: write.received.toISOString(), latestUntil }
    for (const id of await upsertValues(tx, chunk, saving)) changed.add(id)
    await upsertLatest(tx, chunk, saving)
  }
  await recordUpserts(tx, measurementsOf(write.stationType), [...changed].map(String))
  const refused = [...rejected, ...unknown]
  const isRefused = new Set(refused.map(({ index }) => index))
  const warnings = oddTimes(values, months).filter(({ index }) => !isRefused.has(index))
  return {
    stored: write.items.length - refused.length,
    rejected: refused,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(unknown.length === 0 ? {} : { awaits: true }),
  }
}

function monthsIn(chunks: readonly Chunk[]): readonly Month[] {
  return chunks.flatMap(({ times }) => times.map((time) => time.slice(0, 7)))
}

/** The months (UTC) in which values lie. */
function monthsOf(values: readonly Value[]): ReadonlySet<Month> {
  return new Set(values.map(monthOfValue))
}

/**
 * Rejects the values of months that take none, so that none is lost unseen; series of which nothing is
 * left are not made.
 */
function leaveOutClosed(gathered: Gathered, closed: ReadonlyMap<Month, Closed>): Gathered {
  if (closed.size === 0) return gathered
  const open = gathered.values.filter((value) => !closed.has(monthOfValue(value)))
  const places = [...new Set(open.map(({ series }) => series))]
  const placeOf = new Map(places.map((place, index) => [place, index]))
  const refused = gathered.values.flatMap((value) => {
    const why = closed.get(monthOfValue(value))
    return why === undefined ? [] : [{ index: value.index, pointer: '/2', reason: reasons[why] }]
  })
  return {
    series: places.flatMap((place) => gathered.series[place] ?? []),
    values: open.map((value) => ({ ...value, series: placeOf.get(value.series) ?? 0 })),
    rejected: [...gathered.rejected, ...refused],
  }
}

const reasons: Readonly<Record<Closed, string>> = {
  old: 'is older than the values that this hub keeps',
  aside: 'lies in a month that this hub has set aside',
}

function monthOfValue({ time }: Value): Month {
  return time.slice(0, 7)
}

/** Warns of values whose time is most likely wrong: so far ago or ahead that none is expected there. */
function oddTimes(
  values: readonly Value[],
  { outer, span, latestUntil }: Months,
): readonly Rejection[] {
  return values.flatMap(({ index, time }) => {
    const isOuter = outer.size > 0 && outer.has(time.slice(0, 7))
    const isAhead = time > latestUntil
    if (!isOuter && !isAhead) return []
    const reasons = [
      ...(isOuter ? [`outside of the months that this hub expects (${span})`] : []),
      ...(isAhead ? [`after ${latestUntil}, so it is not shown as the latest value`] : []),
    ]
    return [{ index, pointer: '/2', reason: `lies ${reasons.join(' and ')}; it was stored` }]
  })
}
