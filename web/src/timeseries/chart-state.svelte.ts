import { onDestroy, untrack } from 'svelte'
import { loadExplorer, readJson } from '../api/index.ts'
import { zone as ofPage, zoneOf } from '../language/index.ts'
import { resource } from '../state/index.ts'
import type { ResourceOf } from '../state/index.ts'
import type { ChartChoices } from './choices.svelte.ts'
import { loadHistoryDays } from './first-requests.ts'
import { clampWindow, day, windowOf } from './range/range.ts'
import type { Window } from './range/range.ts'
import { loadSeries, withLatest } from './series/found.ts'
import type { Found, LatestRow } from './series/found.ts'
import { loadValues } from './values/values.svelte.ts'
import type { Series } from './series/series.ts'
import { parseTime } from './series/series.ts'
import { pathOfSeries, whereSeries, latestRequest } from './series/where.ts'

type Setting = { readonly region: string; readonly historyDays: number | null }

/**
 * Creates the state of the chart from the user's choices: series, time window and values. Call it
 * during component initialization.
 */
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

/** Returns the first failure among some resources, with the function to retry it. */
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

/** Tracks the time window: the chosen one, or the current one while the user moves it. */
function chosenTime({ range, follows, show }: ChartChoices, { found, now, zone }: Known) {
  const began = Date.now()
  let moving = $state.raw<Window>()
  // The wheel comes to rest with a delay, when another view may already be shown.
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

type Row = { readonly mvalidtime: string }

/**
 * Loads the period from the first month with values of these series to the latest value; undefined
 * if there are none.
 */
async function loadExtent(
  series: readonly Series[],
  zone: string,
  signal: AbortSignal,
): Promise<Window | undefined> {
  const { data } = await readJson<{ readonly data: readonly Row[] }>(
    `/v2/flat,node/${pathOfSeries(series)}/1970-01-01/2100-01-01`,
    {
      where: whereSeries(series),
      bucket: '1mo',
      agg: 'count',
      select: 'scode,mvalidtime,mvalue',
      timezone: zone,
      limit: -1,
    },
    signal,
  )
  const times = data.map(({ mvalidtime }) => parseTime(mvalidtime))
  const latest = series.flatMap((one) => (one.latest === undefined ? [] : [one.latest.time]))
  if (times.length === 0) return undefined
  const from = Math.min(...times)
  return { from, to: Math.max(from + day, ...latest) }
}

const every = 15_000

/**
 * Polls for the latest values while `isOn`. Browsers send the ETag of their cached copy, so an
 * unchanged response costs next to nothing. Hidden pages do not poll.
 */
function keepLatest(
  series: () => readonly Series[],
  isOn: () => boolean,
  onnews: () => void,
): { readonly series: readonly Series[]; readonly now: number } {
  const latest = resource(
    async (signal) => {
      const wanted = series()
      const rows = isOn() && wanted.length > 0 ? await loadLatest(wanted, signal) : undefined
      return { rows, at: Date.now() }
    },
    { subject: () => 'latest', every: () => (isOn() ? every : undefined) },
  )
  let rows = $state.raw<readonly LatestRow[]>([])
  let now = $state(Date.now())
  const known = $derived(withLatest(series(), rows))
  const latestValues = () => JSON.stringify(known.map((one) => one.latest))

  $effect(() => {
    const next = latest.data?.rows
    if (next === undefined) return
    untrack(() => {
      const before = latestValues()
      rows = next
      now = latest.data?.at ?? now
      if (latestValues() !== before) onnews()
    })
  })

  return {
    get series() {
      return known
    },
    get now() {
      return now
    },
  }
}

async function loadLatest(
  series: readonly Series[],
  signal: AbortSignal,
): Promise<readonly LatestRow[]> {
  const { path, query } = latestRequest(series)
  const { data } = await readJson<{ readonly data: readonly LatestRow[] }>(path, query, signal)
  return data
}
