import { AppError } from '../errors/index.ts'
import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/index.ts'
import { waitsUntil } from './outcome.ts'
import { parked, waiting } from './queue/claim-messages.ts'

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

/** What waits on a stream. */
export type StreamBacklog = {
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
 * How much waits to be worked on, as it was a moment ago, and whether more can be taken. Refusing before
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
  #measuring: Promise<void> | undefined

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

  /** Counts anew; one at a time. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

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

function tooDeep(count: number): AppError {
  return new AppError('HUB-SRV-007', `${String(count)} messages wait to be worked on.`, {
    hint: 'Nothing of this request was stored. Send it again after the time in Retry-After.',
    headers: { 'retry-after': '10' },
  })
}
