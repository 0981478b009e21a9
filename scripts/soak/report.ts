import type { Fault } from './faults.ts'
import type { growth } from './judge.ts'
import type { Tally } from './tally.ts'

export type Seen = {
  readonly tally: Tally
  readonly capacity: number
  readonly asked: number
  readonly minutes: number
  readonly memory: ReturnType<typeof growth>
  readonly faults: readonly Fault[]
  readonly acknowledged: number
  readonly lost: readonly string[]
}

/** What a soak found, for people. */
export function toReport(seen: Seen): string {
  const { tally, capacity, asked, minutes, memory, faults, acknowledged, lost } = seen
  const rows = tally.services.map((service) =>
    [
      service.padEnd(14),
      ...['answered', 'honest refusal', 'renewed token', 'failed'].map((what) =>
        String(tally.of(service, what)).padStart(9),
      ),
      ...[50, 99, 100].map((percent) => tally.percentile(service, percent).toFixed(1).padStart(9)),
    ].join(' '),
  )
  const head = ['answered', '503', '401', 'failed', 'p50 ms', 'p99 ms', 'max ms']
  return [
    `${String(minutes)} minutes at ${asked.toFixed(0)} reads a second, 70 % of ${capacity.toFixed(0)}.`,
    `Held back, since too many were under way: ${String(tally.of('reads', 'held back'))}.`,
    '',
    `${'service'.padEnd(14)} ${head.map((title) => title.padStart(9)).join(' ')}`,
    ...rows,
    '',
    `Pushes acknowledged: ${String(acknowledged)} records, lost: ${String(lost.length)}.`,
    `Memory (MB): ${memory.before.toFixed(0)} in the second quarter, ${memory.after.toFixed(0)} in the last.`,
    ...faults.map(
      ({ what, recovered }) => `${what}: answered ${recovered.toFixed(1)} s after its return.`,
    ),
    ...tally.examples.map((example) => `FAILED ${example}`),
    ...lost.slice(0, 5).map((id) => `LOST ${id}`),
    ...(memory.isBounded ? [] : ['MEMORY grew without bound.']),
  ].join('\n')
}

/** Whether the hub held what it promises. */
export function holds({ tally, memory, lost, acknowledged }: Seen): boolean {
  return tally.total('failed') === 0 && memory.isBounded && lost.length === 0 && acknowledged > 0
}
