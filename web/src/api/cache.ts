type Entry<Value> = {
  readonly value: Promise<Value>
  readonly stop: AbortController
  /** How many wait for it: when the last of them gives up, the request ends. */
  waiting: number
  isThere: boolean
  /** When it is old, in milliseconds since 1970: timers stand still while a browser freezes the tab. */
  until: number
}

type Load<Value> = (signal: AbortSignal) => Promise<Value>

type Options = {
  /** Milliseconds for which a value is shared after it has come. */
  readonly fresh: number
  /** How many values are kept; the oldest go first. */
  readonly most: number
}

let person = 0

/** What was loaded until now was for another person: no cache has it any more. */
export function forgetPerson(): void {
  person += 1
}

/** Keeps what was loaded by its key, and loads it once for all who request it meanwhile. Failures are not kept. */
export class Cache<Value> {
  readonly #options: Options
  readonly #entries = new Map<string, Entry<Value>>()
  #person = person

  constructor(options: Options) {
    this.#options = options
  }

  /** What is there or on its way, or else what `load` brings. */
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

  /** Loads it for whoever needs it next. */
  expect(key: string, load: Load<Value>): void {
    if (this.#find(key) === undefined) this.#begin(key, load)
  }

  /** Ends what nobody waits for, except what is at these keys. */
  endOthers(keys: ReadonlySet<string>): void {
    for (const [key, entry] of this.#entries) if (!keys.has(key)) this.#endUnlessAwaited(key, entry)
  }

  drop(key: string): void {
    this.#entries.delete(key)
  }

  /** Whoever asks next gets what is true then. */
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

/** Loads something once for all who need it; after a failure the next call tries again. */
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
