import type { Mark } from './chart/columns.ts'
import { day } from './range/range.ts'
import type { Window } from './range/range.ts'
import { isLimited } from './values/resolution.ts'

type Shown = {
  readonly window: Window
  readonly now: number
  readonly historyDays: number | null
}
type Labels = { readonly now: string; readonly limit: (days: number) => string }

/** What is marked: the present, if there is something behind it, and how far fine steps reach. */
export function marksOf({ window, now, historyDays }: Shown, labels: Labels): readonly Mark[] {
  const isInside = now > window.from && now < window.to
  return [
    ...(isInside ? [{ at: now, label: labels.now, shades: false }] : []),
    ...(historyDays !== null && isLimited(window, historyDays)
      ? [{ at: window.to - historyDays * day, label: labels.limit(historyDays), shades: true }]
      : []),
  ]
}
