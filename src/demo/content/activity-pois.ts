import type { ContentItem, Texts } from '../canonical.ts'
import type { Municipality, Site } from '../geography/geography.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { drawFor, idOf, yearOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { compose, fill, perLanguage, placeTexts } from '../phrase.ts'
import type { Slots } from '../phrase.ts'
import { accommodationId } from './accommodations.ts'
import { scheduleOf } from './events.ts'
import {
  baseOf,
  categoryNames,
  contactInfosOf,
  contactOf,
  detailOf,
  gpsOf,
  imagesOf,
  inLanguagesOf,
  ltsTagsOf,
  tagsOf,
} from './record.ts'
import type { Collection } from './record.ts'
import { areaId, areaNearby } from './regions.ts'
import { locationOf } from './territory.ts'
import { demoTexts } from '../texts.ts'
import type { SightKind } from '../texts.ts'

/** Returns activities, points of interest and gastronomy. Half of them are activities. */
export function activityPois(setting: Setting, count: number): Collection {
  return {
    entity: setting.naming.activityPoi,
    count,
    item: (index) => activityPoi(setting, index),
  }
}

type Subject = {
  readonly index: number
  readonly random: Random
  readonly municipality: Municipality
  readonly slots: Slots
}

/** Specific fields of an activity, a sight or a place to eat. */
type Portrait = {
  readonly tags: readonly string[]
  readonly source: string
  readonly season: 'summer' | 'winter' | 'all'
  readonly title: Texts
  readonly base: Texts
  readonly short: Texts
  readonly advice: Readonly<Record<string, Texts>>
  readonly site: Site
  readonly members: Readonly<Record<string, unknown>>
}

function activityPoi(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'activity-poi', index)
  const municipality = setting.geography.somewhere(random)
  const slots = {
    mark: fill(random.pick(demoTexts.names.landmarks)),
    place: placeTexts(municipality.place),
    stem: random.pick(demoTexts.names.houseStems),
    family: random.pick(demoTexts.names.families),
  }
  const subject = { index, random, municipality, slots }
  const portray = at([activity, sight, activity, gastronomy], index % 4)
  return toRecord(setting, subject, portray(subject))
}

function activity({ random, municipality, slots }: Subject): Portrait {
  const kind = random.pick(demoTexts.outdoors.activityKinds)
  const top = municipality.siteIn(random, 'mountain')
  const site = municipality.siteIn(random, 'anywhere')
  return {
    tags: kind.tags,
    source: kind.tags.includes('ski lift') || kind.tags.includes('slope') ? 'lifts' : 'lts',
    season: kind.season,
    title: fill(random.pick(kind.names), slots),
    base: compose(random, [kind.texts, demoTexts.outdoors.advice], slots),
    short: fill(random.pick(demoTexts.outdoors.shorts), slots),
    advice: {
      GetThereText: fill(random.pick(demoTexts.outdoors.gettingThere), slots),
      AuthorTip: fill(random.pick(demoTexts.outdoors.advice), slots),
    },
    site,
    members: routeOf(random, { from: site, to: top, tags: kind.tags }),
  }
}

function sight(subject: Subject): Portrait {
  const { random, municipality } = subject
  const kind = random.pick(demoTexts.sights.sightKinds)
  const source = kind.tags.includes('museums')
    ? 'museums'
    : kind.tags.includes('wineries')
      ? 'wine'
      : 'idm'
  return {
    ...visit(subject, kind),
    tags: ['poi', ...kind.tags],
    source,
    site: municipality.siteIn(random, 'anywhere'),
    members: {
      AdditionalProperties: {
        PoiLtsDataProperties: { IsOpen: random.chance(0.8), HasFreeEntrance: random.chance(0.5) },
        PoiAgeDataProperties: { AgeFrom: random.between(0, 8), AgeTo: 99 },
      },
      AgeFrom: 0,
      AgeTo: 99,
    },
  }
}

function gastronomy(subject: Subject): Portrait {
  const { random, municipality } = subject
  const kind = random.pick(demoTexts.sights.gastronomyKinds)
  const isHut = kind.tags.includes('mountain huts')
  return {
    ...visit(subject, kind),
    tags: kind.tags,
    source: 'lts',
    site: municipality.siteIn(random, isHut ? 'mountain' : 'village'),
    members: {
      AdditionalProperties: {
        GastronomyLtsDataProperties: {
          MaxSeatingCapacity: random.between(20, 180),
          CategoryCodes: [{ Id: 'DEMO-CATEGORY', Shortname: at(kind.tags, 2) }],
          DishRates: [
            {
              Id: 'DEMO-DISH',
              Shortname: 'Menu',
              MinAmount: random.between(9, 25),
              MaxAmount: random.between(26, 90),
              CurrencyCode: 'EUR',
            },
          ],
        },
      },
    },
  }
}

