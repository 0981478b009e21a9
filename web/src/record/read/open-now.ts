import { isInSeason, weekdayOf } from './opening-times.ts'
import type { Season, Span } from './opening-times.ts'

/** A day, yyyy-MM-dd, and a time, HH:mm, where the place is. */
export type Moment = { readonly day: string; readonly time: string }

/** The moment in a time zone. */
export function momentIn(timeZone: string, now: Date): Moment {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', options).format(now).split(' ')
  return { day, time }
}

/** The hours of the house that hold a moment; undefined where it is closed then. */
export function openAt(seasons: readonly Season[], { day, time }: Moment): Span | undefined {
  return seasons
    .filter((season) => isInSeason(season, day))
    .flatMap(({ weeks }) => weeks.filter(({ kind }) => kind === 'general'))
    .flatMap(({ days }) => {
      const weekday = weekdayOf(day)
      const today = (days[weekday] ?? []).filter(({ from, to }) =>
        from < to ? from <= time && time < to : from <= time,
      )
      // What began yesterday may go over midnight; from 00:00 to 00:00 is the whole day.
      const late = (days[(weekday + 6) % 7] ?? []).filter(({ from, to }) => to <= from && time < to)
      return [...today, ...late]
    })[0]
}
