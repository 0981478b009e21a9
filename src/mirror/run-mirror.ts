import { createLimit } from '../async/index.ts'
import { nearest } from '../lang/index.ts'
import type { Copy } from './copy.ts'
import { followFeed } from './follow-feed.ts'
import type { FollowDeps, Follower, Step } from './follow-feed.ts'
import { createPatience } from './patience.ts'
import { createPlaces } from './places.ts'
import type { Places } from './places.ts'
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
  readonly every: (milliseconds: number, work: () => void) => () => void
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
  readonly counted: { changes: number; feeds: Set<string> }
}

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
    counted: { changes: 0, feeds: new Set() },
  }
  const stop = deps.every(oneMinute, () => reportChanges(mirror))
  try {
    return await followAll(mirror, deps, () => failed.abort())
  } catch (error) {
    if (deps.signal.aborted) return 0
    throw error
  } finally {
    stop()
    reportChanges(mirror)
  }
}

function reportChanges({ counted, report }: Mirror): void {
  const { changes, feeds } = counted
  if (changes > 0) report(`${String(changes)} changes in ${[...feeds].sort().join(', ')}.`)
  counted.changes = 0
  feeds.clear()
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
    mirror.report(`Copying ${String(running.size)} feeds.`)
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
  return listed
    .filter(({ needsToken }) => needsToken !== true || token !== undefined)
    .map(({ name }) => name)
}

async function follow(mirror: Mirror, feed: string): Promise<'missing' | 'ended'> {
  const follower = await followFeed(mirror, feed)
  try {
    const first = await mirror.load(() => untilCurrent(follower, { kind: 'behind', messages: 0 }))
    if (first.kind === 'missing') return reportMissing(mirror, feed)
    mirror.report(`${feed}: up to date after ${String(first.messages)} messages.`)
    if (mirror.until === 'current') return 'ended'
    return await keepCurrent(mirror, feed, follower)
  } finally {
    await follower.close()
  }
}

function reportMissing({ report }: Mirror, feed: string): 'missing' {
  report(`${feed}: the hub does not have this feed any more (404); its copy stays as it is.`)
  return 'missing'
}

/** Reads on until there is nothing more. */
async function untilCurrent(follower: Follower, before: Step): Promise<Step> {
  let { kind, messages } = before
  while (kind === 'behind') {
    const step = await follower.step('at once')
    kind = step.kind
    messages += step.messages
  }
  return { kind, messages }
}

async function keepCurrent(mirror: Mirror, feed: string, follower: Follower): Promise<'missing'> {
  const { places, load, rest, counted } = mirror
  let isWaiting = places.enter()
  try {
    for (;;) {
      const began = performance.now()
      let step = await follower.step(isWaiting ? 'wait' : 'at once')
      const before = step
      if (step.kind === 'behind') step = await load(() => untilCurrent(follower, before))
      if (step.kind === 'missing') return reportMissing(mirror, feed)
      if (step.messages > 0) counted.feeds.add(feed)
      counted.changes += step.messages
      if (isWaiting && step.messages === 0) {
        if (performance.now() - began < shortestWait) await rest()
        if (places.isScarce()) {
          places.leave()
          isWaiting = false
        }
      }
      if (isWaiting) continue
      await places.turn()
      isWaiting = places.enter()
    }
  } finally {
    if (isWaiting) places.leave()
  }
}
