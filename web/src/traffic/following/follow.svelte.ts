import { toFailure } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import { presence, resource } from '../../state/index.ts'
import { findChanges } from '../events/find-changes.ts'
import type { Mark } from '../events/find-changes.ts'
import { readFeed } from './read-feed.ts'
import type { ReadFeed } from './read-feed.ts'

/**
 * Polling interval in milliseconds if change feeds are not available: the time for which the hub
 * allows caching.
 */
const every = 20_000

/** Maximum number of marks. The oldest are dropped when a page follows for days. */
const mostMarks = 500

/** Why polling is paused. */
export type Pause = 'off' | 'hidden' | 'offline'

/** The current feeds of some providers, and what has changed since the view was opened. */
export type Seen = {
  /** Feeds by provider; undefined until they have been read once. */
  readonly feeds: Feeds | undefined
  readonly marks: ReadonlyMap<string, Mark>
  /** The changes of the last response that contained any. */
  readonly latest: ReadonlyMap<string, Mark>
  /** Time of the last successful check. */
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
  ...{ feeds: undefined, marks: new Map(), latest: new Map() },
  ...{ checked: undefined, failure: undefined },
}

/**
 * Reads the feeds whenever events change, while the page is visible. If following is off, it reads
 * them once.
 */
export function followFeeds({ providers, isOn }: Options): Following {
  let seen = $state.raw(nothingYet)
  let wait = $state(every)
  // Not reactive, so that the next reading does not depend on the previous one.
  let known: Feeds = new Map()
  let closed: readonly string[] = []
  const feeds = resource(
    async (signal) => {
      const open = providers().filter((slug) => !closed.includes(slug))
      const read = await readAll(open, known, signal)
      if (signal.aborted) return
      closed = [...closed, ...read.closed]
      seen = seeAgain(seen, { known, next: read.feeds, failures: read.failures })
      known = read.feeds
      wait = Math.max(every, ...read.failures.map(waitAfter))
    },
    {
      every: () => (isOn() ? wait : undefined),
      // After a failure the interval applies, because no change event would report that the feeds
      // are readable again.
      feed: () => (seen.failure === undefined ? 'Announcement' : undefined),
    },
  )
  return {
    get seen() {
      return seen
    },
    get pause() {
      if (!isOn()) return 'off'
      if (presence.isOffline) return 'offline'
      return presence.isHidden ? 'hidden' : undefined
    },
    check: () => {
      closed = []
      feeds.reload()
    },
  }
}

type Reading = {
  readonly feeds: Feeds
  readonly failures: readonly Failure[]
  /** Providers whose feed the caller may not read; it is not requested again. */
  readonly closed: readonly string[]
}

/** Reads each feed separately. One that fails keeps its previous state. */
async function readAll(
  providers: readonly string[],
  known: Feeds,
  signal: AbortSignal,
): Promise<Reading> {
  const read = providers.map(async (slug) => {
    try {
      return { slug, feed: await readFeed(slug, known.get(slug), signal) }
    } catch (thrown) {
      return { slug, feed: known.get(slug), failure: toFailure(thrown) }
    }
  })
  const all = await Promise.all(read)
  const isClosed = ({ failure }: (typeof all)[number]) => failure?.kind === 'notFound'
  const open = all.filter((one) => !isClosed(one))
  return {
    feeds: new Map(open.flatMap(({ slug, feed }) => (feed === undefined ? [] : [[slug, feed]]))),
    failures: open.flatMap(({ failure }) => failure ?? []),
    closed: all.filter(isClosed).map(({ slug }) => slug),
  }
}

type Readings = {
  readonly known: Feeds
  readonly next: Feeds
  readonly failures: readonly Failure[]
}

function seeAgain(seen: Seen, { known, next, failures: [failure] }: Readings): Seen {
  const isFirst = seen.feeds === undefined || [...next.keys()].some((slug) => !known.has(slug))
  const before = [...known].filter(([slug]) => next.has(slug)).flatMap(([, { events }]) => events)
  const after = [...next.values()].flatMap(({ events }) => events)
  const changes = isFirst ? new Map<string, Mark>() : findChanges(before, after, Date.now())
  const checked = failure === undefined || next.size > 0 ? new Date() : seen.checked
  const now = { ...seen, feeds: next, checked, failure }
  if (changes.size === 0) return now
  const kept = [...seen.marks].filter(([id]) => !changes.has(id))
  return { ...now, latest: changes, marks: new Map([...kept, ...changes].slice(-mostMarks)) }
}

/**
 * Returns the time until the next attempt. After too many requests, or while the hub is busy, the
 * hub determines it.
 */
function waitAfter(failure: Failure): number {
  return failure.kind === 'tooMany' || failure.kind === 'unavailable'
    ? failure.retryAfter * 1000
    : every
}
