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
  /** Maximum number of waiting messages, across all streams. */
  readonly limit: number
  /**
   * Returns the free bytes on the database's disk. Undefined if this process cannot measure them.
   */
  readonly freeBytes: (() => Promise<number>) | undefined
  /** Free bytes below which no message is accepted. */
  readonly reserve: number
}

type StreamBacklog = {
  readonly stream: string
  readonly waiting: number
  /**
   * When the oldest waiting message was received. Messages that wait for missing stations or data
   * types are not counted.
   */
  readonly oldest: Date | null
  /** Messages whose attempts have all failed. They stay dead until they are replayed. */
  readonly dead: number
  /** Messages that no pipeline reads: not in a canonical format, on a stream without a mapping. */
  readonly unread: number
}

/** Milliseconds for which no message is accepted after the database reported a full disk. */
const fullFor = 10_000

/**
 * Disk bytes per byte of a message: PostgreSQL writes it to the write-ahead log and to the table.
 */
const bytesPerByte = 2

/**
 * Counts the waiting messages and decides whether more can be accepted, as of the last measurement.
 * Refusing a request before its body is read costs nothing, whereas a database with a full disk
 * cannot even process the messages that it has.
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

  /** Number of waiting messages: the last count, plus those accepted by this process since. */
  get waiting(): number {
    return this.#streams.reduce((sum, one) => sum + one.waiting, this.#acceptedSince)
  }

  /** Maximum number of waiting messages. */
  get limit(): number {
    return this.#deps.limit
  }

  noteAccepted(): void {
    this.#acceptedSince += 1
  }

  /**
   * Stores a message if there is room. Its bytes count as used immediately, not only once the disk
   * is measured again, because many large bodies can arrive in between.
   * @throws AppError HUB-SRV-006, and whatever `store` throws
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

  /** Counts the messages and measures the disk again. Concurrent calls share one measurement. */
  readonly measure = joinRunning(() => this.#measure())

  /** Returns why no message can be accepted, or undefined if there is room. */
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

/** Histogram buckets, in seconds from the receipt of a message until its data can be read. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800]

export type PushMetrics = {
  readonly accepted: (stream: string) => void
  /** Counts a refused request. `stream` is empty if the caller may not push to it. */
  readonly refused: (stream: string, status: number) => void
  readonly settled: (settled: Omit<Settled, 'error'>) => void
}

/**
 * Registers the push metrics of `/metrics`. A stream becomes a label only through callers who may
 * push to it.
 */
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
      // A waiting message is stored again, so its items are counted once it is settled.
      if (state === 'waiting') return
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
