import { isAbort, toFailure } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import type { TrafficEvent } from '../events/event.ts'
import { findChanges } from '../events/find-changes.ts'
import type { Mark } from '../events/find-changes.ts'
import { readFeed } from './read-feed.ts'
import type { ReadFeed } from './read-feed.ts'

/** As long as the hub lets answers be kept. */
const every = 20_000

/** The oldest are forgotten where somebody follows for days. */
const mostMarks = 500

/** Why nobody asks at the moment. */
export type Pause = 'off' | 'hidden' | 'offline'

/** The feeds of some providers as they are now, and what has happened to them since the view was opened. */
export type Seen = {
  /** Undefined until they have been read once. */
  readonly events: readonly TrafficEvent[] | undefined
  readonly marks: ReadonlyMap<string, Mark>
  /** What the last answer that brought something new brought. */
  readonly latest: ReadonlyMap<string, Mark>
  /** When the hub was last asked with success. */
  readonly checked: Date | undefined
  readonly failure: Failure | undefined
}

export type Following = {
  readonly seen: Seen
  readonly pause: Pause | undefined
  readonly check: () => void
}

type Feeds = ReadonlyMap<string, ReadFeed>
type Options = { readonly providers: () => readonly string[]; readonly isOn: () => boolean }

const nothingYet: Seen = {
  ...{ events: undefined, marks: new Map(), latest: new Map() },
  ...{ checked: undefined, failure: undefined },
}

/** Asks again and again what the feeds say, as long as somebody can see it. */
export function followFeeds({ providers, isOn }: Options): Following {
  let seen = $state.raw(nothingYet)
  let surroundings = $state.raw(lookAround())
  let attempt = $state(0)
  // What was read must not become something that the next reading depends on.
  let known: Feeds = new Map()
  $effect(() => watchSurroundings((now) => (surroundings = now)))
  const pause = $derived(pauseOf({ isOn: isOn(), ...surroundings }))
  const look = async (wanted: readonly string[], signal: AbortSignal) => {
    try {
      const next = await readAll(wanted, known, signal)
      seen = seeAgain(seen, known, next)
      known = next
      return every
    } catch (thrown) {
      if (isAbort(thrown) || signal.aborted) return undefined
      seen = { ...seen, failure: toFailure(thrown) }
      return waitAfter(toFailure(thrown))
    }
  }
  $effect(() => {
    void attempt
    const wanted = providers()
    // Once at least, also where nobody wants to follow.
    if (wanted.length === 0 || (pause !== undefined && known.size > 0)) return
    return repeat(async (signal) => {
      const wait = await look(wanted, signal)
      return pause === undefined ? wait : undefined
    })
  })
  return {
    get seen() {
      return seen
    },
    get pause() {
      return pause
    },
    check: () => {
      attempt += 1
    },
  }
}

/**
 * Works at once, and again after as many milliseconds as the work says.
 * @returns ends it
 */
function repeat(work: (signal: AbortSignal) => Promise<number | undefined>): () => void {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const once = async () => {
    const wait = await work(stop.signal)
    if (wait !== undefined && !stop.signal.aborted) timer = setTimeout(() => void once(), wait)
  }
  void once()
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}

async function readAll(
  wanted: readonly string[],
  known: Feeds,
  signal: AbortSignal,
): Promise<Feeds> {
  const read = wanted.map(
    async (slug) => [slug, await readFeed(slug, known.get(slug), signal)] as const,
  )
  return new Map(await Promise.all(read))
}

function seeAgain(seen: Seen, known: Feeds, next: Feeds): Seen {
  const isFirst = seen.events === undefined || [...next.keys()].some((slug) => !known.has(slug))
  const events = eventsOf(next)
  const changes = isFirst
    ? new Map<string, Mark>()
    : findChanges(eventsOf(known), events, Date.now())
  const now = { ...seen, events, checked: new Date(), failure: undefined }
  if (changes.size === 0) return now
  const kept = [...seen.marks].filter(([id]) => !changes.has(id))
  return { ...now, latest: changes, marks: new Map([...kept, ...changes].slice(-mostMarks)) }
}

type Surroundings = { readonly isHidden: boolean; readonly isOffline: boolean }

function pauseOf({ isOn, isHidden, isOffline }: Surroundings & { readonly isOn: boolean }) {
  if (!isOn) return 'off'
  if (isOffline) return 'offline'
  return isHidden ? 'hidden' : undefined
}

const lookAround = (): Surroundings => ({ isHidden: document.hidden, isOffline: !navigator.onLine })

function watchSurroundings(tell: (now: Surroundings) => void): () => void {
  const look = () => {
    tell(lookAround())
  }
  const stop = new AbortController()
  document.addEventListener('visibilitychange', look, { signal: stop.signal })
  for (const kind of ['online', 'offline'])
    window.addEventListener(kind, look, { signal: stop.signal })
  return () => {
    stop.abort()
  }
}

function eventsOf(feeds: ReadonlyMap<string, ReadFeed>): readonly TrafficEvent[] {
  return [...feeds.values()].flatMap(({ events }) => events)
}

/** After too many requests, or while the hub is busy, as long as it says; else the usual while. */
function waitAfter(failure: Failure): number | undefined {
  if (failure.kind === 'tooMany' || failure.kind === 'unavailable') {
    return Math.max(every, failure.retryAfter * 1000)
  }
  return failure.kind === 'offline' || failure.kind === 'broken' ? every : undefined
}
