import type { ContentItem } from '../canonical.ts'
import type { Municipality } from '../geography/geography.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { dateTimeOf, day, drawFor, hour, idOf, lastMidnight } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { happeningKinds, organiserNames } from '../texts/happenings.ts'
import { houseStems, landmarks } from '../texts/names.ts'
import { gettingThere } from '../texts/outdoors.ts'
import { compose, fill, perLanguage, placeTexts } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { baseOf, contactInfosOf, contactOf, detailOf, gpsOf, imagesOf, tagsOf } from './record.ts'
import { locationOf } from './territory.ts'
import { venueId } from './venues.ts'

/** Events begin around the end of the history: some are over, some are on, most are to come. */
const daysBack = 40
const daysAhead = 200

/** There are fewer venues than events: five events share one. */
const eventsPerVenue = 5

export function events(setting: Setting, count: number): Collection {
  return { entity: 'Event', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'event', index)
  const municipality = setting.geography.somewhere(random)
  const kind = random.pick(happeningKinds)
  const mark = fill(random.pick(landmarks))
  const slots = { mark, place: placeTexts(municipality.place), stem: random.pick(houseStems) }
  const name = fill(random.pick(kind.names), slots)
  const id = idOf(setting, 'Event', index)
  const source = random.chance(0.06) ? 'research' : 'lts'
  const location = locationOf(setting, municipality, index)
  const hasVenue = random.chance(0.3)
  return {
    ...baseOf(setting, { id, source, name, random }),
    ...tagsOf(kind.tags),
    ...datesOf(setting, random),
    ...termsOf(random),
    ...contactsOf(random, municipality, kind.tags),
    Detail: detailOf({ title: name, base: compose(random, [kind.texts, gettingThere], slots) }),
    EventAdditionalInfos: perLanguage(name, (language) => ({
      Language: language,
      MeetingPoint: placeTexts(municipality.place)[language] ?? null,
      Location: location.DistrictInfo.Name[language] ?? null,
    })),
    GpsInfo: gpsOf(municipality.siteIn(random, 'village')),
    LocationInfo: location,
    DistrictId: location.DistrictInfo.Id,
    DistrictIds: [location.DistrictInfo.Id],
    VenueIds: hasVenue ? [venueId(setting, Math.floor(index / eventsPerVenue))] : [],
    ImageGallery: imagesOf(setting, { kind: 'event', id, name, count: 1 }),
  }
}

/** One date, or several a week apart. */
function datesOf(setting: Setting, random: Random) {
  const begin = lastMidnight(setting) + random.between(-daysBack, daysAhead) * day
  const count = random.chance(0.3) ? random.between(2, 6) : 1
  const lasts = random.chance(0.2) ? random.between(1, 4) : 0
  const opens = random.between(8, 20)
  const dates = Array.from({ length: count }, (_, index) => {
    const from = begin + index * 7 * day
    const to = from + lasts * day
    return {
      EventDateId: random.uuid(),
      ...{ From: dateTimeOf(from), FromUTC: from + opens * hour },
      ...{ To: dateTimeOf(to), ToUTC: to + (opens + 2) * hour },
      ...{ Begin: clock(opens), End: clock(opens + 2) },
      ...{ Active: true, SingleDays: lasts === 0, IsCancelled: random.chance(0.02) },
      ...{ IsBookable: false, MinPersons: 0, MaxPersons: random.between(10, 400) },
    }
  })
  return { DateBegin: at(dates, 0).From, DateEnd: at(dates, count - 1).To, EventDate: dates }
}

function clock(hours: number): string {
  return `${String(hours).padStart(2, '0')}:00:00`
}

/** Price and registration; one event in nine is free. */
function termsOf(random: Random) {
  const price = random.between(0, 8) * 5
  const admission = {
    ...{ Order: 1, Price: price, VariantId: random.uuid(), IsStandard: true },
    Name: { de: 'Eintritt', it: 'Ingresso', en: 'Admission' },
  }
  return {
    EventProperty: {
      TicketRequired: price > 0,
      RegistrationRequired: random.chance(0.3),
      IncludedInSuedtirolGuestPass: random.chance(0.2),
      IsBookable: price > 0,
      EventOrganizerId: random.hex(32).toUpperCase(),
    },
    EventVariants: price > 0 ? [admission] : [],
  }
}

function contactsOf(random: Random, municipality: Municipality, tags: readonly string[]) {
  const organiser = fill(random.pick(organiserNames), { place: placeTexts(municipality.place) })
  const contact = contactOf(random, municipality, organiser['de'] ?? '')
  const page = { de: contact.website, it: contact.website, en: contact.website }
  const ticketPage = { Type: 'bookingUrl', Url: page, Active: true }
  return {
    ContactInfos: contactInfosOf(contact, organiser),
    OrganizerInfos: contactInfosOf(contact, organiser),
    EventUrls: [
      { Type: 'homePage', Url: page, Active: true },
      ...(tags.includes('eventtopic:music') ? [ticketPage] : []),
    ],
  }
}
