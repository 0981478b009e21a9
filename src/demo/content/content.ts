import type { ContentItem, ContentObject } from '../canonical.ts'
import type { Setting } from '../setting.ts'
import { accommodations, rooms } from './accommodations.ts'
import { activityPois } from './activity-pois.ts'
import { articles, webcams, wineAwards } from './articles.ts'
import { eventShorts, events, venues } from './events.ts'
import { publishers, sources, tags } from './record.ts'
import type { Collection } from './record.ts'
import {
  areas,
  districts,
  experienceAreas,
  geoShapes,
  metaRegions,
  municipalities,
  regions,
  tourismAssociations,
} from './regions.ts'
import { skiAreas, skiRegions } from './ski-areas.ts'
import {
  measuringpoints,
  weatherBulletins,
  weatherDistricts,
  weatherForecasts,
  weatherRealtimes,
} from './weather.ts'

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

/** The rooms of the houses, whose availability is reported. */
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
