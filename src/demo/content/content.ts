import type { ContentItem, ContentObject } from '../canonical.ts'
import type { Setting } from '../setting.ts'
import { accommodations } from './accommodations.ts'
import { activityPois } from './activity-pois.ts'
import { areas } from './areas.ts'
import { articles } from './articles.ts'
import type { Collection } from './collection.ts'
import { eventShorts } from './event-shorts.ts'
import { events } from './events.ts'
import { experienceAreas, metaRegions } from './greater-regions.ts'
import { districts, municipalities, regions, tourismAssociations } from './regions.ts'
import { rooms } from './rooms.ts'
import { geoShapes } from './shapes.ts'
import { skiAreas, skiRegions } from './ski-areas.ts'
import { publishers, sources } from './sources.ts'
import { tags } from './tags.ts'
import { venues } from './venues.ts'
import { weatherBulletins } from './weather-bulletins.ts'
import { weatherDistricts, weatherForecasts } from './weather-forecasts.ts'
import { measuringpoints, weatherRealtimes } from './weather-stations.ts'
import { webcams } from './webcams.ts'
import { wineAwards } from './wine-awards.ts'

/** Records at scale 1. The territory stays as it is; houses, tours and the like grow with the scale. */
const recordsPerScale = 3000

/** Items of one message: a page of the content service holds a thousand, so half of that is modest. */
const itemsPerMessage = 500

/** All collections, what others refer to first. */
export function collectionsOf(setting: Setting): readonly Collection[] {
  const territory = territoryOf(setting)
  const atFullSize = recordsPerScale * Math.max(1, setting.scale) - total(territory)
  return [...territory, ...offersOf(setting, Math.round(atFullSize * Math.min(1, setting.scale)))]
}

function territoryOf(setting: Setting): readonly Collection[] {
  return [
    sources(setting),
    publishers(),
    tags(setting),
    // The hub writes the names of tags and areas into the records that come after them.
    areas(setting),
    metaRegions(setting),
    regions(setting),
    experienceAreas(setting),
    tourismAssociations(setting),
    municipalities(setting),
    districts(setting),
    skiRegions(setting),
    skiAreas(setting),
    geoShapes(setting),
    weatherBulletins(setting),
    weatherDistricts(setting),
    weatherForecasts(setting),
    weatherRealtimes(setting),
    measuringpoints(setting),
  ]
}

/**
 * Shares out a number of records; tours, sights and places to eat take what the others leave. The
 * shares see to it that everything a record refers to exists: houses for articles, venues for events.
 */
function offersOf(setting: Setting, records: number): readonly Collection[] {
  const share = (part: number) => Math.ceil(records * part)
  const houses = share(0.24)
  const others = [
    accommodations(setting, houses),
    rooms(setting, houses),
    venues(setting, share(0.018)),
    events(setting, share(0.08)),
    eventShorts(setting, share(0.022)),
    articles(setting, share(0.028)),
    webcams(setting, share(0.036)),
    wineAwards(setting, share(0.008)),
  ]
  return [...others, activityPois(setting, Math.max(0, records - total(others)))]
}

/** The rooms of the houses, which free rooms are told of. */
export function roomsOf(setting: Setting): Collection {
  const found = collectionsOf(setting).find(({ entity }) => entity === 'AccommodationRoom')
  if (found === undefined) throw new RangeError('The region has no rooms.')
  return found
}

export function total(collections: readonly Collection[]): number {
  return collections.reduce((sum, { count }) => sum + count, 0)
}

/** All records as canonical objects. */
export function* contentOf(setting: Setting): Generator<ContentObject> {
  for (const { entity, count, item } of collectionsOf(setting)) {
    for (let from = 0; from < count; from += itemsPerMessage) {
      const size = Math.min(itemsPerMessage, count - from)
      const items: readonly ContentItem[] = Array.from({ length: size }, (_, index) =>
        item(from + index),
      )
      yield { kind: 'content', entity, items }
    }
  }
}
