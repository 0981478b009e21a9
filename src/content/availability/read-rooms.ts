import { rejected } from '../filters/reject.ts'
import { roomTypes } from './request.ts'
import type { WantedRoom } from './request.ts'

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
