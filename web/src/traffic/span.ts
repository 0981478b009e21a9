/** How much time is seen at once. */
export const zooms = ['week', 'day', 'month'] as const

export type Zoom = (typeof zooms)[number]

/** Days of a zoom, and how many of them lie before today where nobody chose a day. */
const shape = {
  day: { days: 1, before: 0 },
  week: { days: 7, before: 2 },
  month: { days: 31, before: 10 },
} as const

/** A span of time (ms), from the beginning of a day to that of another, in the reader's zone. */
export type Span = { readonly from: number; readonly to: number }

/** The span that begins on a day such as `2026-11-22`; around the present where there is none. */
export function spanOf(zoom: Zoom, day: string, now: number): Span {
  const { days, before } = shape[zoom]
  const first = startOfDay(day) === undefined ? addDays(toDay(now), -before) : day
  return { from: startOfDay(first) ?? now, to: startOfDay(addDays(first, days)) ?? now }
}

/** The first day of the span after this one, or before it. */
export function step(zoom: Zoom, { from }: Span, direction: 1 | -1): string {
  return addDays(toDay(from), direction * shape[zoom].days)
}

/** Where a line is drawn: every day, or on a single day every three hours. */
export function ticksOf(zoom: Zoom, { from, to }: Span): readonly number[] {
  if (zoom === 'day') {
    return Array.from({ length: 8 }, (_, index) => hourOf(from, index * 3)).filter((at) => at < to)
  }
  const days = Array.from({ length: shape[zoom].days }, (_, index) =>
    startOfDay(addDays(toDay(from), index)),
  )
  return days.filter((at) => at !== undefined)
}

/** `2026-11-22`, in the reader's zone. */
export function toDay(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first instant of a day; undefined for what is none. */
function startOfDay(day: string): number | undefined {
  // Years of less than four digits would be those of the last century.
  const [, year, month, date] = /^([1-9]\d{3})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === undefined) return undefined
  const time = new Date(Number(year), Number(month) - 1, Number(date)).getTime()
  return Number.isNaN(time) ? undefined : time
}

function addDays(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return toDay(new Date(year, month - 1, date + count).getTime())
}

/** By the clock on the wall, also on days with 23 or 25 hours. */
function hourOf(from: number, hour: number): number {
  return new Date(from).setHours(hour)
}
