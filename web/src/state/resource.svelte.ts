import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { RequestFailure, forgetAnswers, isAbort, toFailure } from '../api/index.ts'
import type { Failure } from '../api/index.ts'
import { session } from '../login/index.ts'
import { watchFeeds } from './watch-feed.ts'

/** What is known of something that has to be requested. */
export type ResourceState<Data> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | ({ readonly kind: 'there' } & Shown<Data>)

type Shown<Data> = { readonly data: Data; readonly isEmpty: boolean }

export type Resource<Data> = {
  readonly state: ResourceState<Data>
  /** What is there, or was there before. */
  readonly data: Data | undefined
  /** The same with whether it is empty: it stays while newer data is on its way, or failed. */
  readonly shown: Shown<Data> | undefined
  /** Asks again. */
  readonly reload: () => void
}

/** Undefined where there is nothing to request yet, such as for whoever is not logged in: that stays `loading`. */
type Load<Data> = (signal: AbortSignal) => Promise<Data> | undefined

type Options<Data> = {
  /** Whether there is nothing to show, though all went well. */
  readonly isEmpty?: (data: Data) => boolean
  /**
   * What the data are of. While it stays the same a newer request is a renewal: it is not shown or said, and
   * what is there stands as it is until the newer comes, or fails.
   */
  readonly subject?: () => unknown
  /** Milliseconds after which it is requested again, as long as somebody sees the page and it is online. */
  readonly every?: () => number | undefined
  /** The change feed that reports when it is requested again, instead of that time, as long as it can be followed. */
  readonly feed?: () => string | undefined
}

/**
 * Loads something as long as the component is there, and again whenever what it was asked by changes:
 * everything reactive that `load` reads before its first `await`, and whether anybody is logged in. An older
 * request ends when a newer one begins. Show it with `<Resource of={…}>`.
 */
export function resource<Data>(
  load: Load<Data>,
  { isEmpty = () => false, subject, every, feed }: Options<Data> = {},
): Resource<Data> {
  let state = $state.raw<ResourceState<Data>>({ kind: 'loading' })
  let shown = $state.raw<Shown<Data>>()
  const asking = askAgain(every === undefined ? load : (signal) => inTime(load, signal))
  let wasIn = untrack(() => session.isIn)
  let shownOf: unknown
  $effect(() => {
    // Who logs in or out sees other data; a renewed token is the same person's.
    if (wasIn !== session.isIn) shown = undefined
    wasIn = session.isIn
    const of = subject?.()
    if (of === undefined || of !== shownOf || untrack(() => shown) === undefined)
      state = { kind: 'loading' }
    return begin(asking.load, isEmpty, (next) => {
      state = next
      if (next.kind === 'there') [shown, shownOf] = [next, of]
    })
  })
  const reload = () => {
    forgetAnswers()
    asking.again()
  }
  if (every !== undefined) repeatWhileSeen({ every, feed }, () => state, asking)
  return {
    get state() {
      return state
    },
    get data() {
      return shown?.data
    },
    get shown() {
      return shown
    },
    reload,
  }
}

/** The same with `again`: what calls it in an effect is called anew. */
function askAgain<Data>(load: Load<Data>) {
  let attempt = $state(0)
  let running = 0
  return {
    load: (signal: AbortSignal) => {
      void attempt
      const answer = load(signal)
      if (answer !== undefined) running += 1
      return answer?.finally(() => (running -= 1))
    },
    isRunning: () => running > 0,
    again: () => {
      attempt += 1
    },
  }
}

/** In milliseconds. */
const longest = 30_000

/** Fails as without a connection where it takes too long: what was requested before a computer slept may hang. */
function inTime<Data>(load: Load<Data>, signal: AbortSignal): Promise<Data> | undefined {
  const stop = new AbortController()
  const answer = load(stop.signal)
  if (answer === undefined) return undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<never>((_, reject) => {
    const give = (why: Error) => {
      reject(why)
      stop.abort()
    }
    timer = setTimeout(give, longest, new RequestFailure({ kind: 'offline' }))
    signal.addEventListener('abort', () => {
      give(new DOMException('Nobody waits for it', 'AbortError'))
    })
  })
  return Promise.race([answer, end]).finally(() => {
    clearTimeout(timer)
  })
}

/** Milliseconds between two requests, however often a feed reports changes. */
const shortest = 6000

type Repetition = {
  readonly every: () => number | undefined
  readonly feed: Options<unknown>['feed']
}

/**
 * Does it when the feed reports a change, or else so many milliseconds after the last answer; or as soon as
 * somebody can see it then.
 */
function repeatWhileSeen(
  { every, feed }: Repetition,
  state: () => ResourceState<unknown>,
  asking: Pick<ReturnType<typeof askAgain>, 'isRunning' | 'again'>,
): void {
  let last: ResourceState<unknown> | undefined
  let since = 0
  const waitFor = watchFeeds()
  $effect(() => {
    const [pause, now, name] = [every(), state(), feed?.()]
    if (now !== last) since = performance.now()
    last = now
    if (pause === undefined || now.kind === 'loading') return
    if (presence.isHidden || presence.isOffline) return
    // What is on its way already is waited for.
    const again = () => {
      if (!asking.isRunning()) asking.again()
    }
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const repeatAfter = (wait: number) => {
      if (stop.signal.aborted) return
      timer = setTimeout(again, Math.max(0, since + wait - performance.now()))
    }
    void waitFor(name, stop.signal).then(
      (isChanged) => repeatAfter(isChanged ? shortest : pause),
      () => repeatAfter(pause),
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  })
}

/** @returns what ends it: then nothing is heard of it any more */
function begin<Data>(
  load: Load<Data>,
  isEmpty: (data: Data) => boolean,
  hear: (next: Exclude<ResourceState<Data>, { readonly kind: 'loading' }>) => void,
) {
  const stop = new AbortController()
  load(stop.signal)?.then(
    (data) => {
      if (!stop.signal.aborted) hear({ kind: 'there', data, isEmpty: isEmpty(data) })
    },
    (thrown: unknown) => {
      if (stop.signal.aborted || isAbort(thrown)) return
      hear({ kind: 'failed', failure: toFailure(thrown) })
      // A fault of the page itself, which developers want to see.
      if (!(thrown instanceof RequestFailure)) console.error(thrown)
    },
  )
  return () => {
    stop.abort()
  }
}

const subscribe = createSubscriber((update) => {
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('visibilitychange', update, { signal })
  for (const kind of ['online', 'offline']) window.addEventListener(kind, update, { signal })
  return () => {
    stop.abort()
  }
})

/** Whether anybody sees the page, and whether the browser is online; whoever reads it hears of changes. */
export const presence = {
  get isHidden(): boolean {
    subscribe()
    return document.hidden
  },
  get isOffline(): boolean {
    subscribe()
    return !navigator.onLine
  },
}
