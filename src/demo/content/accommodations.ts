import type { ContentItem, Texts } from '../canonical.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { drawFor, idOf, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { closings, houseNames, middles, openings, shorts } from '../texts/lodging.ts'
import { families, houseEndings, houseStems } from '../texts/names.ts'
import { compose, fill, mainLanguages, perLanguage, placeTexts } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { categoriesByType, choicesOf, houseTypes, overviewOf, propertiesOf } from './house-types.ts'
import { baseOf, contactOf, gpsOf, imagesOf, tagsOf } from './record.ts'
import { roomCountOf, roomId } from './rooms.ts'
import { scheduleOf } from './schedules.ts'
import { locationOf } from './territory.ts'

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
    AccoRoomInfo: Array.from({ length: roomCountOf(index) }, (_, room) => ({
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
    .pick(houseNames[type] ?? [])
    .replace('{stem}', random.pick(houseStems))
    .replace('{ending}', random.pick(houseEndings))
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

/** Names, address and texts; one house in three speaks eight languages. */
function toDetail({ random, name, municipality, site, rooms, contact }: House) {
  const slots = {
    ...{ name, rooms, altitude: site.altitude },
    place: placeTexts(municipality.place),
    family: random.pick(families),
  }
  const long = compose(random, [openings, middles, closings], slots)
  const short = fill(random.pick(shorts), slots)
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
