import { loadExplorer } from '../api/index.ts'
import { zone, zoneOf } from '../language/zone.svelte.ts'
import type { DescribedRequest } from '../request/index.ts'
import { zoneCodec, zoneParameter } from './choices.svelte.ts'
import { loadHistoryDays } from './first-requests.ts'
import { rangeCodec, windowOf } from './range/range.ts'
import { loadSeries } from './series/found.ts'
import { seriesCodec, seriesParameter } from './series/series.ts'
import { planOf } from './values/plan.ts'

/**
 * Rounds the available width in pixels down to steps, so that small changes of the window do not
 * request other values.
 */
export const roomOf = (width: number): number => Math.floor(width / 100) * 100

/**
 * Returns the value requests that the chart makes when it is mounted, based on the responses to
 * `firstRequests`. Returns none if they depend on anything else.
 */
export async function firstValues(
  search: URLSearchParams,
  signal: AbortSignal,
): Promise<readonly DescribedRequest[]> {
  const ids = seriesCodec.read(search.getAll(seriesParameter))
  const range = rangeCodec.read(search.getAll('range'))
  if (ids.length === 0 || range.kind === 'all' || search.get('view') === 'map') return []
  const [{ timeZone }, historyDays, { series }] = await Promise.all([
    loadExplorer(),
    loadHistoryDays(signal),
    loadSeries(ids, signal),
  ])
  const room = roomOf(widthOfContent())
  if (room === 0 || series.length === 0) return []
  const steps = planOf({
    ...{ series, historyDays, room },
    window: windowOf(range, { now: Date.now(), series, extent: undefined }),
    zone: zoneOf(zoneCodec.read(search.getAll(zoneParameter)) || zone.word, timeZone),
  })
  return steps.map(({ request }) => request)
}

/** Returns the width of the view's content in pixels, before the view is mounted. */
function widthOfContent(): number {
  const main = document.querySelector('main')
  if (main === null) return 0
  const { paddingLeft, paddingRight } = getComputedStyle(main)
  return main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}
