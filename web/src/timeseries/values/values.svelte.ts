import { untrack } from 'svelte'
import { Cache, readJson } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
import { resource } from '../../state/index.ts'
import { planOf } from './plan.ts'
import type { Step, Wish } from './plan.ts'
import type { Resolution } from './resolution.ts'
import { toSamples } from './samples.ts'
import type { Samples, ValueRow } from './samples.ts'

/** What is drawn of each series: its values and how fine they are. */
export type Shown = {
  readonly samples: ReadonlyMap<string, Samples>
  readonly resolutions: ReadonlyMap<string, Resolution>
}

/** `shown` is what is there, or was there before until all of the new is there. */
type Outcome = {
  readonly shown: Shown | undefined
  readonly isLoading: boolean
  readonly failure: Failure | undefined
}

export type Values = {
  readonly outcome: Outcome
  readonly steps: readonly Step[]
  readonly reload: () => void
  /** Asks again for what may have got newer values. */
  readonly renew: () => void
}

/** While somebody moves the window nothing is requested. */
const pause = 160

/** Loads what the window shows as long as the component is there, and keeps what was asked before. */
export function loadValues(wish: () => Wish | undefined): Values {
  const kept = new Cache<ReadonlyMap<string, Samples>>({
    fresh: Number.POSITIVE_INFINITY,
    most: 60,
  })
  const steps = $derived.by(() => {
    const wanted = wish()
    return wanted === undefined ? undefined : planOf(wanted)
  })
  // Small moves of the window ask for the same: only another address is another request.
  const key = $derived(steps?.map(keyOf).join())
  const loaded = resource(async (signal): Promise<Shown | undefined> => {
    void key
    const wanted = untrack(() => steps)
    // What is shown stays until it is known what comes next.
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
