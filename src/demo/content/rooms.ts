import type { ContentItem } from '../canonical.ts'
import { at } from '../random.ts'
import { drawFor, idOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { roomNames, roomTexts } from '../texts/lodging.ts'
import { houseStems } from '../texts/names.ts'
import { fill, perLanguage } from '../texts/phrase.ts'
import type { Phrase } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { baseOf, imagesOf } from './record.ts'

/** Of four houses in a row two rooms, none, one and one are described: four in all, easily counted. */
const roomsOfFour = [2, 0, 1, 1] as const
/** House and room of each of these four. */
const roomByPosition = [
  { house: 0, room: 0 },
  { house: 0, room: 1 },
  { house: 2, room: 0 },
  { house: 3, room: 0 },
] as const

const valley: Phrase = { de: 'das Tal', it: 'la valle', en: 'the valley' }

export function roomCountOf(accommodation: number): number {
  return at(roomsOfFour, accommodation % 4)
}

export const roomId = (setting: Setting, accommodation: number, room: number) =>
  idOf(setting, 'AccommodationRoom', `${accommodation}-${room}`)

/** All rooms of a number of accommodations. */
export function rooms(setting: Setting, accommodations: number): Collection {
  const rest = roomsOfFour.slice(0, accommodations % 4)
  return {
    entity: 'AccommodationRoom',
    count: Math.floor(accommodations / 4) * 4 + rest.reduce<number>((sum, n) => sum + n, 0),
    item: (index) => {
      const { house, room } = at(roomByPosition, index % 4)
      return toRecord(setting, Math.floor(index / 4) * 4 + house, room)
    },
  }
}

function toRecord(setting: Setting, house: number, room: number): ContentItem {
  const random = drawFor(setting, 'room', house, room)
  const id = roomId(setting, house, room)
  const kind = random.between(0, roomNames.length - 1)
  const isApartment = kind === roomNames.length - 1
  const name = fill(at(roomNames, kind), { stem: random.pick(houseStems) })
  const squareMeters = random.between(14, 55)
  const text = fill(random.pick(roomTexts), { squareMeters, place: valley })
  const persons = kind === 1 ? 1 : random.between(2, 5)
  return {
    ...baseOf(setting, { id, source: 'lts', name, random }),
    A0RID: idOf(setting, 'Accommodation', house),
    Roomtype: isApartment ? 'apartment' : 'room',
    RoomtypeInt: isApartment ? 2 : 1,
    RoomCode: `R${room + 1}`,
    RoomNumbers: [String(100 + random.between(1, 40))],
    RoomQuantity: random.between(1, 8),
    ...{ Roommin: 1, Roomstd: Math.min(2, persons), Roommax: persons },
    PriceFrom: random.between(38, 180),
    PriceFromPerUnit: isApartment ? random.between(80, 320) : null,
    Properties: {
      ...{ SquareMeters: squareMeters, SleepingRooms: isApartment ? 2 : 1, Baths: 1, Toilets: 1 },
    },
    AccoRoomDetail: perLanguage(name, (language, title) => ({
      ...{ Language: language, Name: title, Shortdesc: null, Longdesc: text[language] ?? null },
    })),
    ImageGallery: imagesOf(setting, { kind: 'room', id, name, count: 1 }),
  }
}
