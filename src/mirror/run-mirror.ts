import { createLimit } from '../async/index.ts'
import type { Every } from '../async/index.ts'
import { nearest } from '../lang/index.ts'
import type { Copy } from './copy.ts'
import { followFeed } from './follow-feed.ts'
import type { FollowDeps, Follower, Step } from './follow-feed.ts'
import { createPatience } from './patience.ts'
import { openRemote } from './remote.ts'
import type { ListedFeed, RemoteDeps } from './remote.ts'

type Deps = Omit<RemoteDeps, 'patience'> & {
  readonly copy: Copy
  /**
   * Names of the feeds to copy. If there are none, all feeds that the caller may read are copied.
   */
  readonly feeds: readonly string[]
  /** When to end: once all feeds are up to date, or only when stopped. */
  readonly until: 'current' | 'stopped'
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly every: Every
  readonly report: (text: string) => void
}

/**
 * Limits on the feeds that load at the same time, and on those that wait at the hub for changes.
 */
const maxLoading = 4
const maxWaiting = 8

/** Intervals in milliseconds. */
const oneMinute = 60_000
const searchEvery = 300_000
const minWait = 1000

type Mirror = FollowDeps & {
  readonly until: Deps['until']
  readonly places: Places
  readonly load: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly rest: () => Promise<void>
  readonly signal: AbortSignal
  readonly counted: { messages: number; readonly feeds: Set<string> }
}

type Followed = { readonly feed: string; readonly follower: Follower }

/**
 * Copies feeds of a hub and follows them until the signal aborts, or until they are up to date.
 * @returns the number of feeds that the hub no longer has
 * @throws Error for a lasting failure: no access, an unknown feed, a full disk
 */
export async function runMirror(deps: Deps): Promise<number> {
  const failed = new AbortController()
  const signal = AbortSignal.any([deps.signal, failed.signal])
  const { sleep, random, report, copy, until } = deps
  const patience = createPatience({ sleep, random, signal, report })
  const remote = openRemote({ ...deps, signal, patience })
  const mirror: Mirror = {
    ...{ remote, copy, report, until, signal },
    places: createPlaces({ places: maxWaiting, sleep, signal }),
    load: createLimit({ places: maxLoading }).run,
    rest: () => sleep(minWait, signal),
    counted: { messages: 0, feeds: new Set() },
  }
  const stop = deps.every(oneMinute, () => reportCounted(mirror))
  try {
    return await followAll(mirror, deps, () => failed.abort())
  } catch (error) {
    if (deps.signal.aborted) return 0
    throw error
  } finally {
    stop()
  }
}

function reportCounted({ counted, report }: Mirror): void {
  const { messages, feeds } = counted
  if (messages > 0) report(`${String(messages)} messages in ${[...feeds].sort().join(', ')}.`)
  counted.messages = 0
  feeds.clear()
}

/** Runs one step and counts its messages. */
async function take(
  { counted }: Mirror,
  { feed, follower }: Followed,
  how: 'wait' | 'at once',
): Promise<Step> {
  const step = await follower.step(how)
  if (step.messages > 0) counted.feeds.add(feed)
  counted.messages += step.messages
  return step
}

/**
 * Follows all current feeds and regularly searches for new ones. The first failure ends all of
 * them.
 */
async function followAll(mirror: Mirror, deps: Deps, halt: () => void): Promise<number> {
  const { feeds: names, sleep, until } = deps
  const isOpen = until === 'stopped' && names.length === 0
  const running = new Map<string, Promise<'missing' | 'ended'>>()
  const failure = Promise.withResolvers<never>()
  const start = (feed: string) => {
    if (running.has(feed)) return
    const following = follow(mirror, feed)
    running.set(feed, following)
    following.then((end) => {
      if (isOpen && end === 'missing') running.delete(feed)
    }, failure.reject)
  }
  const all = async () => {
    for (const feed of chooseFeeds(deps, await mirror.remote.feeds())) start(feed)
    mirror.report(`Copying ${String(running.size)} ${running.size === 1 ? 'feed' : 'feeds'}.`)
    while (isOpen) {
      await sleep(searchEvery, mirror.signal)
      for (const feed of chooseFeeds(deps, await mirror.remote.feeds())) start(feed)
    }
    return Promise.all(running.values())
  }
  try {
    const ends = await Promise.race([all(), failure.promise])
    return ends.filter((end) => end === 'missing').length
  } finally {
    halt()
    await Promise.allSettled(running.values())
  }
}

