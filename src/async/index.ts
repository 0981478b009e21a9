// Work that waits for other work.
import { setImmediate, setTimeout as pause } from 'node:timers/promises'

type Options = {
  /** How much is let in together: pieces of work, or whatever their weight is measured in. */
  readonly places: number
  /** How many may wait; those that come then are refused. */
  readonly mostWaiting?: number
  /** Milliseconds that one may wait. */
  readonly patience?: number
  /** Why one is refused that came when too many waited, or waited too long. */
  readonly refuse?: () => Error
}

/** Lets in only so much at a time, first come, first served. */
export type Limit = {
  /**
   * Waits to be let in. What weighs more than all places has them alone.
   * @returns leaves again; more than once is as good as once
   * @throws what `refuse` gives
   */
  readonly enter: (options?: {
    readonly weight?: number
    readonly refuse?: () => Error
  }) => Promise<() => void>
  /** Runs work as soon as it is let in. @throws what `refuse` gives, or the work throws */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly waiting: () => number
  /** Refuses all that wait now; those that come later wait again. */
  readonly refuseAll: (refuse: () => Error) => void
}

type Waiting = {
  readonly weight: number
  readonly letIn: () => void
  readonly refuse: (error: Error) => void
}

const tooMany = () => new Error('Too much waits')

export function createLimit(options: Options): Limit {
  const { mostWaiting = Infinity, refuse: usual = tooMany } = options
  const queue = createQueue(options)
  const enter: Limit['enter'] = async ({ weight = 1, refuse = usual } = {}) => {
    if (queue.isFree(weight)) return queue.occupy(weight)
    if (queue.waiting.size >= mostWaiting) throw refuse()
    return queue.wait(weight, refuse)
  }
  return {
    enter,
    run: async (work) => {
      const leave = await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    waiting: () => queue.waiting.size,
    refuseAll: (refuse) => {
      for (const one of queue.waiting) one.refuse(refuse())
      queue.waiting.clear()
    },
  }
}

function createQueue({ places, patience }: Pick<Options, 'places' | 'patience'>) {
  const waiting = new Set<Waiting>()
  let used = 0
  const fits = (weight: number) => used === 0 || used + weight <= places
  const letInNext = () => {
    for (const next of waiting) {
      if (!fits(next.weight)) return
      waiting.delete(next)
      next.letIn()
    }
  }
  const occupy = (weight: number) => {
    used += weight
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      used -= weight
      letInNext()
    }
  }
  const wait = (weight: number, refuse: () => Error) => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const one = { weight, letIn: () => resolve(occupy(weight)), refuse: reject }
    waiting.add(one)
    if (patience === undefined) return promise
    const timer = setTimeout(() => {
      waiting.delete(one)
      reject(refuse())
      // One that waits behind it may weigh less.
      letInNext()
    }, patience)
    return promise.finally(() => clearTimeout(timer))
  }
  return { waiting, isFree: (weight: number) => waiting.size === 0 && fits(weight), occupy, wait }
}

/** The outcome of `work`, or a rejection with `late()` when it takes longer than a time limit. */
export async function deadline<Result>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const overrun = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late())
    }, milliseconds)
  })
  try {
    return await Promise.race([work, overrun])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for work that cannot be stopped itself, but no longer than until the signal.
 * @throws the reason of the signal
 */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(new Error('The time is up.', { cause: signal.reason }))
  }
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Work that several may request: those who do so while it runs join that run. */
export function joinRunning<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
}

/**
 * Does work again and again, and leaves a turn out while the one before still runs: what is slow does not pile up. Work
 * has to handle its own faults. Does not keep the process alive.
 * @returns ends that
 */
