// Helpers for concurrent work: limits, deadlines, shared runs, and pauses for the event loop.
import { setImmediate, setTimeout as pause } from 'node:timers/promises'

type Options = {
  /** Capacity: the number of jobs that run at once, or the total of their weights. */
  readonly places: number
  /** Maximum number of waiting jobs. Further ones are refused. */
  readonly maxWaiting?: number
  /** Maximum waiting time in milliseconds. */
  readonly patience?: number
  /** Makes the error for a job that found the queue full or waited too long. */
  readonly refuse?: () => Error
}

/** Limits how much runs at once, first come, first served. */
export type Limit = {
  /**
   * Waits to be let in. A job that weighs more than the whole capacity runs alone.
   * @returns a function that leaves again; further calls have no effect
   * @throws the error made by `refuse`
   */
  readonly enter: (options?: {
    readonly weight?: number
    readonly refuse?: () => Error
  }) => Promise<() => void>
  /** Runs work as soon as it is let in. @throws the error made by `refuse`, or that of the work */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly waiting: () => number
  /** Refuses all jobs that are waiting now. Later ones may wait again. */
  readonly refuseAll: (refuse: () => Error) => void
}

type Waiting = {
  readonly weight: number
  readonly letIn: () => void
  readonly refuse: (error: Error) => void
}

const tooMany = () => new Error('Too many tasks are waiting')

export function createLimit(options: Options): Limit {
  const { maxWaiting = Infinity, refuse: usual = tooMany } = options
  const queue = createQueue(options)
  const enter: Limit['enter'] = async ({ weight = 1, refuse = usual } = {}) => {
    if (queue.isFree(weight)) return queue.occupy(weight)
    if (queue.waiting.size >= maxWaiting) throw refuse()
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
      // The next in the queue may weigh less.
      letInNext()
    }, patience)
    return promise.finally(() => clearTimeout(timer))
  }
  return { waiting, isFree: (weight: number) => waiting.size === 0 && fits(weight), occupy, wait }
}

/** Returns the result of `work`, or rejects with `late()` after the time limit. */
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
 * Waits for work that cannot be cancelled, but no longer than until the signal aborts.
 * @throws an error whose cause is the reason of the signal
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

/** Wraps work so that callers who request it while it runs join that run. */
export function joinRunning<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
}

/**
 * Runs work at a fixed interval and skips a turn while the previous one is still running, so that
 * slow work does not pile up. The work must handle its own errors. Does not keep the process alive.
 * @returns a function that stops it
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

/** Runs work once for all callers with the same key while it is running. Caches nothing. */
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
 * Runs work once for all callers that wait for it to start. A caller never shares work that started
 * before it called, because that may have read old data.
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

/** Resolves after the event loop has processed pending events. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

/** Longest time that one piece of work holds the event loop, in ms. */
const slice = 5

/** Runs work that consists of small steps to its end, with pauses in which requests are handled. */
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

/** Runs all steps without pauses, for when no requests are waiting. */
export function atOnce<Result>(steps: Iterator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Characters of JSON that can be processed within a few milliseconds. */
const batchSize = 200_000

/**
 * Yields texts in batches that take a few milliseconds each. Requests are handled between batches.
 * @param most characters of a batch, not counting its last text
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

/** A text, or bytes in steps of a few milliseconds, between which other requests are handled. */
export type Written = string | Iterable<Uint8Array>

/** Yields output piece by piece, with a pause for other requests after each step. */
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

/** How long a version is used, in ms. Under load the database is queried fifty times a second. */
const fresh = 20
/**
 * Age in ms at which the next version is loaded. Under load it is ready before this one expires.
 */
const ageing = 15
/** How long the last version is used while the database does not respond, in ms. */
const bearable = 4000
/** How long callers wait for the database if an older version is available, in ms. */
const patience = 1000

/**
 * Version of the data that documents are made from, loaded by one query at a time. While the
 * database is busy or down, the last version is used for four more seconds, so that documents
 * survive a restart of it and yet none is older than five.
 */
export class Versions {
  readonly #load: () => Promise<string>
  readonly #ticks: () => number
  /** The last version, and when it was requested. */
  #known: { readonly version: string; readonly asked: number } | undefined

  constructor(load: () => Promise<string>, ticks: () => number) {
    this.#load = load
    this.#ticks = ticks
  }

  fresh(): string | undefined {
    const version = this.#youngerThan(fresh)
    if (version !== undefined && this.#youngerThan(ageing) === undefined) {
      // A caller that arrives once the version is too old gets the error.
      this.#begin().catch(() => undefined)
    }
    return version
  }

  /**
   * Queries the database, or joins the query in progress.
   * @throws the error of the database, if the last version is too old to use
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
