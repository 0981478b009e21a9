import type { AvailabilityObject, ContentItem, Texts } from '../canonical.ts'
import type { RoomItem } from '../../content/index.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { day, drawFor, idOf, isoOf, lastMidnight, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { compose, fill, mainLanguages, perLanguage, placeTexts } from '../phrase.ts'
import type { Phrase } from '../phrase.ts'
import type { Collection } from './record.ts'
import { baseOf, contactOf, gpsOf, imagesOf, tagsOf } from './record.ts'
import { scheduleOf } from './events.ts'
import { locationOf } from './territory.ts'
import { demoTexts } from '../texts.ts'

/**
 * Rooms that are described for each of four consecutive houses: four in all, so that they are easy
 * to count.
 */
const roomsOfFour = [2, 0, 1, 1] as const
/** House and room of each of these four rooms. */
const roomByPosition = [
  { house: 0, room: 0 },
  { house: 0, room: 1 },
  { house: 2, room: 0 },
  { house: 3, room: 0 },
] as const

const valley: Phrase = { de: 'das Tal', it: 'la valle', en: 'the valley' }

const roomId = (setting: Setting, accommodation: number, room: number) =>
  idOf(setting, 'AccommodationRoom', `${accommodation}-${room}`)

/** Returns the rooms of a number of accommodations. */
export function rooms(setting: Setting, accommodations: number): Collection {
  const rest = roomsOfFour.slice(0, accommodations % 4)
  return {
    entity: 'AccommodationRoom',
    count: Math.floor(accommodations / 4) * 4 + rest.reduce<number>((sum, n) => sum + n, 0),
    item: (index) => {
      const { house, room } = at(roomByPosition, index % 4)
      return toRoom(setting, Math.floor(index / 4) * 4 + house, room)
    },
  }
}

