import type { ContentItem, Texts } from '../canonical.ts'
import type { Municipality } from '../geography/geography.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { dateTimeOf, day, drawFor, hour, idOf, isoOf, lastMidnight, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { compose, fill, perLanguage, placeTexts } from '../phrase.ts'
import type { Collection } from './record.ts'
import { baseOf, contactInfosOf, contactOf, detailOf, gpsOf, imagesOf, tagsOf } from './record.ts'
import { locationOf } from './territory.ts'
import { demoTexts } from '../texts.ts'

/** `OperationSchedule`: seasons that recur every year, with opening hours. */

const seasons = {
  summer: {
    name: { de: 'Sommersaison', it: 'Stagione estiva', en: 'Summer season' },
    from: '05-01T00:00:00',
    to: '10-31T00:00:00',
  },
  winter: {
    name: { de: 'Wintersaison', it: 'Stagione invernale', en: 'Winter season' },
    from: '12-01T00:00:00',
    to: '04-10T00:00:00',
  },
  all: {
    name: { de: 'Ganzjährig', it: 'Tutto l’anno', en: 'All year' },
    from: '01-01T00:00:00',
    to: '12-31T00:00:00',
  },
} as const

type Season = keyof typeof seasons

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const open = 2
const timecodes = { opening: 1, warmMeals: 2 } as const

/**
 * Returns the opening hours in a season. Most have a weekly day of rest, some have hours for warm
 * meals.
 */
export function scheduleOf(random: Random, season: Season, year: number) {
  const { name, from, to } = seasons[season]
  const opensAt = random.between(7, 10)
  const closesAt = random.between(16, 22)
  const restDay = random.chance(0.6) ? random.pick(days) : undefined
  const hours = (start: number, end: number, timecode: number) => ({
    Start: clockTime(start),
    End: clockTime(end),
    ...Object.fromEntries(days.map((day) => [day, day !== restDay])),
    State: open,
    Timecode: timecode,
  })
  return [
    {
      OperationscheduleName: fill(name),
      Start: `${year}-${from}`,
      Stop: `${season === 'winter' ? year + 1 : year}-${to}`,
      Type: '2',
      OperationScheduleTime: [
        hours(opensAt, closesAt, timecodes.opening),
        ...(random.chance(0.3) ? [hours(12, 14, timecodes.warmMeals)] : []),
      ],
    },
  ]
}

function clockTime(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00:00`
}

const venueId = (setting: Setting, index: number) =>
  `urn:venue:demo:${drawFor(setting, 'venue-id', index).uuid()}`

export function venues(setting: Setting, count: number): Collection {
  return { entity: 'Venue', count, item: (index) => toVenue(setting, index) }
}

function planVenue(setting: Setting, index: number) {
  const random = drawFor(setting, 'venue', index)
  const municipality = setting.geography.somewhere(random)
  const mark = fill(random.pick(demoTexts.names.landmarks))
  const slots = { mark, place: placeTexts(municipality.place) }
  const name: Texts = fill(random.pick(demoTexts.happenings.venueNames), slots)
  return { random, municipality, slots, name, site: municipality.siteIn(random, 'village') }
}

function toVenue(setting: Setting, index: number): ContentItem {
  const { random, municipality, slots, name, site } = planVenue(setting, index)
  const id = venueId(setting, index)
  const location = locationOf(setting, municipality, index)
  return {
    ...baseOf(setting, { id, source: 'techpark', name, random }),
    TagIds: ['eventlocation'],
    Detail: detailOf({
      title: name,
      base: fill(random.pick(demoTexts.outdoors.gettingThere), slots),
    }),
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
  return Array.from(
    { length: random.between(1, demoTexts.happenings.hallNames.length) },
    (_, index) => {
      const name = fill(at(demoTexts.happenings.hallNames, index))
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
    },
  )
}

/**
 * Days around the end of the history on which events start: some are over, some are in progress,
 * most are in the future.
 */
const daysBack = 40
const daysAhead = 200

/** Number of events that share a venue, because there are fewer venues than events. */
const eventsPerVenue = 5

export function events(setting: Setting, count: number): Collection {
  return { entity: 'Event', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'event', index)
  const municipality = setting.geography.somewhere(random)
  const kind = random.pick(demoTexts.happenings.happeningKinds)
  const mark = fill(random.pick(demoTexts.names.landmarks))
  const slots = {
    mark,
    place: placeTexts(municipality.place),
    stem: random.pick(demoTexts.names.houseStems),
  }
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
    Detail: detailOf({
      title: name,
      base: compose(random, [kind.texts, demoTexts.outdoors.gettingThere], slots),
    }),
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

/** Returns one date, or several that are a week apart. */
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

/** Returns price and registration. One event in nine is free. */
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
  const organiser = fill(random.pick(demoTexts.happenings.organiserNames), {
    place: placeTexts(municipality.place),
  })
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

/** Number of meetings that share a venue, so that there is a venue for each of them. */
const meetingsPerVenue = 2

/** Returns meetings and workshops of a technology park and its neighbours. */
export function eventShorts(setting: Setting, count: number): Collection {
  return { entity: 'EventShort', count, item: (index) => toEventShort(setting, index) }
}

function toEventShort(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'event-short', index)
  const name = fill(random.pick(demoTexts.happenings.meetingNames))
  const venue = planVenue(setting, Math.floor(index / meetingsPerVenue))
  const start = lastMidnight(setting) + random.between(-20, 90) * day + random.between(8, 18) * hour
  const end = start + random.between(1, 6) * hour
  const times = {
    ...{ StartDate: dateTimeOf(start), StartDateUTC: start },
    ...{ EndDate: dateTimeOf(end), EndDateUTC: end },
  }
  const id = idOf(setting, 'EventShort', index).toLowerCase()
  return {
    ...baseOf(setting, { id, source: 'techpark', name, random }),
    TagIds: ['eventlocation'],
    EventLocation: random.pick(['NOI', 'EC', 'OUT']),
    EventId: 10_000 + index,
    Detail: detailOf({ title: name, base: fill(random.pick(demoTexts.happenings.meetingTexts)) }),
    AnchorVenue: venue.name['en'] ?? '',
    AnchorVenueShort: venue.name['de'] ?? '',
    ...times,
    ChangedOn: isoOf(Math.min(start, setting.until)),
    WebAddress: 'https://techpark.example',
    RoomBooked: [{ Space: 'Seminar', SpaceDesc: 'Seminar room', SpaceType: 'NO', ...times }],
    GpsInfo: gpsOf(venue.site),
    ExternalOrganizer: random.chance(0.4),
    SoldOut: random.chance(0.1),
    TypicalAgeRange: { AgeFrom: 16, AgeTo: 99 },
    ImageGallery: [],
  }
}
