import { maxWait } from './faults.ts'
import type { PastFault } from './faults.ts'
import { outcomes } from './judge.ts'
import type { Growth } from './judge.ts'
import type { Tally } from './tally.ts'

/** The observations of a soak. */
export type Seen = {
  /** Prefix of the ids of the records of this run. */
  readonly name: string
  readonly tally: Tally
  /** Queries per second. */
  readonly capacity: number
  readonly asked: number
  readonly minutes: number
  /** Growth by name of the measure. */
  readonly growth: Readonly<Record<string, Growth>>
  readonly faults: readonly PastFault[]
  readonly acknowledged: { readonly records: number; readonly times: number }
  readonly lost: readonly string[]
}

/** Formats the observations for people to read. */
export function toReport(seen: Seen): string {
  const { tally, capacity, asked, minutes, acknowledged, lost } = seen
  const counted = [...outcomes, 'other hub']
  const rows = tally.services.map((service) =>
    [
      service.padEnd(14),
      ...counted.map((what) => String(tally.of(service, what)).padStart(14)),
      ...[50, 99, 100].map((percent) => tally.percentile(service, percent).toFixed(1).padStart(9)),
    ].join(' '),
  )
  const head = [...counted.map((what) => what.padStart(14)), '   p50 ms', '   p99 ms', '   max ms']
  return [
    `${String(minutes)} minutes at ${asked.toFixed(0)} reads a second, 70 % of ${capacity.toFixed(0)}.`,
    `Held back, since too many were under way: ${String(tally.of('reads', 'held back'))}.`,
    '',
    `${'service'.padEnd(14)} ${head.join(' ')}`,
    ...rows,
    '',
    `Acknowledged: ${String(acknowledged.records)} records and values of ${String(acknowledged.times)} times, lost: ${String(lost.length)}.`,
    ...Object.entries(seen.growth).map(
      ([name, { before, after, isBounded }]) =>
        `${name}: ${before.toFixed(0)} in the second quarter, ${after.toFixed(0)} in the last${isBounded ? '' : ': GREW without bound'}.`,
    ),
    ...summarize(seen.faults),
    ...tally.examples.map((example) => `FAILED ${example}`),
    ...lost.slice(0, 5).map((id) => `LOST ${id}`),
  ].join('\n')
}

/** Returns one line per kind of fault: how often it happened, and the longest recovery time. */
function summarize(faults: readonly PastFault[]): readonly string[] {
  return [...Map.groupBy(faults, ({ what }) => what)].map(([what, times]) => {
    const longest = Math.max(...times.map(({ recovered }) => recovered))
    return `${what}: ${String(times.length)} times, answered at most ${longest.toFixed(1)} s after its end.`
  })
}

/**
 * Minimum share of all requests that must succeed. The others may be refused or held back during an
 * outage.
 */
const leastAnswered = 0.9

/** Reports whether the hubs kept their promises. */
export function holds({ tally, growth, faults, lost, acknowledged }: Seen): boolean {
  const isBounded = Object.values(growth).every((measure) => measure.isBounded)
  const all = [...outcomes, 'held back'].reduce((sum, what) => sum + tally.total(what), 0)
  return (
    tally.total('failed') === 0 &&
    tally.total('answered') >= all * leastAnswered &&
    faults.every(({ recovered }) => recovered < maxWait) &&
    isBounded &&
    lost.length === 0 &&
    acknowledged.records > 0
  )
}
