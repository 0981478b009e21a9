import { untrack } from 'svelte'
import { readJson } from '../../api/index.ts'
import type { Series } from './series.ts'
import { withLatest } from './found.ts'
import type { LatestRow } from './found.ts'
import { latestRequest } from './series-requests.ts'

const every = 15_000

/**
 * Asks for the latest values again and again while `isOn`; browsers ask with the ETag of what they have,
 * so that an unchanged answer costs next to nothing. Hidden pages do not ask.
 */
export function keepLatest(
  series: () => readonly Series[],
  isOn: () => boolean,
  onnews: () => void,
): { readonly series: readonly Series[]; readonly now: number } {
  let rows = $state.raw<readonly LatestRow[]>([])
  let now = $state(Date.now())
  const known = $derived(withLatest(series(), rows))

  const take = (next: readonly LatestRow[]) => {
    const isNews = JSON.stringify(next) !== JSON.stringify(rows)
    rows = next
    now = Date.now()
    if (isNews) onnews()
  }

  $effect(() => {
    if (!isOn()) return
    const wanted = series()
    const stop = new AbortController()
    const run = () => {
      // The next turn asks again; what is shown stays.
      loadLatest(wanted, stop.signal).then(take, () => undefined)
    }
    untrack(run)
    const timer = setInterval(run, every)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
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
  if (document.hidden || series.length === 0) throw new DOMException('Not now', 'AbortError')
  const { path, query } = latestRequest(series)
  const { data } = await readJson<{ readonly data: readonly LatestRow[] }>(path, query, signal)
  return data
}
