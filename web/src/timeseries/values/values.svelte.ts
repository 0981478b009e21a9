import { untrack } from 'svelte'
import { Cache, readJson } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import { resource } from '../../state/index.ts'
import { planOf } from './plan.ts'
import type { Step, Wish } from './plan.ts'
import type { Resolution } from './resolution.ts'
import { toSamples } from './samples.ts'
import type { Samples, ValueRow } from './samples.ts'

/** Values and resolution of each series in the chart. */
export type Shown = {
  readonly samples: ReadonlyMap<string, Samples>
  readonly resolutions: ReadonlyMap<string, Resolution>
}

/** `shown` is the current data, or the previous data until all of the new data has arrived. */
type Outcome = {
  readonly shown: Shown | undefined
  readonly isLoading: boolean
  readonly failure: Failure | undefined
}

export type Values = {
  readonly outcome: Outcome
  readonly steps: readonly Step[]
  readonly reload: () => void
  /** Requests values again that may have been extended. */
  readonly renew: () => void
}

/** Delay in milliseconds, so that nothing is requested while the window is moving. */
const pause = 160

/**
 * Loads the values in the window for the lifetime of the component, and caches earlier responses.
 */
export function loadValues(wish: () => Wish | undefined): Values {
  const kept = new Cache<ReadonlyMap<string, Samples>>({
    fresh: Number.POSITIVE_INFINITY,
    most: 60,
  })
  const steps = $derived.by(() => {
    const wanted = wish()
    return wanted === undefined ? undefined : planOf(wanted)
  })
  // Small moves of the window lead to the same URL, which needs no new request.
  const key = $derived(steps?.map(keyOf).join())
  const loaded = resource(async (signal): Promise<Shown | undefined> => {
    void key
    const wanted = untrack(() => steps)
    // The current data stays until the next request is known.
    if (wanted === undefined) return untrack(() => loaded.data)
    const isQuick = untrack(() => loaded.data) === undefined
    if (!isQuick && !wanted.every((step) => kept.has(keyOf(step)))) await sleep(pause, signal)
    const load = (step: Step) => kept.get(keyOf(step), (stop) => loadStep(step, stop), signal)
    return toShown(wanted, await Promise.all(wanted.map(load)))
  })
  return {
    get outcome() {
      const { state, data } = loaded
      return {
        shown: data,
        isLoading: steps === undefined || state.kind === 'loading',
        failure: state.kind === 'failed' ? state.failure : undefined,
      }
    },
    get steps() {
      return steps ?? []
    },
    reload: loaded.reload,
    renew: () => {
      for (const step of steps ?? []) if (step.until > Date.now()) kept.drop(keyOf(step))
      loaded.reload()
    },
  }
}

function keyOf({ address, group }: Step): string {
  return JSON.stringify([address, group.series.map((one) => one.key)])
}

function sleep(wait: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, wait)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('The window moves on', 'AbortError'))
    })
  })
}

async function loadStep(
  { request, group }: Step,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Samples>> {
  const { data } = await readJson<{ readonly data: readonly ValueRow[] }>(
    request.path,
    request.query,
    signal,
  )
  return toSamples(data, group.series)
}

function toShown(steps: readonly Step[], found: readonly ReadonlyMap<string, Samples>[]): Shown {
  return {
    samples: new Map(found.flatMap((one) => [...one])),
    resolutions: new Map(
      steps.flatMap(({ group }) => group.series.map(({ key }) => [key, group.resolution] as const)),
    ),
  }
}
