import { toFailure } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import { presence, resource } from '../../state/index.ts'
import { findChanges } from '../events/find-changes.ts'
import type { Mark } from '../events/find-changes.ts'
import { readFeed } from './read-feed.ts'
import type { ReadFeed } from './read-feed.ts'

/** Where changes cannot be followed; as long as the hub lets answers be kept. */
const every = 20_000

/** The oldest are forgotten where somebody follows for days. */
const mostMarks = 500

/** Why nobody asks at the moment. */
export type Pause = 'off' | 'hidden' | 'offline'

/** The feeds of some providers as they are now, and what has happened to them since the view was opened. */
export type Seen = {
  /** By the names of their providers; undefined until they have been read once. */
  readonly feeds: Feeds | undefined
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
  ...{ feeds: undefined, marks: new Map(), latest: new Map() },
  ...{ checked: undefined, failure: undefined },
}

/** Asks what the feeds say whenever events change, as long as somebody can see it; once also where it is off. */
export function followFeeds({ providers, isOn }: Options): Following {
  let seen = $state.raw(nothingYet)
  let wait = $state(every)
  // What was read must not become something that the next reading depends on.
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
      // After a failure its time is what counts: no change would tell that the feeds can be read again.
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
  /** Providers whose feed the caller cannot read: nobody asks for it again. */
  readonly closed: readonly string[]
}

/** Reads each feed by itself: one that fails stays as it was. */
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

/** After too many requests, or while the hub is busy, as long as it says. */
function waitAfter(failure: Failure): number {
  return failure.kind === 'tooMany' || failure.kind === 'unavailable'
    ? failure.retryAfter * 1000
    : every
}
