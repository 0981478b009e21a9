import { addressOf } from '../../api/index.ts'
import type { DescribedRequest } from '../../request/index.ts'
import type { Window } from '../range/range.ts'
import type { Series } from '../series/series.ts'
import { toFetchWindow } from './fetch-window.ts'
import { chooseResolution } from './resolution.ts'
import { groupSeries, valueRequest } from './value-request.ts'
import type { Group } from './value-request.ts'

/** What is to be shown, and in how much room. */
export type Wish = {
  readonly series: readonly Series[]
  readonly window: Window
  readonly room: number
  readonly zone: string
  readonly historyDays: number | null
}

/** A request to make, and what it is for. */
export type Step = {
  readonly group: Group
  readonly request: DescribedRequest
  /** Tells it apart from other requests. */
  readonly address: string
  readonly until: number
}

export function planOf({ series, window, room, zone, historyDays }: Wish): readonly Step[] {
  const groups = groupSeries(series, ({ kind, step }) =>
    chooseResolution({ window, room, kind, step, historyDays }),
  )
  return groups.map((group) => {
    const isFine = group.resolution.kind === 'raw' || /[mh]$/.test(group.resolution.bucket)
    const wide = toFetchWindow(window, isFine ? historyDays : null)
    const request = valueRequest(group, wide, zone)
    return { group, request, address: addressOf(request.path, request.query), until: wide.to }
  })
}