/**
 * Returns the names of the feeds to follow.
 * @throws Error for a name that the hub does not have
 */
function chooseFeeds(
  { feeds: names, token }: Deps,
  listed: readonly ListedFeed[],
): readonly string[] {
  const known = listed.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, known)
    const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`
    throw new Error(`The hub has no feed ${unknown}. ${hint}`)
  }
  if (names.length > 0) return names
  return (
    listed
      .filter(({ needsToken }) => needsToken !== true || token !== undefined)
      .map(({ name }) => name)
      // The feed `all` repeats the records of all other feeds.
      .filter((name) => name !== 'all')
  )
}

async function follow(mirror: Mirror, feed: string): Promise<'missing' | 'ended'> {
  const { load, report, until } = mirror
  const follower = await followFeed(mirror, feed)
  try {
    const followed = { feed, follower }
    const { kind, messages } = await load(() => untilCurrent(mirror, followed))
    if (kind === 'current') report(`${feed}: up to date after ${String(messages)} messages.`)
    if (kind === 'current' && until === 'current') return 'ended'
    if (kind === 'current') await keepCurrent(mirror, followed)
    report(`${feed}: the hub does not have this feed any more (404); its copy stays as it is.`)
    return 'missing'
  } finally {
    await follower.close()
  }
}

/** Reads a feed until it is up to date or the hub no longer has it. */
async function untilCurrent(mirror: Mirror, followed: Followed): Promise<Step> {
  let messages = 0
  for (;;) {
    const step = await take(mirror, followed, 'at once')
    messages += step.messages
    if (step.kind !== 'behind') return { kind: step.kind, messages }
  }
}

/** Follows a feed until the hub no longer has it. */
async function keepCurrent(mirror: Mirror, followed: Followed): Promise<void> {
  const { places, load, rest } = mirror
  let isWaiting = places.enter()
  try {
    for (;;) {
      const began = performance.now()
      const step = await take(mirror, followed, isWaiting ? 'wait' : 'at once')
      const { kind } =
        step.kind === 'behind' ? await load(() => untilCurrent(mirror, followed)) : step
      if (kind === 'missing') return
      const isIdle = step.kind === 'current' && step.messages === 0
      if (isWaiting && isIdle && performance.now() - began < minWait) await rest()
      if (isWaiting && isIdle && places.isScarce()) {
        places.leave()
        isWaiting = false
      }
      if (isWaiting) continue
      await places.turn()
      isWaiting = places.enter()
    }
  } finally {
    if (isWaiting) places.leave()
  }
}

type PlaceDeps = {
  readonly places: number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Places for feeds to wait at the hub for changes. Feeds without a place are polled one after the
 * other; the first one that is polled when a place is free takes it.
 */
type Places = {
  /**
   * Takes a place.
   * @returns whether one was free
   */
  readonly enter: () => boolean
  readonly leave: () => void
  /** Reports whether feeds are polled because they have no place. */
  readonly isScarce: () => boolean
  /** Waits until it is the feed's turn to be polled. */
  readonly turn: () => Promise<void>
}

/** Milliseconds between two polled feeds, because a hub limits requests. */
const interval = 250

/** Minimum milliseconds before the same feed is polled again. */
const restBetween = 2000

function createPlaces({ places, sleep, signal }: PlaceDeps): Places {
  let [used, polled] = [0, 0]
  let last: Promise<void> = Promise.resolve()
  return {
    enter: () => {
      if (used === places) return false
      used += 1
      return true
    },
    leave: () => {
      used -= 1
    },
    isScarce: () => polled > 0,
    turn: async () => {
      polled += 1
      try {
        await sleep(restBetween, signal)
        const before = last
        last = before.then(() => sleep(interval, signal))
        // An aborted turn also aborts the turns behind it. If there are none, the rejection is
        // ignored.
        last.catch(() => undefined)
        await before
      } finally {
        polled -= 1
      }
    },
  }
}
