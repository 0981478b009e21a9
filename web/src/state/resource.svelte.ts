import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { RequestFailure, forgetAnswers, isAbort, toFailure } from '../api/index.ts'
import type { Failure } from '../api/index.ts'
import { session } from '../login/index.ts'
import { watchFeeds } from './watch-feed.ts'

/** State of something that has to be requested. */
export type ResourceState<Data> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | ({ readonly kind: 'there' } & Shown<Data>)

type Shown<Data> = { readonly data: Data; readonly isEmpty: boolean }

export type Resource<Data> = {
  readonly state: ResourceState<Data>
  /** The current data, or the previous data while a newer request is running or has failed. */
  readonly data: Data | undefined
  /** The same data, with whether it is empty. */
  readonly shown: Shown<Data> | undefined
  /** Sends the request again. */
  readonly reload: () => void
}

/**
 * Returns undefined if there is nothing to request yet, such as for users who are not logged in;
 * the state remains `loading`.
 */
type Load<Data> = (signal: AbortSignal) => Promise<Data> | undefined

type Options<Data> = {
  /** Reports whether a successful response contains nothing to show. */
  readonly isEmpty?: (data: Data) => boolean
  /**
   * Identifies what the data is about. A request for the same subject is a refresh: it does not
   * show a loading state, and the existing data stays until the new data arrives or fails.
   */
  readonly subject?: () => unknown
  /** Milliseconds after which the request is repeated, while the page is visible and online. */
  readonly every?: () => number | undefined
  /**
   * Name of a change feed. While it can be followed, its changes trigger the request instead of
   * `every`.
   */
  readonly feed?: () => string | undefined
}

/**
 * Loads something for the lifetime of the component, and again whenever its input changes:
 * everything reactive that `load` reads before its first `await`, and whether a user is logged in.
 * A newer request aborts an older one. Show it with `<Resource of={…}>`.
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
    // Logging in or out changes the visible data; a renewed token does not.
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

/** Wraps a loader so that `again` reruns the effect that calls it. */
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

/** Timeout of a request, in milliseconds. */
const longest = 30_000

/**
 * Adds a timeout that counts as offline, because requests from before a computer went to sleep may
 * hang.
 */
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

/** Minimum time between two requests in milliseconds, however often a feed reports changes. */
const shortest = 6000

type Repetition = {
  readonly every: () => number | undefined
  readonly feed: Options<unknown>['feed']
}

/**
 * Repeats a request when the feed reports a change, or else after the interval. If the page is
 * hidden or offline then, it waits until that ends.
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
    // A running request is not started again.
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

/**
 * Starts a load and reports its result.
 * @returns a function that aborts it, after which nothing is reported
 */
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
      // A bug of the page itself, which developers want to see.
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

/**
 * Whether the page is hidden, and whether the browser is offline. Readers are notified of changes.
 */
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
