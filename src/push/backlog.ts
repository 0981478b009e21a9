import { Counter, Gauge, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { joinRunning } from '../async/index.ts'
import { AppError } from '../errors/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { waitsUntil } from './pipeline.ts'
import { parked, waiting } from './queue/claim-messages.ts'
import type { Settled } from './queue/process-messages.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  /** Messages that may wait, on all streams together. */
  readonly limit: number
  /** Bytes that the disk of the database has left; undefined when that cannot be known from here. */
  readonly freeBytes: (() => Promise<number>) | undefined
  /** Bytes that must be left for a message to be accepted. */
  readonly reserve: number
}

type StreamBacklog = {
  readonly stream: string
  readonly waiting: number
  /** When the oldest was received of those that wait for the hub, not for stations. */
  readonly oldest: Date | null
  /** Messages that were given up, and stay so until they are replayed. */
  readonly dead: number
  /** Messages that nothing reads: in no format of the hub, on a stream without a mapping. */
  readonly unread: number
}

/** How long nothing is accepted after the database itself had no room, in milliseconds. */
const fullFor = 10_000

/** What a byte of a message takes on the disk: PostgreSQL writes it to its log, and to the table. */
const bytesPerByte = 2

/**
 * How much is waiting to be processed, as of a moment ago, and whether more can be accepted. Refusing before
 * a body is read costs nothing; a database without room cannot even finish what it has.
 */
export class Backlog {
  readonly #deps: Deps
  #streams: readonly StreamBacklog[] = []
  #freeBytes: number | undefined
  #acceptedSince = 0
  #bytesSince = 0
  #bytesUnderWay = 0
  #fullUntil = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get streams(): readonly StreamBacklog[] {
    return this.#streams
  }

  get freeBytes(): number | undefined {
    return this.#freeBytes
  }

  /** Messages that wait, with those accepted here since they were counted. */
  get waiting(): number {
    return this.#streams.reduce((sum, one) => sum + one.waiting, this.#acceptedSince)
  }

  /** Messages that may wait. */
  get limit(): number {
    return this.#deps.limit
  }

  noteAccepted(): void {
    this.#acceptedSince += 1
  }

  /**
   * Stores a message while there is room. Its bytes count as used from now on, and not only when the
   * disk is measured again: many large bodies can come in between.
   * @throws AppError HUB-SRV-006, and what `store` throws
   */
  async store<Result>(bytes: number, store: () => Promise<Result>): Promise<Result> {
    const obstacle = this.#lackOfRoom()
    if (obstacle !== undefined) throw obstacle
    this.#bytesUnderWay += bytes
    try {
      return await store()
    } catch (error) {
      this.#noteFailure(error)
      throw error
    } finally {
      this.#bytesUnderWay -= bytes
      this.#bytesSince += bytes
    }
  }

  /** Counts again; one at a time. */
  readonly measure = joinRunning(() => this.#measure())

  /** Why nothing can be accepted; undefined when it can. */
  obstacle(): AppError | undefined {
    return (
      this.#lackOfRoom() ?? (this.waiting >= this.#deps.limit ? tooDeep(this.waiting) : undefined)
    )
  }

  #lackOfRoom(): AppError | undefined {
    const { reserve, now } = this.#deps
    if (now().getTime() < this.#fullUntil) return noRoom('full')
    if (this.#freeBytes === undefined) return undefined
    const used = (this.#bytesSince + this.#bytesUnderWay) * bytesPerByte
    return this.#freeBytes - used < reserve ? noRoom('nearly full') : undefined
  }

  #noteFailure(error: unknown): void {
    if (!(error instanceof AppError) || error.code !== 'HUB-SRV-006') return
    this.#fullUntil = this.#deps.now().getTime() + fullFor
  }

  async #measure(): Promise<void> {
    const { database, freeBytes } = this.#deps
    const before = this.#acceptedSince
    const bytesBefore = this.#bytesSince
    this.#freeBytes = await freeBytes?.()
    this.#bytesSince -= bytesBefore
    this.#streams = await loadBacklog(database)
    this.#acceptedSince -= before
  }
}

function loadBacklog(database: Queryable): Promise<readonly StreamBacklog[]> {
  return database.query<StreamBacklog>(sql`
    select stream, count(*) filter (where what = 'waiting')::integer as waiting,
      min(received) filter (where what = 'waiting' and not awaits) as oldest,
      count(*) filter (where what = 'dead')::integer as dead,
      count(*) filter (where what = 'unread')::integer as unread
    from (
      select stream, received, 'waiting' as what, coalesce(reason like ${`${waitsUntil}%`}, false) as awaits
      from message where ${waiting}
      union all
      select stream, received, 'dead', false from message where state = 'dead'
      union all
      select stream, received, 'unread', false from message where ${parked}
    ) as message
    group by stream order by stream`)
}

function noRoom(state: string): AppError {
  return new AppError('HUB-SRV-006', `The disk of the database is ${state}.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After.',
    headers: { 'retry-after': '60' },
  })
}

export function tooDeep(count: number): AppError {
  return new AppError('HUB-SRV-007', `${String(count)} messages are waiting to be processed.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After.',
    headers: { 'retry-after': '10' },
  })
}

/** Seconds from the receipt of a message until its data can be read. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800]

export type PushMetrics = {
  readonly accepted: (stream: string) => void
  /** A request that was refused; `stream` is empty for those who may not push to it. */
  readonly refused: (stream: string, status: number) => void
  readonly settled: (settled: Omit<Settled, 'error'>) => void
}

/** What `/metrics` reports about pushes. Streams are named only by those who may push to them. */
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
  gauge('waiting_messages', 'Messages that are waiting to be processed', ({ waiting }) => waiting)
  gauge('dead_messages', 'Dead messages: every attempt failed', ({ dead }) => dead)
  gauge(
    'unread_messages',
    'Messages that nothing reads: their stream has no mapping',
    ({ unread }) => unread,
  )
  gauge('oldest_waiting_seconds', 'Age of the oldest waiting message', ({ oldest }) =>
    oldest === null ? 0 : (now().getTime() - oldest.getTime()) / 1000,
  )
  const free = new Gauge({
    name: 'hub_push_free_disk_bytes',
    help: 'Free space on the disk of the database, if known',
    registers: [registry],
    collect: () => {
      if (backlog.freeBytes !== undefined) free.set(backlog.freeBytes)
    },
  })
}
