import type { ContentItem } from '../canonical.ts'
import { at } from '../random.ts'
import { drawFor, idOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { surroundings } from '../texts/landscapes.ts'
import { landmarks } from '../texts/names.ts'
import { compose, fill, placeTexts } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import { baseOf, detailOf } from './record.ts'
import { skiAreaId, skiMunicipalities } from './ski-territory.ts'
import { associationId, associationKeyOf, municipalityId, regionId } from './territory.ts'

/** Areas for hiking and skiing: two neighbouring municipalities share one. */
const municipalitiesPerArea = 2

const areaName = { de: '{mark} ({place})', it: '{mark} ({place})', en: '{mark} ({place})' }

export const areaId = (setting: Setting, index: number) => idOf(setting, 'Area', index)

/** The area that a municipality lies in. */
export function areaNearby(municipality: number): number {
  return Math.floor(municipality / municipalitiesPerArea)
}

export function areas(setting: Setting): Collection {
  const count = Math.ceil(setting.geography.municipalities.length / municipalitiesPerArea)
  return { entity: 'Area', count, item: (index) => toRecord(setting, index) }
}

function toRecord(setting: Setting, index: number): ContentItem {
  const random = drawFor(setting, 'area', index)
  const municipality = at(setting.geography.municipalities, index * municipalitiesPerArea)
  const slots = { mark: fill(random.pick(landmarks)), place: placeTexts(municipality.place) }
  const title = fill(areaName, slots)
  const id = areaId(setting, index)
  const skiArea = skiMunicipalities(setting).indexOf(municipality)
  return {
    ...baseOf(setting, { id, source: 'lts', name: title, random }),
    Detail: detailOf({ title, base: compose(random, [surroundings]) }),
    AreaType: skiArea < 0 ? 'hiking' : 'skiing',
    GID: null,
    RegionId: regionId(setting, municipality.place.region),
    TourismvereinId: associationId(setting, associationKeyOf(setting, municipality)),
    MunicipalityId: municipalityId(setting, municipality),
    SkiAreaID: skiArea < 0 ? null : skiAreaId(setting, skiArea),
  }
}
