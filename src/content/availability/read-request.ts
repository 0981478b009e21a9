import { rejected } from '../filters/reject.ts'
import { toItems } from '../filters/values.ts'
import { readRooms, usualRooms } from './read-rooms.ts'
import { readStay } from './read-stay.ts'
import type { Calendar } from './read-stay.ts'
import { boards, channels } from './request.ts'
import type { AvailabilityRequest, Board, Channel } from './request.ts'

/** The parameters of an availability check, as the schema of its route let them through. */
type Query = Readonly<Record<string, unknown>>

/**
 * What a check asks for, with the defaults of interface 4.5 (decision D39).
 * @throws AppError HUB-QRY-001 for values that mean nothing
 */
export function readAvailabilityRequest(query: Query, calendar: Calendar): AvailabilityRequest {
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
    const detail = `has ${JSON.stringify(wrong ?? '')}, which is no booking channel`
    throw rejected({ parameter: 'bokfilter', detail, expected: channels })
  }
  return channels.filter((channel) => items.includes(channel))
}

/** The boards whose bits are set; the filter of that name has refused what is no sum of them. */
function readBoards(mask: string): readonly Board[] {
  const bits = Number(mask)
  const asked = boards.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1)
  return asked.length === 0 ? boards : asked
}
