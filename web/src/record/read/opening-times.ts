import { structuresOf, textsOf } from './structures.ts'
import type { Described, Structure } from './structures.ts'

const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

const kinds = ['general', 'meals', 'pizza', 'snacks'] as const

/** Kind of hours: those of the place itself, or of its kitchen. */
type Kind = (typeof kinds)[number]

/** A time span such as `09:00` to `12:00`. If `to` is earlier, it ends after midnight. */
type Span = { readonly from: string; readonly to: string }

/** Hours of one kind from Monday to Sunday. A day without any is closed. */
type Week = { readonly kind: Kind; readonly days: readonly (readonly Span[])[] }

export type Season = {
  readonly name?: string
  /** yyyy-MM-dd */
  readonly from?: string
  readonly to?: string
  /** Whether the season occurs once, or every year by day or by month. */
  readonly every: 'once' | 'day' | 'month'
  readonly weeks: readonly Week[]
}

const closed = 1

/** Returns the opening hours of a place by season. */
export function readOpeningTimes(of: Described, language: string): readonly Season[] {
  return structuresOf(of, ['opening'], language).map((season) => {
    const [name, from, to] = [season.text('name'), dayOf(season, 'start'), dayOf(season, 'end')]
    return {
      ...(name === undefined ? {} : { name }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      every: everyOf(season.text('repeats')),
      weeks: weeksOf(season.all('hours')),
    }
  })
}

function weeksOf(hours: readonly Structure[]): readonly Week[] {
  return kinds.flatMap((kind, index) => {
    // Without a code, hours belong to the place itself.
    const own = hours.filter((one) => (one.number('code') ?? 1) === index + 1)
    if (own.length === 0) return []
    return [{ kind, days: weekdays.map((day) => spansOf(own, day)) }]
  })
}

function spansOf(hours: readonly Structure[], day: string): readonly Span[] {
  return hours
    .filter((one) => one.value(day) === true && one.number('state') !== closed)
    .flatMap((one) => {
      const [from, to] = [clockOf(one.text('start')), clockOf(one.text('end'))]
      return from === undefined || to === undefined ? [] : [{ from, to }]
    })
    .toSorted((a, b) => a.from.localeCompare(b.from))
}

/** Shortens `09:00:00` to `09:00`. */
function clockOf(text = ''): string | undefined {
  return /^\d\d:\d\d/.exec(text)?.[0]
}

function dayOf(season: Structure, part: string): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(season.text(part) ?? '')?.[0]
}

function everyOf(type: string | undefined): Season['every'] {
  if (type === '2') return 'day'
  return type === '3' ? 'month' : 'once'
}

/** Reports whether a day, yyyy-MM-dd, is in a season. A yearly season may extend over New Year. */
export function isInSeason({ from, to, every }: Season, day: string): boolean {
  const start = { once: 0, day: 5, month: 5 }[every]
  const end = every === 'month' ? 7 : 10
  const [at, first, last] = [day, from, to].map((one) => one?.slice(start, end))
  if (at === undefined) return false
  if (every !== 'once' && first !== undefined && last !== undefined && first > last) {
    return at >= first || at <= last
  }
  return (first === undefined || at >= first) && (last === undefined || at <= last)
}

/** Returns the weekday of a day; 0 is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
}

/** A day, yyyy-MM-dd, and a time, HH:mm, local to the place. */
type Moment = { readonly day: string; readonly time: string }

/** Returns the local day and time in a time zone. */
export function momentIn(timeZone: string, now: Date): Moment {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', options).format(now).split(' ')
  return { day, time }
}

/** Returns the hours of the place itself that include a moment; undefined if it is closed. */
export function openAt(seasons: readonly Season[], { day, time }: Moment): Span | undefined {
  const today = hoursOn(seasons, day).filter(({ from, to }) =>
    from < to ? from <= time && time < to : from <= time,
  )
  // Yesterday's hours may extend past midnight. From 00:00 to 00:00 is the whole day.
  const late = hoursOn(seasons, dayBefore(day)).filter(({ from, to }) => to <= from && time < to)
  return [...today, ...late][0]
}

/** Returns the hours of the place itself that begin on a day. */
function hoursOn(seasons: readonly Season[], day: string): readonly Span[] {
  return seasons
    .filter((season) => isInSeason(season, day))
    .flatMap(({ weeks }) => weeks.filter(({ kind }) => kind === 'general'))
    .flatMap(({ days }) => days[weekdayOf(day)] ?? [])
}

function dayBefore(day: string): string {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}

/** Start and end as yyyy-MM-dd, optionally with a time. */
export type Period = { readonly from: string; readonly to?: string }

/** Returns the dates of a record, or else its overall period. */
export function readPeriods(of: Described): readonly Period[] {
  const dates = structuresOf(of, ['dates'], '').flatMap((one) =>
    toPeriod(join(one, 'start', 'startTime'), join(one, 'end', 'endTime')),
  )
  if (dates.length > 0) return dates.toSorted((a, b) => a.from.localeCompare(b.from))
  return toPeriod(whole(textsOf(of, 'from')[0]), whole(textsOf(of, 'to')[0]))
}

function toPeriod(from: string | undefined, to: string | undefined): readonly Period[] {
  if (from === undefined) return []
  return [to === undefined || to === from ? { from } : { from, to }]
}

/** Joins a day and a time from separate fields. */
function join(one: Structure, day: string, time: string): string | undefined {
  const date = whole(one.text(day))?.slice(0, 10)
  const clock = clockOf(one.text(time))
  return date === undefined || clock === undefined ? date : `${date}T${clock}`
}

/** Reduces midnight to the day, because it denotes an unknown time. */
function whole(text = ''): string | undefined {
  return /^\d{4}-\d\d-\d\d/.test(text) ? text.replace(/T00:00(:00)?$/, '') : undefined
}
