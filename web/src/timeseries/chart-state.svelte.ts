import { onDestroy } from 'svelte'
import { loadExplorer } from '../api/index.ts'
import { zone as ofPage, zoneOf } from '../language/index.ts'
import { resource } from '../state/index.ts'
import type { ResourceOf } from '../state/index.ts'
import type { ChartChoices } from './choices.svelte.ts'
import { loadHistoryDays } from './quota.ts'
import { clampWindow } from './range/range.ts'
import type { Window } from './range/range.ts'
import { windowOf } from './range/window-of.ts'
import { keepLatest } from './series/live.svelte.ts'
import { loadSeries } from './series/load-series.ts'
import type { Found } from './series/found.ts'
import { loadExtent } from './values/extent.ts'
import { loadValues } from './values/values.svelte.ts'

type Setting = { readonly region: string; readonly historyDays: number | null }

/** What is known of what was chosen: the series, the window, their values. Call it as the view begins. */
export function chartState(choices: ChartChoices, room: () => number) {
  const found = resource((signal) => loadSeries(choices.ids.value, signal))
  const setting = resource(loadSetting)
  const zone = $derived(zoneOf(choices.zone, setting.data?.region ?? ofPage.region))
  const live = keepLatest(
    () => found.data?.series ?? [],
    () => choices.follows.value,
    () => {
      values.renew()
    },
  )
  const time = chosenTime(choices, { found, now: () => live.now, zone: () => zone })
  const visible = $derived(live.series.filter(({ key }) => !choices.hidden.value.includes(key)))
  const values = loadValues(() => {
    const known = setting.data
    const isReady = room() > 0 && live.series.length > 0 && !time.isWaiting
    if (known === undefined || !isReady) return undefined
    return { ...known, series: live.series, window: time.window, room: room(), zone }
  })
  return {
    found,
    setting,
    time,
    values,
    get series() {
      return live.series
    },
    get visible() {
      return visible
    },
    get zone() {
      return zone
    },
    get historyDays() {
      return setting.data?.historyDays ?? null
    },
    failed: () => firstFailed([found, setting, time.extent]),
  }
}

export type ChartState = ReturnType<typeof chartState>

/** What failed, and how it is tried again. */
function firstFailed(resources: readonly ResourceOf<unknown>[]) {
  return resources
    .map(({ state, reload }) =>
      state.kind === 'failed' ? { failure: state.failure, reload } : undefined,
    )
    .find((one) => one !== undefined)
}

async function loadSetting(signal: AbortSignal): Promise<Setting> {
  const [explorer, historyDays] = await Promise.all([loadExplorer(), loadHistoryDays(signal)])
  return { region: explorer.timeZone, historyDays }
}

type Known = {
  readonly found: ResourceOf<Found>
  readonly now: () => number
  readonly zone: () => string
}

/** The window: what was chosen, or while somebody moves it where it is at the moment. */
function chosenTime({ range, follows, show }: ChartChoices, { found, now, zone }: Known) {
  const began = Date.now()
  let moving = $state.raw<Window>()
  // The wheel comes to rest a while after it was turned, when somebody may be in another view already.
  let isGone = false
  onDestroy(() => (isGone = true))
  const series = $derived(found.data?.series ?? [])
  const extent = resource((signal) =>
    range.value.kind === 'all' && series.length > 0
      ? loadExtent(series, zone(), signal)
      : Promise.resolve(undefined),
  )
  const present = $derived(follows.value ? Math.max(began, now()) : began)
  const window = $derived(
    moving ?? windowOf(range.value, { now: present, series, extent: extent.data }),
  )
  return {
    extent,
    get isWaiting() {
      return range.value.kind === 'all' && extent.state.kind === 'loading'
    },
    get now() {
      return present
    },
    get window() {
      return window
    },
    move: (next: Window) => {
      moving = clampWindow(next)
    },
    rest: (next: Window) => {
      moving = undefined
      if (isGone) return
      show({ kind: 'fixed', window: clampWindow(next) })
    },
  }
}
