import { isDay, rejected, toItems } from '../filters/values.ts'
import { boards, channels, roomTypes } from './request.ts'
import type { AvailabilityRequest, Board, Channel, Stay, WantedRoom } from './request.ts'

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
 * The stay of a request: from today for one night, unless it says otherwise.
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
  throw rejected({ parameter, detail: `is not a valid day: ${written}`, expected })
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

export const mostRooms = 10
export const mostGuests = 20
const highestAge = 120

/** What `roominfo` means when it is absent (interface 4.5). */
export const usualRooms = '1-18,18'

/**
 * The rooms of `roominfo`: `<type>-<age>,<age>|<type>-<age>`.
 * @throws AppError HUB-QRY-001 with the position of the room that cannot be read
 */
export function readRooms(written: string): readonly WantedRoom[] {
  const texts = written.split('|')
  if (texts.length > mostRooms) throw refused(`has ${String(texts.length)} rooms`)
  let position = 0
  return texts.map((text, index) => {
    const room = readRoom(text, index + 1)
    if (room === undefined) throw refused(`has a room that cannot be read: ${text}`, position)
    position += text.length + 1
    return room
  })
}

/** room = type "-" age { "," age } */
function readRoom(text: string, seq: number): WantedRoom | undefined {
  const [, typeText, agesText = ''] = /^(\d)-(\d{1,3}(?:,\d{1,3})*)$/.exec(text) ?? []
  const type = roomTypes.find((one) => String(one) === typeText)
  const ages = agesText.split(',').map(Number)
  const isSound = ages.length <= mostGuests && ages.every((age) => age <= highestAge)
  return type === undefined || !isSound ? undefined : { seq, type, ages }
}

const expected = [
  '<type>-<age>,<age>|<type>-<age>',
  `types ${roomTypes.join(', ')}`,
  `ages up to ${String(highestAge)}`,
  `up to ${String(mostRooms)} rooms of up to ${String(mostGuests)} guests`,
]

function refused(detail: string, position = 0) {
  return rejected({ parameter: 'roominfo', detail, expected, position })
}

/** The parameters of an availability check, as the schema of its route let them through. */
type RoomsQuery = Readonly<Record<string, unknown>>

/**
 * What a check requests, with the defaults of interface 4.5 (decision D39).
 * @throws AppError HUB-QRY-001 for values that mean nothing
 */
export function readAvailabilityRequest(
  query: RoomsQuery,
  calendar: Calendar,
): AvailabilityRequest {
  const { roominfo, bokfilter, boardfilter, availabilitychecklanguage, detail, msssource } = query
  const duplicated = channels.find((channel) => channel === query['removeduplicatesfrom'])
  return {
    ...(duplicated === undefined ? {} : { withoutDuplicatesFrom: duplicated }),
    ...readStay(query, calendar),
    rooms: readRooms(typeof roominfo === 'string' ? roominfo : usualRooms),
    boards: readBoards(typeof boardfilter === 'string' ? boardfilter : '0'),
    channels: Array.isArray(bokfilter) ? readChannels(bokfilter.map(String)) : ['hgv'],
    language: languages.find((code) => code === availabilitychecklanguage) ?? 'en',
    detail: detail === '1' ? 'full' : 'basic',
    source: typeof msssource === 'string' ? msssource : 'sinfo',
  }
}

export const languages = ['de', 'it', 'en'] as const

/** @throws AppError HUB-QRY-001 for a channel that there is not, or a list without any */
export function readChannels(written: readonly string[]): readonly Channel[] {
  const items = toItems(written).map((item) => item.toLowerCase())
  const wrong = items.find((item) => !channels.some((channel) => channel === item))
  if (wrong !== undefined || items.length === 0) {
    const detail = `has ${JSON.stringify(wrong ?? '')}, which is not a booking channel`
    throw rejected({ parameter: 'bokfilter', detail, expected: channels })
  }
  return channels.filter((channel) => items.includes(channel))
}

/** The boards whose bits are set; the filter of that name has refused anything that is not a sum of them. */
function readBoards(mask: string): readonly Board[] {
  const bits = Number(mask)
  const asked = boards.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)
  return asked.length === 0 ? boards : asked
}
