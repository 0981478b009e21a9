import { mostWait } from './faults.ts'
import type { PastFault } from './faults.ts'
import { outcomes } from './judge.ts'
import type { Growth } from './judge.ts'
import type { Tally } from './tally.ts'

/** What a soak found. */
export type Seen = {
  /** The beginning of the ids of its records. */
  readonly name: string
  readonly tally: Tally
  /** Reads a second. */
  readonly capacity: number
  readonly asked: number
  readonly minutes: number
  /** Of each measure. */
  readonly growth: Readonly<Record<string, Growth>>
  readonly faults: readonly PastFault[]
  readonly acknowledged: { readonly records: number; readonly times: number }
  readonly lost: readonly string[]
}

/** For people. */
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

/** A line for each kind of fault: how often it was, and the longest time after it. */
function summarize(faults: readonly PastFault[]): readonly string[] {
  return [...Map.groupBy(faults, ({ what }) => what)].map(([what, times]) => {
    const longest = Math.max(...times.map(({ recovered }) => recovered))
    return `${what}: ${String(times.length)} times, answered at most ${longest.toFixed(1)} s after its end.`
  })
}

/** Of all requests; the rest may be refused or not be sent while something is away. */
const leastAnswered = 0.9

/** Whether the hubs held what they promise. */
export function holds({ tally, growth, faults, lost, acknowledged }: Seen): boolean {
  const isBounded = Object.values(growth).every((measure) => measure.isBounded)
  const all = [...outcomes, 'held back'].reduce((sum, what) => sum + tally.total(what), 0)
  return (
    tally.total('failed') === 0 &&
    tally.total('answered') >= all * leastAnswered &&
    faults.every(({ recovered }) => recovered < mostWait) &&
    isBounded &&
    lost.length === 0 &&
    acknowledged.records > 0
  )
}