function toRoom(setting: Setting, house: number, room: number): ContentItem {
  const random = drawFor(setting, 'room', house, room)
  const id = roomId(setting, house, room)
  const kind = random.between(0, demoTexts.lodging.roomNames.length - 1)
  const isApartment = kind === demoTexts.lodging.roomNames.length - 1
  const name = fill(at(demoTexts.lodging.roomNames, kind), {
    stem: random.pick(demoTexts.names.houseStems),
  })
  const squareMeters = random.between(14, 55)
  const text = fill(random.pick(demoTexts.lodging.roomTexts), { squareMeters, place: valley })
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

/** One room in three can be booked in the hub. */
const among = 3

/** Number of nights, starting on the last day of the history. */
const nightsAhead = 60

const itemsPerMessage = 100

export function availabilityTotal(rooms: Collection): number {
  return Math.ceil(rooms.count / among)
}

/** Generates rate plans and calendars for some of the rooms, based on their records. */
export function* availabilityOf(
  setting: Setting,
  rooms: Collection,
): Generator<AvailabilityObject> {
  const total = availabilityTotal(rooms)
  for (let from = 0; from < total; from += itemsPerMessage) {
    const size = Math.min(itemsPerMessage, total - from)
    const items = Array.from({ length: size }, (_, index) =>
      toItem(setting, rooms.item((from + index) * among)),
    )
    yield { kind: 'availability', recorded: isoOf(setting.until), items }
  }
}

function toItem(setting: Setting, room: ContentItem): RoomItem {
  const random = drawFor(setting, 'availability', room.Id)
  const isApartment = room['RoomtypeInt'] === 2
  const quantity = random.between(1, 4)
  const price = random.between(42, isApartment ? 240 : 110)
  const first = lastMidnight(setting)
  const dayAt = (night: number) => isoOf(first + night * day).slice(0, 10)
  const booked = random.between(3, nightsAhead - 5)
  const dear = random.between(0, nightsAhead - 12)
  const children = [
    { age: 2, percent: 0 },
    { age: 11, percent: 50 },
  ]
  const own = isApartment
    ? ({ plan: 'FLAT', board: 'ws', per: 'room', price } as const)
    : ({ plan: 'BB', board: 'bb', per: 'guest', price, children } as const)
  const half = { plan: 'HB', board: 'hb', per: 'guest', price: price + 24, children } as const
  const channel = random.pick(['hgv', 'hgv', 'lts'] as const)
  return {
    accommodation: String(room['A0RID']),
    room: room.Id,
    type: isApartment ? 2 : 1,
    ...{ minGuests: 1, stdGuests: 2, maxGuests: random.between(2, 5) },
    title: isApartment
      ? { de: 'Ferienwohnung', it: 'Appartamento', en: 'Apartment' }
      : { de: 'Gästezimmer', it: 'Camera', en: 'Guest room' },
    plans: (isApartment ? [own] : [own, half]).map((plan) => ({ ...plan, channel })),
    nights: [
      { from: dayAt(0), to: dayAt(nightsAhead - 1), free: quantity },
      {
        ...{ from: dayAt(dear), to: dayAt(dear + 10), free: quantity, minStay: 2 },
        prices: { [own.plan]: price + 15 },
      },
      { from: dayAt(booked), to: dayAt(booked + 3), free: 0 },
    ],
  }
}

export function accommodations(setting: Setting, count: number): Collection {
  return { entity: 'Accommodation', count, item: (index) => toRecord(setting, index) }
}

export const accommodationId = (setting: Setting, index: number) =>
  idOf(setting, 'Accommodation', index)

function toRecord(setting: Setting, index: number): ContentItem {
  const house = planHouse(setting, index)
  const { random, id, source, type, name, municipality } = house
  const names = Object.fromEntries(mainLanguages.map((language) => [language, name]))
  const location = locationOf(setting, municipality, index)
  return {
    ...baseOf(setting, { id, source, name: names, random }),
    ...tagsOf(['accommodation', ...random.some(extraTags, random.between(0, 2))]),
    AccoTypeId: type,
    AccoCategoryId: random.pick(categoriesByType[type] ?? []),
    ...choicesOf(random),
    AccoDetail: toDetail(house),
    AccoProperties: propertiesOf(random, type),
    AccoOverview: overviewOf(random, house.rooms),
    AccoRoomInfo: Array.from({ length: at(roomsOfFour, index % 4) }, (_, room) => ({
      Id: roomId(setting, index, room),
      Source: source,
    })),
    Review: { trustyou: reviewOf(random) },
    MainLanguage: 'de',
    DistrictId: location.DistrictInfo.Id,
    TourismVereinId: location.TvInfo.Id,
    LocationInfo: location,
    GpsInfo: gpsOf(house.site),
    ImageGallery: imagesOf(setting, {
      kind: 'house',
      id,
      name: names,
      count: random.between(1, 4),
    }),
    OperationSchedule: scheduleOf(random, random.pick(seasons), yearOf(setting)),
  }
}

const extraTags = [
  'guestcard',
  'christkindlmarkt',
  'climate-house',
  'highlight architektur',
] as const
const seasons = ['all', 'summer', 'winter'] as const

type House = ReturnType<typeof planHouse>

function planHouse(setting: Setting, index: number) {
  const random = drawFor(setting, 'accommodation', index)
  const type = random.pick(houseTypes)
  const municipality = setting.geography.somewhere(random)
  const name = random
    .pick(demoTexts.lodging.houseNames[type] ?? [])
    .replace('{stem}', random.pick(demoTexts.names.houseStems))
    .replace('{ending}', random.pick(demoTexts.names.houseEndings))
  const whereabouts =
    type === 'Mountain' ? 'mountain' : at(['village', 'anywhere'] as const, index % 2)
  return {
    ...{ random, type, name, municipality },
    id: accommodationId(setting, index),
    source: random.chance(0.05) ? 'bookings' : 'lts',
    site: municipality.siteIn(random, whereabouts),
    rooms: random.between(3, type === 'HotelPension' ? 60 : 18),
    contact: contactOf(random, municipality, name),
  }
}

/** Returns names, address and texts. One house in three has texts in eight languages. */
function toDetail({ random, name, municipality, site, rooms, contact }: House) {
  const slots = {
    ...{ name, rooms, altitude: site.altitude },
    place: placeTexts(municipality.place),
    family: random.pick(demoTexts.names.families),
  }
  const long = compose(
    random,
    [demoTexts.lodging.openings, demoTexts.lodging.middles, demoTexts.lodging.closings],
    slots,
  )
  const short = fill(random.pick(demoTexts.lodging.shorts), slots)
  const spoken: Texts = random.chance(0.33) ? short : long
  return perLanguage(spoken, (language) => ({
    Language: language,
    Name: name,
    Street: contact.street[language] ?? contact.street['de'] ?? '',
    Zip: contact.zip,
    City: contact.city[language] ?? '',
    CountryCode: 'IT',
    Phone: contact.phone,
    Mobile: contact.mobile,
    Email: contact.email,
    Website: contact.website,
    Firstname: contact.givenName,
    Lastname: contact.surname,
    Shortdesc: short[language] ?? null,
    Longdesc: long[language] ?? null,
  }))
}

function reviewOf(random: Random) {
  return {
    ReviewId: random.uuid(),
    Score: random.between(650, 980),
    Results: random.between(3, 900),
    ...{ Active: true, State: '2', StateInteger: 2, Provider: 'trustyou' },
  }
}

/** Codes of the bit masks in the accommodation list (interface 4.5, content.md 7.1.2). */

const stars = ['1star', '2stars', '3stars', '3sstars', '4stars', '4sstars', '5stars'] as const
const flowers = ['1flower', '2flowers', '3flowers', '4flowers', '5flowers'] as const
const suns = ['1sun', '2suns', '3suns', '4suns', '5suns'] as const
const uncategorised = ['Not categorized'] as const

const categoriesByType: Readonly<Record<string, readonly string[]>> = {
  HotelPension: stars,
  BedBreakfast: [...stars.slice(0, 4), ...uncategorised],
  Farm: flowers,
  Camping: stars.slice(1, 6),
  Youth: uncategorised,
  Mountain: uncategorised,
  Notdefined: suns,
}

const houseTypes = Object.keys(categoriesByType)

const boards = ['without board', 'breakfast', 'half board', 'full board', 'All Inclusive'] as const

const badges = [
  ...(['Wellnesshotel', 'Familienhotel', 'Bikehotel', 'Bauernhof', 'Behindertengerecht'] as const),
  ...(['Wanderhotel', 'Südtirol Privat', 'Vinumhotel', 'SustainabilityLevel1'] as const),
]

const themes = [
  ...(['Gourmet', 'In der Höhe', 'Regionale Wellness', 'Biken', 'Familie', 'Wandern'] as const),
  ...(['Wein', 'Städtisches Flair', 'Am Skigebiet', 'Mediterran', 'Dolomiten', 'Alpin'] as const),
  ...(['Kleine Betriebe', 'Hütten und Berggasthöfe', 'Bäuerliche Welten'] as const),
  ...(['Christkindlmarkt', 'Sustainability'] as const),
]

/** Equipment: code of the bit mask, and name of the feature. */
const equipment = [
  ['Gruppenfreundlich', 'Groups welcome'],
  ['Tagung', 'Meeting rooms'],
  ['Schwimmbad', 'Swimming pool'],
  ['Sauna', 'Sauna'],
  ['Garage', 'Garage'],
  ['Abholservice', 'Pick-up service'],
  ['Wlan', 'Wireless internet'],
  ['Barrierefrei', 'Barrier-free'],
  ['Allergikerküche', 'Menus for allergy sufferers'],
  ['Kleine Haustiere', 'Pets welcome'],
  ['Guestcard', 'Guest card'],
] as const

function choicesOf(random: Random) {
  const chosen = random.some(equipment, random.between(1, 7))
  return {
    BoardIds: random.some(boards, random.between(1, 3)),
    BadgeIds: random.some(badges, Math.max(0, random.between(-3, 2))),
    ThemeIds: random.some(themes, random.between(1, 5)),
    SpecialFeaturesIds: chosen.map(([code]) => code),
    Features: chosen.map(([code, name]) => ({
      Id: featureId(code),
      Name: name,
      HgvId: '',
      OtaCodes: null,
      RoomAmenityCodes: [],
    })),
  }
}

function featureId(code: string): string {
  return `DEMO-${code
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase()}`
}

function propertiesOf(random: Random, type: string) {
  const isCamping = type === 'Camping'
  return {
    HasApartment: type === 'Notdefined' || random.chance(0.3),
    HasRoom: type !== 'Notdefined' && !isCamping,
    HasDorm: type === 'Youth' || type === 'Mountain',
    HasPitches: isCamping,
    IsCamping: isCamping,
    IsGastronomy: type === 'HotelPension' || type === 'Mountain',
    IsBookable: random.chance(0.6),
    IsAccommodation: true,
    TVMember: random.chance(0.8),
  }
}

function overviewOf(random: Random, rooms: number) {
  const singles = Math.floor(rooms * 0.15)
  return {
    TotalRooms: rooms,
    SingleRooms: singles,
    DoubleRooms: rooms - singles,
    MaxPersons: singles + (rooms - singles) * 2,
    OutdoorParkings: random.between(2, rooms + 2),
    GarageParkings: random.between(0, 10),
    ...{ CheckInFrom: '14:00:00', CheckInTo: '20:00:00' },
    ...{ CheckOutFrom: '07:00:00', CheckOutTo: '10:30:00' },
  }
}
