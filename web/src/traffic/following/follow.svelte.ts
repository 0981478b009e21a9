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
export type Following = {
  /** Undefined until they have been read once. */
  readonly events: readonly TrafficEvent[] | undefined
  readonly marks: ReadonlyMap<string, Mark>
  /** What the last answer that brought something new brought. */
  readonly latest: ReadonlyMap<string, Mark>
  /** When the hub was last asked with success. */
  readonly checked: Date | undefined
  readonly pause: Pause | undefined
  readonly failure: Failure | undefined
  readonly check: () => void
}

type Options = { readonly providers: () => readonly string[]; readonly isOn: () => boolean }

/** Asks again and again what the feeds say, as long as somebody can see it. */
export function followFeeds({ providers, isOn }: Options): Following {
  let feeds = $state.raw<ReadonlyMap<string, ReadFeed>>(new Map())
  let isRead = $state(false)
  let marks = $state.raw<ReadonlyMap<string, Mark>>(new Map())
  let latest = $state.raw<ReadonlyMap<string, Mark>>(new Map())
  let checked = $state.raw<Date>()
  let failure = $state.raw<Failure>()
  let isHidden = $state(document.hidden)
  let isOffline = $state(!navigator.onLine)
  let attempt = $state(0)
  // What was read must not become something that the next reading depends on.
  let known: ReadonlyMap<string, ReadFeed> = new Map()

  $effect(() => watchSurroundings((now) => ([isHidden, isOffline] = [now.isHidden, now.isOffline])))

  const pause = $derived(pauseOf({ isOn: isOn(), isHidden, isOffline }))
  $effect(() => {
    void attempt
    const wanted = providers()
    // Once at least, also where nobody wants to follow.
    if (wanted.length === 0 || (pause !== undefined && known.size > 0)) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      const wait = await readAll(wanted, stop.signal).catch((thrown: unknown) => {
        if (isAbort(thrown) || stop.signal.aborted) return undefined
        failure = toFailure(thrown)
        return waitAfter(failure)
      })
      if (wait === undefined || stop.signal.aborted || pause !== undefined) return
      timer = setTimeout(() => void read(), wait)
    }
    void read()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  })

  async function readAll(wanted: readonly string[], signal: AbortSignal): Promise<number> {
    const read = await Promise.all(
      wanted.map(async (slug) => [slug, await readFeed(slug, known.get(slug), signal)] as const),
    )
    take(new Map(read))
    return every
  }

  function take(next: ReadonlyMap<string, ReadFeed>): void {
    const isFirst = !isRead || [...next.keys()].some((slug) => !known.has(slug))
    const changes = isFirst
      ? new Map<string, Mark>()
      : findChanges(eventsOf(known), eventsOf(next), Date.now())
    if (changes.size > 0) {
      latest = changes
      const kept = [...marks].filter(([id]) => !changes.has(id))
      marks = new Map([...kept, ...changes].slice(-mostMarks))
    }
    checked = new Date()
    failure = undefined
    isRead = true
    known = next
    feeds = next
  }

  return {
    get events() {
      return isRead ? eventsOf(feeds) : undefined
    },
    get marks() {
      return marks
    },
    get latest() {
      return latest
    },
    get checked() {
      return checked
    },
    get pause() {
      return pause
    },
    get failure() {
      return failure
    },
    check: () => {
      attempt += 1
    },
  }
}

type Surroundings = { readonly isHidden: boolean; readonly isOffline: boolean }

function pauseOf({ isOn, isHidden, isOffline }: Surroundings & { readonly isOn: boolean }) {
  if (!isOn) return 'off'
  if (isOffline) return 'offline'
  return isHidden ? 'hidden' : undefined
}

function watchSurroundings(tell: (now: Surroundings) => void): () => void {
  const look = () => {
    tell({ isHidden: document.hidden, isOffline: !navigator.onLine })
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
