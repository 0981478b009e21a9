import type { ContentItem } from '../canonical.ts'
import { dateTimeOf, day, drawFor, hour, idOf, isoOf, lastMidnight } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { meetingNames, meetingTexts } from '../texts/happenings.ts'
import { fill } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { baseOf, detailOf, gpsOf } from './record.ts'
import { planVenue } from './venues.ts'

/** Two meetings share a venue, so there is one for each. */
const meetingsPerVenue = 2

/** Meetings and workshops of a technology park and its neighbours. */
export function eventShorts(setting: Setting, count: number): Collection {
  return { entity: 'EventShort', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'event-short', index)
  const name = fill(random.pick(meetingNames))
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
    Detail: detailOf({ title: name, base: fill(random.pick(meetingTexts)) }),
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
