import type { DescribedRequest } from '../../request/index.ts'
import type { Window } from '../range/range.ts'
import type { Series } from '../series/series.ts'
import { exportRequest } from '../values/value-request.ts'
import type { Shown } from '../values/values.svelte.ts'

type Seen = {
  readonly visible: readonly Series[]
  readonly window: Window
  readonly zone: string
}

/** One request for all that is seen, as fine as its coarsest series; undefined if there is nothing. */
export function exportOf(
  { visible, window, zone }: Seen,
  shown: Shown | undefined,
): DescribedRequest | undefined {
  const resolutions = visible.map(({ key }) => shown?.resolutions.get(key))
  const known = resolutions.filter((one) => one !== undefined)
  if (visible.length === 0 || known.length < visible.length) return undefined
  const lengthOf = (one: (typeof known)[number]) => (one.kind === 'raw' ? 0 : one.length)
  const [coarsest] = known.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return coarsest === undefined
    ? undefined
    : exportRequest({ series: visible, resolution: coarsest }, window, zone)
}
