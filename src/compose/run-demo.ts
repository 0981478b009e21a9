import type { Config } from '../config/index.ts'
import { toNaming } from '../content/index.ts'
import { planRegion } from '../demo/index.ts'
import type { Region } from '../demo/index.ts'
import type { Log } from '../storage/index.ts'
import type { Hub } from './compose-hub.ts'
import {
  loadExamples,
  loadMoments,
  loadRegion,
  reachedUntil,
  rememberReached,
} from './load-demo.ts'
import type { Surroundings } from './surroundings.ts'

export type DemoOptions = { readonly seed: number; readonly scale: number }

type Deps = {
  readonly hub: Pick<Hub, 'store' | 'publicUrl'>
  readonly config: Pick<Config, 'HUB_PREFIX'>
  readonly surroundings: Pick<Surroundings, 'now' | 'every'> & { readonly log: Log }
  /** Draws the progress of one phase. */
  readonly progress: (phase: string) => {
    readonly update: (done: number, total: number) => void
    readonly stop: () => void
  }
}

/** The demo's region: what is there before the hub opens, its history, and its life from then on. */
export type Demo = {
  /** Loads what has to be there before the hub opens, unless an earlier start has. */
  readonly loadPresent: () => Promise<Loaded>
  /** Loads the history, unless an earlier start has; the hub answers meanwhile. */
  readonly loadHistory: () => Promise<Loaded>
  /** Catches up with what happened while the hub was off, then goes on minute by minute. */
  readonly live: () => void
  /** Ends what is going on; a later start goes on from there. */
  readonly stop: () => Promise<void>
}

/** Whether all is there, or `stop` was called before. */
export type Loaded = 'complete' | 'stopped'

const oneMinute = 60_000

/** Longer gaps stay gaps: a month of missed values would take its time. */
const longestGap = 86_400_000

export async function planDemo(deps: Deps, { seed, scale }: DemoOptions): Promise<Demo> {
  const { hub, config, surroundings } = deps
  const { store, publicUrl } = hub
  const name = `seed ${String(seed)}, scale ${String(scale)}`
  const until = (await reachedUntil(store, 'present', name)) ?? surroundings.now()
  const plan = { seed, scale, until, naming: toNaming(config.HUB_PREFIX), publicUrl }
  const stopping = new AbortController()
  const { signal } = stopping
  const loading = { store, now: surroundings.now, signal }
  const load = async (part: 'present' | 'history', title: string) => {
    if ((await reachedUntil(store, part, name)) !== undefined) return
    const { update, stop } = deps.progress(title)
    await loadRegion({ part, plan }, { ...loading, onProgress: update }).finally(stop)
    await rememberReached(store, part, { region: name, until })
  }
  const life = startLife({ region: planRegion(plan), name, until, loading, surroundings })
  return {
    loadPresent: () => orStopped(load('present', 'Region '), signal),
    loadHistory: () => orStopped(load('history', 'History'), signal),
    live: life.start,
    stop: () => {
      stopping.abort()
      return life.stop()
    },
  }
}

/** Instead of the region: one example of each kind of data. */
export async function showExamples({ hub, config, surroundings }: Omit<Deps, 'progress'>) {
  const { signal } = new AbortController()
  await loadExamples(toNaming(config.HUB_PREFIX), { ...surroundings, store: hub.store, signal })
}

/** To be stopped is no failure: the next start begins again, and what is there stays as it is. */
async function orStopped(load: Promise<void>, signal: AbortSignal): Promise<Loaded> {
  try {
    await load
    return 'complete'
  } catch (error) {
    if (signal.aborted) return 'stopped'
    throw error
  }
}

type Life = {
  readonly region: Region
  readonly name: string
  readonly until: Date
  readonly loading: Parameters<typeof loadMoments>[2]
  readonly surroundings: Deps['surroundings']
}

function startLife({ region, name, until, loading, surroundings: { every, log, now } }: Life) {
  let pending = Promise.resolve()
  let stop = (): void => undefined
  const liveOn = async () => {
    const reached = (await reachedUntil(loading.store, 'life', name)) ?? until
    const from = new Date(Math.max(reached.getTime(), now().getTime() - longestGap))
    const to = now()
    await loadMoments(region, { from, to }, loading)
    await rememberReached(loading.store, 'life', { region: name, until: to })
  }
  const goOn = () => {
    pending = pending.then(liveOn).catch((err: unknown) => {
      if (!loading.signal.aborted) log.error({ err }, 'The demo could not go on living.')
    })
  }
  return {
    start: () => {
      goOn()
      const end = every(oneMinute, goOn)
      stop = () => {
        end()
      }
    },
    stop: async () => {
      stop()
      await pending
    },
  }
}