function visit({ random, slots }: Subject, kind: SightKind) {
  return {
    season: 'all' as const,
    title: fill(random.pick(kind.names), slots),
    base: compose(random, [kind.texts, demoTexts.outdoors.gettingThere], slots),
    short: fill(random.pick(demoTexts.sights.shorts), slots),
    advice: { GetThereText: fill(random.pick(demoTexts.outdoors.gettingThere), slots) },
  }
}

function toRecord(
  setting: Setting,
  { index, random, municipality }: Subject,
  portrait: Portrait,
): ContentItem {
  const { source, title, base, short, site } = portrait
  const id = idOf(setting, 'ActivityPoi', index).toLowerCase()
  const tags = [...portrait.tags, ...random.some(extraTags, random.between(0, 1))]
  const location = locationOf(setting, municipality, index)
  const contact = contactOf(random, municipality, title['de'] ?? '')
  const kind = at(tags, 0).replaceAll(' ', '')
  // One record in three has texts in eight languages.
  const spoken = random.chance(0.33) ? inLanguagesOf(short, title) : title
  return {
    ...baseOf(setting, { id, source, name: title, random }),
    ...tagsOf(tags),
    LTSTags: source === 'lts' ? ltsTagsOf(tags) : null,
    Detail: detailOf({ title: spoken, base, intro: short, further: portrait.advice }),
    AdditionalPoiInfos: perLanguage(base, (language) => ({
      Language: language,
      Categories: categoryNames(tags, language),
    })),
    ContactInfos: contactInfosOf(contact, title),
    ImageGallery: imagesOf(setting, { kind, id, name: title, count: random.between(1, 3) }),
    GpsInfo: gpsOf(site),
    LocationInfo: location,
    DistrictId: location.DistrictInfo.Id,
    TourismorganizationId: location.TvInfo.Id,
    AreaIds: [areaId(setting, areaNearby(municipality.index))],
    OperationSchedule: scheduleOf(random, portrait.season, yearOf(setting)),
    RelatedContent: random.chance(0.2) ? [houseNearby(setting, index)] : [],
    ...portrait.members,
  }
}

const extraTags = ['family', 'barrier-free'] as const

/** Refers to a house. There are three houses for five tours and sights. */
function houseNearby(setting: Setting, index: number) {
  return { Id: accommodationId(setting, Math.floor(index * 0.6)), Type: 'accommodation' }
}

type Way = {
  readonly from: Site
  readonly to: Site
  readonly tags: readonly string[]
}

/** Metres that a walker or rider covers per hour. */
const pace = 3800

/**
 * Returns length, altitude, duration and ratings of a route between two sites, and its conditions.
 */
function routeOf(random: Random, { from, to, tags }: Way) {
  const lowest = Math.min(from.altitude, to.altitude)
  const highest = Math.max(from.altitude, to.altitude)
  const length = Math.max(600, Math.round(distance(from, to) * (1.3 + random.next() * 0.5)))
  const climb = highest - lowest
  const grade = () => String(random.between(1, 6))
  return {
    GpsInfo: gpsOf(from, { startingpoint: from, arrivalpoint: to }),
    AltitudeDifference: climb,
    AltitudeLowestPoint: lowest,
    AltitudeHighestPoint: highest,
    AltitudeSumUp: climb + random.between(0, 120),
    AltitudeSumDown: random.between(0, climb + 120),
    DistanceLength: length,
    DistanceDuration: Math.round((length / pace + climb / 500) * 4) / 4,
    Ratings: {
      Stamina: grade(),
      Experience: grade(),
      Landscape: grade(),
      Difficulty: grade(),
      Technique: grade(),
    },
    IsOpen: random.chance(0.85),
    IsPrepared: tags.includes('winter') && random.chance(0.8),
    RunToValley: tags.includes('slope') && random.chance(0.3),
    IsWithLigth: tags.includes('sledging trail') && random.chance(0.4),
    HasRentals: random.chance(0.4),
    LiftAvailable: random.chance(0.3),
    FeetClimb: tags.includes('sledging trail'),
    BikeTransport: tags.includes('ski lift') && random.chance(0.6),
    HasFreeEntrance: random.chance(0.7),
    Exposition: random.some(['N', 'E', 'S', 'W'], random.between(1, 2)),
    WayNumber: random.between(1, 32),
  }
}

/**
 * Returns the distance between two sites in metres. A plane is accurate enough for a few
 * kilometres.
 */
function distance(from: Site, to: Site): number {
  const east = (to.longitude - from.longitude) * 76_400
  const north = (to.latitude - from.latitude) * 111_200
  return Math.hypot(east, north)
}
