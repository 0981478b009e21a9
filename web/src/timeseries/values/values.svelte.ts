import { untrack } from 'svelte'
import { readJson, toFailure } from '../../api/index.ts'
import type { Failure } from '../../api/index.ts'
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

type Kept = Map<string, ReadonlyMap<string, Samples>>

/** While somebody moves the window nothing is requested. */
const pause = 160
const mostKept = 60

/** Loads what the window shows as long as the component is there, and keeps what was asked before. */
export function loadValues(wish: () => Wish | undefined): Values {
  const kept: Kept = new Map()
  let outcome = $state.raw<Outcome>({ shown: undefined, failure: undefined, isLoading: true })
  let attempt = $state(0)
  const steps = $derived.by(() => {
    const wanted = wish()
    return wanted === undefined ? undefined : planOf(wanted)
  })
  // Small moves of the window ask for the same: only another address is another request.
  const key = $derived(keyOf(steps ?? []))

  $effect(() => {
    void [key, attempt]
    const wanted = untrack(() => steps)
    if (wanted === undefined) return
    const { shown } = untrack(() => outcome)
    outcome = { shown, failure: undefined, isLoading: true }
    const isQuick = shown === undefined || wanted.every(({ address }) => kept.has(address))
    return begin(isQuick ? 0 : pause, async (signal) => {
      const next = await loadSteps(wanted, kept, signal)
      if (!signal.aborted) outcome = { ...next, shown: next.shown ?? shown }
    })
  })

  const again = () => {
    attempt += 1
  }
  return {
    get outcome() {
      return outcome
    },
    get steps() {
      return steps ?? []
    },
    reload: again,
    renew: () => {
      for (const { address, until } of steps ?? []) if (until > Date.now()) kept.delete(address)
      again()
    },
  }
}

function keyOf(steps: readonly Step[]): string {
  return JSON.stringify(
    steps.map(({ address, group }) => [address, group.series.map((one) => one.key)]),
  )
}

/** Does it after a pause, unless it is stopped before. */
function begin(wait: number, run: (signal: AbortSignal) => Promise<void>): () => void {
  const stop = new AbortController()
  const timer = setTimeout(() => void run(stop.signal), wait)
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

async function loadSteps(
  steps: readonly Step[],
  kept: Kept,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const found = await Promise.all(steps.map((step) => loadStep(step, kept, signal)))
    return { shown: toShown(steps, found), failure: undefined, isLoading: false }
  } catch (thrown) {
    return { shown: undefined, failure: toFailure(thrown), isLoading: false }
  }
}

async function loadStep(
  { address, request, group }: Step,
  kept: Kept,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Samples>> {
  const known = kept.get(address)
  if (known !== undefined && group.series.every(({ key }) => known.has(key))) return known
  const { data } = await readJson<{ readonly data: readonly ValueRow[] }>(
    request.path,
    request.query,
    signal,
  )
  const samples = toSamples(data, group.series)
  kept.set(address, samples)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  return samples
}

function toShown(steps: readonly Step[], found: readonly ReadonlyMap<string, Samples>[]): Shown {
  return {
    samples: new Map(found.flatMap((one) => [...one])),
    resolutions: new Map(
      steps.flatMap(({ group }) => group.series.map(({ key }) => [key, group.resolution] as const)),
    ),
  }
}