export function every(milliseconds: number, work: () => unknown): () => void {
  let isRunning = false
  const turn = async () => {
    if (isRunning) return
    isRunning = true
    try {
      await work()
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(() => void turn(), milliseconds)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

export type Every = typeof every

type Share<Value> = (key: string, work: () => Promise<Value>) => Promise<Value>

/** Runs work once for all who want the same while it is running. Nothing is kept afterwards. */
export function shareRunning<Value>(): Share<Value> {
  const running = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = running.get(key)
    if (known !== undefined) return known
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

/**
 * Runs work once for all callers who wait for it to begin. Work that began before a caller came is not for
 * that caller, because it may have read old data. So every caller gets a result of later work.
 */
export function shareNext<Value>(): Share<Value> {
  const running = new Map<string, Promise<unknown>>()
  const coming = new Map<string, Promise<Value>>()
  const begin = (key: string, work: () => Promise<Value>) => {
    coming.delete(key)
    const started = work().finally(() => {
      if (running.get(key) === started) running.delete(key)
    })
    running.set(key, started)
    return started
  }
  return (key, work) => {
    const before = running.get(key)
    if (before === undefined) return begin(key, work)
    const known = coming.get(key)
    if (known !== undefined) return known
    const next = before.then(
      () => begin(key, work),
      () => begin(key, work),
    )
    coming.set(key, next)
    return next
  }
}

/** Resolves after the event loop has answered what was waiting. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

/** How long one piece of work holds the event loop, in ms. */
const slice = 5

/** Runs work that is made of small steps to its end, with pauses in which requests are answered. */
export async function inSlices<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - began < slice) continue
    await yieldToEventLoop()
    began = performance.now()
  }
}

/** Runs the same without pauses, where nobody waits. */
export function atOnce<Result>(steps: Iterator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Characters of JSON that are worked through in some milliseconds. */
const batchSize = 200_000

/**
 * Texts in batches that take some milliseconds each; requests are answered between two of them.
 * @param most characters of a batch, but for its last text
 */
export async function* inBatches<Item extends { readonly data: string }>(
  items: readonly Item[],
  most = batchSize,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  let size = 0
  for (const item of items) {
    batch.push(item)
    size += item.data.length
    if (size < most) continue
    yield batch
    batch = []
    size = 0
    await yieldToEventLoop()
  }
  if (batch.length > 0) yield batch
}

/** A text; or bytes in steps of some milliseconds, between which other requests have their turn. */
export type Written = string | Iterable<Uint8Array>

/** Gives what was written piece by piece, with turns for others between the steps. */
export function inSteps(written: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>
export function inSteps(written: Written): AsyncGenerator<string | Uint8Array, void, undefined>
export async function* inSteps(written: Written) {
  if (typeof written === 'string') {
    yield written
    return
  }
  for (const piece of written) {
    if (piece.byteLength > 0) yield piece
    await yieldToEventLoop()
  }
}

/** How long an answer of the database counts, in ms: under load it is queried fifty times a second. */
const fresh = 20
/** The age at which the next answer is requested, in ms: under load it is there before this one is old. */
const ageing = 15
/** How long the last version serves while the database does not answer, in ms. */
const bearable = 4000
/** How long callers wait for the database when there is something to serve without it, in ms. */
const patience = 1000

/**
 * The version of what documents are made from, requested by one question at a time. When the database is
 * busy or away, the last answer serves for four seconds more, so that documents bridge a restart of it
 * and yet none is older than five.
 */
export class Versions {
  readonly #load: () => Promise<string>
  readonly #ticks: () => number
  /** The last answer, and when its question was put. */
  #known: { readonly version: string; readonly asked: number } | undefined

  constructor(load: () => Promise<string>, ticks: () => number) {
    this.#load = load
    this.#ticks = ticks
  }

  fresh(): string | undefined {
    const version = this.#youngerThan(fresh)
    if (version !== undefined && this.#youngerThan(ageing) === undefined) {
      // A caller that comes once the version is too old gets the failure.
      this.#begin().catch(() => undefined)
    }
    return version
  }

  /**
   * Queries the database, or joins the query in progress.
   * @throws what the database threw, when the last version is too old to serve
   */
  async ask(): Promise<string> {
    const question = this.#begin()
    if (this.#youngerThan(bearable) === undefined) return await question
    const answer = await Promise.race([
      question.catch(() => undefined),
      pause(patience, undefined, { ref: false }),
    ])
    return answer ?? this.#youngerThan(bearable) ?? (await question)
  }

  readonly #begin = joinRunning(() => this.#put())

  async #put(): Promise<string> {
    const asked = this.#ticks()
    const version = await this.#load()
    this.#known = { version, asked }
    return version
  }

  #youngerThan(milliseconds: number): string | undefined {
    const known = this.#known
    if (known === undefined || this.#ticks() - known.asked >= milliseconds) return undefined
    return known.version
  }
}
