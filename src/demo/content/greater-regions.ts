import type { ContentItem } from '../canonical.ts'
import type { Municipality } from '../geography/geography.ts'
import type { RegionKey } from '../geography/places.ts'
import { at } from '../random.ts'
import { idOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { experienceAreaNames, metaRegionNames } from '../texts/landscapes.ts'
import { fill } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { portray } from './regions.ts'
import {
  associationId,
  associationsOf,
  districtAt,
  districtsPerMunicipality,
  regionId,
} from './territory.ts'

/** What marketing makes of the regions: larger ones, and ones across their borders. */

export function metaRegions(setting: Setting): Collection {
  return {
    entity: 'MetaRegion',
    count: metaRegionNames.length,
    item: (index) => toMeta(setting, index),
  }
}

export function experienceAreas(setting: Setting): Collection {
  return {
    entity: 'ExperienceArea',
    count: experienceAreaNames.length,
    item: (index) => toExperience(setting, index),
  }
}

function toMeta(setting: Setting, index: number): ContentItem {
  const { name, regions } = at(metaRegionNames, index)
  const keys: readonly RegionKey[] = regions
  const members = setting.geography.municipalities.filter(({ place }) =>
    keys.includes(place.region),
  )
  return {
    ...portray(setting, {
      ...portraitOf(members),
      id: idOf(setting, 'MetaRegion', index),
      kind: 'metaregion',
      name: fill(name),
    }),
    RegionIds: keys.map((key) => regionId(setting, key)),
    ...partsOf(setting, members),
  }
}

/** Every fourth association belongs to the same area. */
function toExperience(setting: Setting, index: number): ContentItem {
  const members = associationsOf(setting)
    .filter((_, position) => position % experienceAreaNames.length === index)
    .flatMap(({ municipalities }) => municipalities)
  const name = fill(at(experienceAreaNames, index))
  return {
    ...portray(setting, {
      ...portraitOf(members),
      id: idOf(setting, 'ExperienceArea', index),
      kind: 'experiencearea',
      name,
    }),
    ...partsOf(setting, members),
  }
}

function portraitOf(members: readonly Municipality[]) {
  const municipality = at(members, 0)
  return { municipality, site: municipality.centre }
}

function partsOf(setting: Setting, members: readonly Municipality[]) {
  return {
    TourismvereinIds: associationsOf(setting)
      .filter(({ municipalities }) => members.includes(at(municipalities, 0)))
      .map(({ key }) => associationId(setting, key)),
    DistrictIds: members.map(
      ({ index }) => districtAt(setting, index * districtsPerMunicipality).id,
    ),
  }
}
