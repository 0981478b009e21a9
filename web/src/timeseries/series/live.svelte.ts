import { untrack } from 'svelte'
import { readJson } from '../../api/index.ts'
import { resource } from '../../state/index.ts'
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

  $effect(() => {
    const next = latest.data?.rows
    if (next === undefined) return
    untrack(() => {
      const isNews = JSON.stringify(next) !== JSON.stringify(rows)
      rows = next
      now = latest.data?.at ?? now
      if (isNews) onnews()
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
