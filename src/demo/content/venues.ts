import type { ContentItem, Texts } from '../canonical.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { drawFor, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { hallNames, venueNames } from '../texts/happenings.ts'
import { landmarks } from '../texts/names.ts'
import { gettingThere } from '../texts/outdoors.ts'
import { fill, perLanguage, placeTexts } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { baseOf, contactInfosOf, contactOf, detailOf, gpsOf, imagesOf } from './record.ts'
import { scheduleOf } from './schedules.ts'
import { locationOf } from './territory.ts'

export const venueId = (setting: Setting, index: number) =>
  `urn:venue:demo:${drawFor(setting, 'venue-id', index).uuid()}`

export function venues(setting: Setting, count: number): Collection {
  return { entity: 'Venue', count, item: (index) => toRecord(setting, index) }
}

/** Name and place of a venue, also for what happens there. */
export function planVenue(setting: Setting, index: number) {
  const random = drawFor(setting, 'venue', index)
  const municipality = setting.geography.somewhere(random)
  const mark = fill(random.pick(landmarks))
  const slots = { mark, place: placeTexts(municipality.place) }
  const name: Texts = fill(random.pick(venueNames), slots)
  return { random, municipality, slots, name, site: municipality.siteIn(random, 'village') }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const { random, municipality, slots, name, site } = planVenue(setting, index)
  const id = venueId(setting, index)
  const location = locationOf(setting, municipality, index)
  return {
    ...baseOf(setting, { id, source: 'techpark', name, random }),
    TagIds: ['eventlocation'],
    Detail: detailOf({ title: name, base: fill(random.pick(gettingThere), slots) }),
    ContactInfos: contactInfosOf(contactOf(random, municipality, name['de'] ?? ''), name),
    ImageGallery: imagesOf(setting, { kind: 'venue', id, name, count: 1 }),
    GpsInfo: gpsOf(site),
    LocationInfo: location,
    DistrictId: location.DistrictInfo.Id,
    OperationSchedule: scheduleOf(random, 'all', yearOf(setting)),
    RoomDetails: hallsOf(random, id),
  }
}

function hallsOf(random: Random, venue: string) {
  return Array.from({ length: random.between(1, hallNames.length) }, (_, index) => {
    const name = fill(at(hallNames, index))
    return {
      Id: `${venue}:${index + 1}`,
      Shortname: name['en'] ?? '',
      Active: true,
      Detail: perLanguage(name, (language, title) => ({ Language: language, Title: title })),
      MaxCapacity: random.between(2, 40) * 10,
      Placement: 'indoor',
      VenueRoomProperties: {
        SquareMeters: random.between(30, 400),
        RoomHeightInCentimeters: random.between(26, 52) * 10,
      },
    }
  })
}
