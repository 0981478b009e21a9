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
  /** Names of feeds; all that the caller may read if there are none. */
  readonly feeds: readonly string[]
  /** Whether it ends when all feeds are up to date. */
  readonly until: 'current' | 'stopped'
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly every: Every
  readonly report: (text: string) => void
}

/** Feeds that are loaded at once, and feeds that wait at the hub for changes. */
const mostLoading = 4
const mostWaiting = 8

/** Milliseconds. */
const oneMinute = 60_000
const searchEvery = 300_000
const shortestWait = 1000

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
 * Copies feeds of a hub, and follows them until the signal, or until they are up to date.
 * @returns how many of the feeds the hub does not have any more
 * @throws Error for what does not pass by itself: no access, an unknown feed, a full disk
 */
export async function runMirror(deps: Deps): Promise<number> {
  const failed = new AbortController()
  const signal = AbortSignal.any([deps.signal, failed.signal])
  const { sleep, random, report, copy, until } = deps
  const patience = createPatience({ sleep, random, signal, report })
  const remote = openRemote({ ...deps, signal, patience })
  const mirror: Mirror = {
    ...{ remote, copy, report, until, signal },
    places: createPlaces({ places: mostWaiting, sleep, signal }),
    load: createLimit({ places: mostLoading }).run,
    rest: () => sleep(shortestWait, signal),
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

/** Does one step, and counts what it brings. */
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

/** Follows the feeds there are, and from time to time searches for new ones. The first failure ends all. */
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

/** @throws Error for a name that the hub does not have */
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
      // The feed of everything has what the others have.
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

/** Reads on until there is nothing more. */
async function untilCurrent(mirror: Mirror, followed: Followed): Promise<Step> {
  let messages = 0
  for (;;) {
    const step = await take(mirror, followed, 'at once')
    messages += step.messages
    if (step.kind !== 'behind') return { kind: step.kind, messages }
  }
}

/** Until the hub does not have the feed any more. */
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
      if (isWaiting && isIdle && performance.now() - began < shortestWait) await rest()
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
 * Feeds that may wait at the hub for changes. The others are polled one after the other; the first one that is polled
 * when a place is free takes it.
 */
type Places = {
  /** @returns whether there was a place */
  readonly enter: () => boolean
  readonly leave: () => void
  /** Whether feeds are polled because they have no place. */
  readonly isScarce: () => boolean
  /** Waits until it is the turn of a feed to be polled. */
  readonly turn: () => Promise<void>
}

/** Milliseconds between two that are polled: a hub has a limit of requests. */
const interval = 250

/** Milliseconds that a feed rests at least before it is polled again. */
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
        // Whoever waits behind a turn that was aborted is aborted, too.
        last.catch(() => undefined)
        await before
      } finally {
        polled -= 1
      }
    },
  }
}
