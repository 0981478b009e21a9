type Entry<Value> = {
  readonly value: Promise<Value>
  readonly stop: AbortController
  /**
   * Number of callers that wait for the value. When the last one gives up, the request is aborted.
   */
  waiting: number
  isThere: boolean
  /**
   * When the value expires, in milliseconds since 1970. A timer alone would not do, because timers
   * stop while a browser freezes the tab.
   */
  until: number
}

type Load<Value> = (signal: AbortSignal) => Promise<Value>

type Options = {
  /** How long a loaded value is shared, in milliseconds. */
  readonly fresh: number
  /** Maximum number of values; the oldest are dropped first. */
  readonly most: number
}

let person = 0

/** Invalidates all caches, because their values were loaded for another user. */
export function forgetPerson(): void {
  person += 1
}

/**
 * Caches loaded values by key, and loads each only once for concurrent callers. Failures are not
 * cached.
 */
export class Cache<Value> {
  readonly #options: Options
  readonly #entries = new Map<string, Entry<Value>>()
  #person = person

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the value that is cached or being loaded, or calls `load`. */
  async get(key: string, load: Load<Value>, signal?: AbortSignal): Promise<Value> {
    signal?.throwIfAborted()
    const entry = this.#find(key) ?? this.#begin(key, load)
    entry.waiting += 1
    if (signal === undefined) return entry.value
    const gone = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        entry.waiting -= 1
        this.#endUnlessAwaited(key, entry)
        reject(new DOMException('Nobody waits for it', 'AbortError'))
      })
    })
    return Promise.race([entry.value, gone])
  }

  has(key: string): boolean {
    return this.#find(key)?.isThere === true
  }

  /** Loads a value in advance, for the next caller. */
  expect(key: string, load: Load<Value>): void {
    if (this.#find(key) === undefined) this.#begin(key, load)
  }

  /** Aborts requests that no caller waits for, except those of the given keys. */
  endOthers(keys: ReadonlySet<string>): void {
    for (const [key, entry] of this.#entries) if (!keys.has(key)) this.#endUnlessAwaited(key, entry)
  }

  drop(key: string): void {
    this.#entries.delete(key)
  }

  /** Drops all values, so that the next caller loads the current state. */
  forget(): void {
    this.endOthers(new Set())
    this.#entries.clear()
  }

  #find(key: string): Entry<Value> | undefined {
    if (this.#person !== person) this.forget()
    this.#person = person
    const entry = this.#entries.get(key)
    return entry === undefined || entry.until > Date.now() ? entry : undefined
  }

  #begin(key: string, load: Load<Value>): Entry<Value> {
    const stop = new AbortController()
    const about = { stop, waiting: 0, isThere: false, until: Number.POSITIVE_INFINITY }
    const entry: Entry<Value> = { value: load(stop.signal), ...about }
    this.#entries.set(key, entry)
    const { fresh, most } = this.#options
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > most && oldest !== undefined) this.#entries.delete(oldest)
    const drop = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    entry.value.then(() => {
      entry.isThere = true
      entry.until = Date.now() + fresh
      if (Number.isFinite(fresh)) setTimeout(drop, fresh)
    }, drop)
    return entry
  }

  #endUnlessAwaited(key: string, entry: Entry<Value>): void {
    if (entry.waiting > 0 || entry.isThere) return
    entry.stop.abort()
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }
}

/**
 * Wraps a loader so that all callers share one load. After a failure, the next call tries again.
 */
export function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined
  return () => {
    known ??= load().catch((thrown: unknown) => {
      known = undefined
      throw thrown
    })
    return known
  }
}
