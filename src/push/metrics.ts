import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Backlog } from './backlog.ts'
import type { Settled } from './queue/process-messages.ts'

/** Seconds from the receipt of a message until its data can be read. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800]

export type PushMetrics = {
  readonly accepted: (stream: string) => void
  /** A request that was refused; `stream` is empty for those who may not push to it. */
  readonly refused: (stream: string, status: number) => void
  readonly settled: (settled: Omit<Settled, 'error'>) => void
}

/** What `/metrics` says about pushes. Streams are named only by those who may push to them. */
export function pushMetrics(registry: Registry, backlog: Backlog, now: () => Date): PushMetrics {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `hub_push_${name}`, help, labelNames, registers })
  const accepted = counter('accepted_total', 'Messages that were acknowledged', ['stream'])
  const refused = counter('refused_total', 'Requests that were refused', ['stream', 'status'])
  const settled = counter('settled_total', 'Attempts by their outcome', ['stream', 'state'])
  const stored = counter('stored_items_total', 'Items that were stored', ['stream'])
  const rejected = counter('rejected_items_total', 'Items that were rejected', ['stream'])
  const untilVisible = new Histogram({
    name: 'hub_push_seconds_until_visible',
    help: 'Time from the receipt of a message until its data can be read',
    labelNames: ['stream'],
    buckets,
    registers,
  })
  gaugeBacklog(registry, backlog, now)
  return {
    accepted: (stream) => {
      accepted.inc({ stream })
    },
    refused: (stream, status) => {
      refused.inc({ stream, status: String(status) })
    },
    settled: ({ stream, state, stored: taken, rejected: left, seconds }) => {
      settled.inc({ stream, state })
      stored.inc({ stream }, taken)
      rejected.inc({ stream }, left)
      if (state === 'visible') untilVisible.observe({ stream }, seconds)
    },
  }
}

function gaugeBacklog(registry: Registry, backlog: Backlog, now: () => Date): void {
  const gauge = (
    name: string,
    help: string,
    valueOf: (one: Backlog['streams'][number]) => number,
  ) =>
    new Gauge({
      name: `hub_push_${name}`,
      help,
      labelNames: ['stream'],
      registers: [registry],
      collect() {
        this.reset()
        for (const one of backlog.streams) this.set({ stream: one.stream }, valueOf(one))
      },
    })
  gauge('waiting_messages', 'Messages that wait to be worked on', ({ waiting }) => waiting)
  gauge('dead_messages', 'Messages that were given up until they are replayed', ({ dead }) => dead)
  gauge(
    'unread_messages',
    'Messages that nothing reads: their stream has no mapping',
    ({ unread }) => unread,
  )
  gauge('oldest_waiting_seconds', 'Age of the oldest message that waits', ({ oldest }) =>
    oldest === null ? 0 : (now().getTime() - oldest.getTime()) / 1000,
  )
  const free = new Gauge({
    name: 'hub_push_free_disk_bytes',
    help: 'Room on the disk of the database, where that is known',
    registers: [registry],
    collect: () => {
      if (backlog.freeBytes !== undefined) free.set(backlog.freeBytes)
    },
  })
}
