import type { LineString, Point } from 'geojson'
import type { ContentItem, Texts } from '../canonical.ts'
import type { Municipality, Shape, Site } from '../geography/geography.ts'
import { regionKeys, regionNames } from '../geography/places.ts'
import { lineAlong, rivers, roads } from '../geography/roads.ts'
import type { RegionKey } from '../geography/places.ts'
import { at } from '../random.ts'
import { drawFor, idOf, isoOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { compose, fill, placeTexts } from '../phrase.ts'
import type { Collection } from './record.ts'
import {
  baseOf,
  contactInfosOf,
  contactOf,
  detailOf,
  gpsOf,
  imagesOf,
  inLanguagesOf,
} from './record.ts'
import {
  associationId,
  associationKeyOf,
  associationsOf,
  districtAt,
  districtsPerMunicipality,
  municipalityId,
  regionId,
  skiAreaId,
  skiAreaIdsIn,
  skiMunicipalities,
} from './territory.ts'
import { demoTexts } from '../texts.ts'

/** Regions, tourism associations, municipalities and districts. */

type Portrait = {
  readonly id: string
  readonly kind: string
  readonly name: Texts
  readonly site: Site
  readonly municipality: Municipality
}

const openLicence = {
  ...{ License: 'CC0', LicenseHolder: 'https://idm.example', Author: '', ClosedData: false },
} as const

/** Returns the fields that all of these entities share (content.md 7.9). */
function portray(setting: Setting, { id, kind, name, site, municipality }: Portrait) {
  const random = drawFor(setting, kind, id)
  const short = fill(random.pick(demoTexts.landscapes.shorts), { name })
  const slots = { name, altitude: site.altitude, region: regionNames[municipality.place.region] }
  const base = compose(
    random,
    [demoTexts.landscapes.placeTexts, demoTexts.landscapes.surroundings],
    slots,
  )
  const [position] = gpsOf(site)
  return {
    ...baseOf(setting, { id, source: 'idm', name, random }),
    // The territory is always open and active, because everything else refers to it.
    LicenseInfo: openLicence,
    Active: true,
    [setting.naming.active]: true,
    Detail: detailOf({ title: inLanguagesOf(short, name), base, intro: short }),
    ContactInfos: contactInfosOf(contactOf(random, municipality, name['de'] ?? ''), name),
    ImageGallery: imagesOf(setting, { kind, id, name, count: 2 }),
    GpsInfo: gpsOf(site),
    Geo: { position },
    VisibleInSearch: true,
  }
}

export function regions(setting: Setting): Collection {
  const item = (index: number) => {
    const key = at(regionKeys, index)
    const members = setting.geography.municipalities.filter(({ place }) => place.region === key)
    const seat = members.reduce((most, other) =>
      other.place.weight > most.place.weight ? other : most,
    )
    const id = regionId(setting, key)
    return {
      ...portray(setting, {
        id,
        kind: 'region',
        name: regionNames[key],
        site: seat.centre,
        municipality: seat,
      }),
      SkiareaIds: skiAreaIdsIn(setting, members),
    }
  }
  return { entity: 'Region', count: regionKeys.length, item }
}

export function tourismAssociations(setting: Setting): Collection {
  const associations = associationsOf(setting)
  const item = (index: number) => {
    const { key, region, municipalities } = at(associations, index)
    const municipality = at(municipalities, 0)
    const name = fill(at(demoTexts.landscapes.associationNames, 0), {
      name: placeTexts(municipality.place),
    })
    const id = associationId(setting, key)
    return {
      ...portray(setting, {
        id,
        kind: 'association',
        name,
        site: municipality.centre,
        municipality,
      }),
      RegionId: regionId(setting, region),
      SkiareaIds: skiAreaIdsIn(setting, municipalities),
    }
  }
  return { entity: 'TourismAssociation', count: associations.length, item }
}

export function municipalities(setting: Setting): Collection {
  const all = setting.geography.municipalities
  const item = (index: number) => {
    const municipality = at(all, index)
    const { place, centre } = municipality
    const id = municipalityId(setting, municipality)
    const name = placeTexts(place)
    return {
      ...portray(setting, { id, kind: 'municipality', name, site: centre, municipality }),
      Plz: place.zip,
      IstatNumber: istatNumber(index),
      SiagId: String(8800 + index),
      Inhabitants: place.weight * 1450 + drawFor(setting, 'inhabitants', index).between(0, 999),
      RegionId: regionId(setting, place.region),
      TourismvereinId: associationId(setting, associationKeyOf(setting, municipality)),
    }
  }
  return { entity: 'Municipality', count: all.length, item }
}

export function districts(setting: Setting): Collection {
  const item = (index: number) => {
    const { id, name, municipality, site } = districtAt(setting, index)
    return {
      ...portray(setting, { id, kind: 'district', name, site, municipality }),
      IsComune: index % districtsPerMunicipality === 0,
      RegionId: regionId(setting, municipality.place.region),
      TourismvereinId: associationId(setting, associationKeyOf(setting, municipality)),
      MunicipalityId: municipalityId(setting, municipality),
      SiagId: String(8800 + municipality.index),
    }
  }
  const count = setting.geography.municipalities.length * districtsPerMunicipality
  return { entity: 'District', count, item }
}

/** Returns a fictional number of the statistical office. The prefix 021 denotes the province. */
export function istatNumber(index: number): string {
  return `021${String(900 + index)}`
}

/** Groupings of regions for marketing: larger ones, and ones across their borders. */

export function metaRegions(setting: Setting): Collection {
  return {
    entity: 'MetaRegion',
    count: demoTexts.landscapes.metaRegionNames.length,
    item: (index) => toMeta(setting, index),
  }
}

export function experienceAreas(setting: Setting): Collection {
  return {
    entity: 'ExperienceArea',
    count: demoTexts.landscapes.experienceAreaNames.length,
    item: (index) => toExperience(setting, index),
  }
}

function toMeta(setting: Setting, index: number): ContentItem {
  const { name, regions } = at(demoTexts.landscapes.metaRegionNames, index)
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

/** Creates an area of experience. Every fourth association belongs to the same area. */
function toExperience(setting: Setting, index: number): ContentItem {
  const members = associationsOf(setting)
    .filter((_, position) => position % demoTexts.landscapes.experienceAreaNames.length === index)
    .flatMap(({ municipalities }) => municipalities)
  const name = fill(at(demoTexts.landscapes.experienceAreaNames, index))
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

/** Number of neighbouring municipalities that share an area for hiking and skiing. */
const municipalitiesPerArea = 2

const areaName = { de: '{mark} ({place})', it: '{mark} ({place})', en: '{mark} ({place})' }

export const areaId = (setting: Setting, index: number) => idOf(setting, 'Area', index)

/** Returns the area to which a municipality belongs. */
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
  const slots = {
    mark: fill(random.pick(demoTexts.names.landmarks)),
    place: placeTexts(municipality.place),
  }
  const title = fill(areaName, slots)
  const id = areaId(setting, index)
  const skiArea = skiMunicipalities(setting).indexOf(municipality)
  return {
    ...baseOf(setting, { id, source: 'lts', name: title, random }),
    Detail: detailOf({ title, base: compose(random, [demoTexts.landscapes.surroundings]) }),
    AreaType: skiArea < 0 ? 'hiking' : 'skiing',
    GID: null,
    RegionId: regionId(setting, municipality.place.region),
    TourismvereinId: associationId(setting, associationKeyOf(setting, municipality)),
    MunicipalityId: municipalityId(setting, municipality),
    SkiAreaID: skiArea < 0 ? null : skiAreaId(setting, skiArea),
  }
}

type Outline = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly shape: Shape | LineString | Point
}

/**
 * Returns the outlines of the province, of its regions and of its municipalities, which tile it,
 * and also the roads and rivers between them and the towns.
 */
export function geoShapes(setting: Setting): Collection {
  const outlines = [...outlinesOf(setting), ...coursesOf(setting), ...townsOf(setting)]
  return {
    entity: 'GeoShape',
    count: outlines.length,
    item: (index) => {
      const { id, name, type, shape } = at(outlines, index)
      return {
        Id: id,
        Name: name,
        Type: type,
        Country: 'IT',
        Source: 'cadastre',
        Shortname: name,
        LicenseInfo: {
          License: 'CC0',
          Author: '',
          LicenseHolder: 'https://cadastre.example',
          ClosedData: false,
        },
        LastChange: isoOf(setting.until),
        Mapping: { cadastre: { id } },
        Srid: 'EPSG:4326',
        Geometry: shape,
      }
    },
  }
}

function outlinesOf({ geography }: Setting): readonly Outline[] {
  const province = { id: '21_demo', name: 'Südtirol/Alto Adige', type: 'province' }
  return [
    { ...province, shape: geography.outline },
    ...regionKeys.flatMap((key) => {
      const shape = geography.regionShapes.get(key)
      const { de, it } = regionNames[key]
      return shape ? [{ id: `${key}_demo`, name: `${de}/${it}`, type: 'region', shape }] : []
    }),
    ...geography.municipalities.map(({ place: { de, it }, index, shape }) => ({
      ...{ id: `${istatNumber(index)}_demo`, type: 'municipality', shape },
      name: de === it ? de : `${de}/${it}`,
    })),
  ]
}

function coursesOf({ geography }: Setting): readonly Outline[] {
  const shapeOf = (course: (typeof rivers)[number]): LineString => ({
    type: 'LineString',
    coordinates: lineAlong(geography, course, [0, 1]),
  })
  return [
    ...roads.map((road) => ({
      ...{ id: `${road.key}_road_demo`, name: road.number, type: 'road', shape: shapeOf(road) },
    })),
    ...rivers.map((river) => ({
      ...{ id: `${river.key}_river_demo`, name: `${river.de}/${river.it}`, type: 'river' },
      shape: shapeOf(river),
    })),
  ]
}

/** Weight from which a municipality is a town. */
const townWeight = 6

function townsOf({ geography }: Setting): readonly Outline[] {
  return geography.municipalities
    .filter(({ place }) => place.weight >= townWeight)
    .map(({ place: { key, de, it }, centre: { longitude, latitude } }) => ({
      ...{ id: `${key}_town_demo`, name: `${de}/${it}`, type: 'town' },
      shape: { type: 'Point', coordinates: [longitude, latitude] },
    }))
}
