import { isDay } from '../filters/day.ts'
import { rejected } from '../filters/reject.ts'
import type { Stay } from './request.ts'

/** Where today's date is taken from. Without a clock no day counts as past. */
export type Calendar = {
  readonly now: (() => Date) | undefined
  /** IANA name of the zone of the houses (decision D39). */
  readonly timeZone: string
}

type Query = Readonly<Record<string, unknown>>

/** Nights of a stay. */
export const mostNights = 60

const oneDay = 86_400_000

/**
 * The stay that a request asks for: from today for one night, unless it says otherwise.
 * @throws AppError HUB-QRY-001 for days that do not exist, have passed, or do not follow each other
 */
export function readStay(query: Query, { now, timeZone }: Calendar): Stay {
  const today = now === undefined ? '0001-01-01' : dayIn(timeZone, now())
  const arrival = readDay(query, 'arrival') ?? today
  if (arrival < today) {
    const expected = [`${today} or later`]
    throw rejected({ parameter: 'arrival', detail: 'lies in the past', expected })
  }
  const departure = readDay(query, 'departure') ?? dayAfter(arrival)
  if (departure <= arrival) {
    throw rejected({
      parameter: 'departure',
      detail: `must be after the arrival on ${arrival}`,
      expected: ['a later day, yyyy-MM-dd'],
    })
  }
  const nights = Math.round((Date.parse(departure) - Date.parse(arrival)) / oneDay)
  if (nights > mostNights) {
    throw rejected({
      parameter: 'departure',
      detail: `makes a stay of ${String(nights)} nights from ${arrival} on`,
      expected: [`1 to ${String(mostNights)} nights`],
    })
  }
  return { arrival, departure, nights }
}

function readDay(query: Query, parameter: string): string | undefined {
  const written = query[parameter]
  if (typeof written !== 'string') return undefined
  if (isDay(written)) return written
  const expected = ['yyyy-MM-dd, such as 2199-01-31']
  throw rejected({ parameter, detail: `is no day: ${written}`, expected })
}

/** The day that a clock on the wall shows there, yyyy-MM-dd. */
function dayIn(timeZone: string, moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment)
}

function dayAfter(day: string): string {
  const next = new Date(Date.parse(day) + oneDay).toISOString()
  if (/^\d{4}-/.test(next)) return next.slice(0, 10)
  const detail = 'is the last day of the calendar'
  throw rejected({ parameter: 'arrival', detail, expected: ['an earlier day'] })
}
