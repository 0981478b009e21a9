import type { Texts } from '../canonical.ts'
import type { Municipality, Site } from '../geography/geography.ts'
import { regionKeys, regionNames } from '../geography/places.ts'
import type { RegionKey } from '../geography/places.ts'
import { at } from '../random.ts'
import { drawFor, idOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { fill, placeTexts } from '../phrase.ts'
import { demoTexts } from '../texts.ts'

/** The divisions of the region, and the division to which a place belongs. */

type Association = {
  readonly key: string
  readonly region: RegionKey
  readonly municipalities: readonly Municipality[]
}

type District = {
  readonly id: string
  readonly name: Texts
  readonly municipality: Municipality
  readonly site: Site
}

/** Maximum number of neighbouring municipalities in a region that share a tourism association. */
const municipalitiesPerAssociation = 3
export const districtsPerMunicipality = 2

export function associationsOf({ geography }: Setting): readonly Association[] {
  return regionKeys.flatMap((region) => {
    const members = geography.municipalities.filter(({ place }) => place.region === region)
    const count = Math.ceil(members.length / municipalitiesPerAssociation)
    return Array.from({ length: count }, (_, index) => {
      const from = index * municipalitiesPerAssociation
      const municipalities = members.slice(from, from + municipalitiesPerAssociation)
      return { key: at(municipalities, 0).place.key, region, municipalities }
    })
  })
}

/**
 * Returns the association of a municipality, determined by the municipality's position in its
 * region.
 */
export function associationKeyOf({ geography }: Setting, { place }: Municipality): string {
  const members = geography.municipalities.filter((other) => other.place.region === place.region)
  const position = members.findIndex((other) => other.place.key === place.key)
  return at(members, position - (position % municipalitiesPerAssociation)).place.key
}

export const regionId = (setting: Setting, key: RegionKey) => idOf(setting, 'Region', key)
export const associationId = (setting: Setting, key: string) => idOf(setting, 'Association', key)
export const municipalityId = (setting: Setting, { place }: Municipality) =>
  idOf(setting, 'Municipality', place.key)

/** Returns a district by its index: each municipality has two, the village first. */
export function districtAt(setting: Setting, index: number): District {
  const { municipalities } = setting.geography
  const municipality = at(municipalities, Math.floor(index / districtsPerMunicipality))
  const random = drawFor(setting, 'district', index)
  const isVillage = index % districtsPerMunicipality === 0
  const village = placeTexts(municipality.place)
  const quarter = fill(random.pick(demoTexts.names.quarters.slice(1)))
  const addition = (language: string) => quarter[language] ?? quarter['de'] ?? ''
  const name = Object.fromEntries(
    Object.entries(village).map(([language, text]) => [
      language,
      isVillage ? text : `${text} - ${addition(language)}`,
    ]),
  )
  const site = isVillage ? municipality.centre : municipality.siteIn(random, 'anywhere')
  return { id: idOf(setting, 'District', index), name, municipality, site }
}

/** Returns `LocationInfo` for a municipality. `part` selects one of its districts. */
export function locationOf(setting: Setting, municipality: Municipality, part: number) {
  const district = districtAt(
    setting,
    municipality.index * districtsPerMunicipality + (part % districtsPerMunicipality),
  )
  const association = associationKeyOf(setting, municipality)
  const seat = at(
    setting.geography.municipalities.filter(({ place }) => place.key === association),
    0,
  )
  const { region } = municipality.place
  return {
    RegionInfo: { Id: regionId(setting, region), Name: regionNames[region] },
    TvInfo: { Id: associationId(setting, association), Name: placeTexts(seat.place) },
    MunicipalityInfo: {
      Id: municipalityId(setting, municipality),
      Name: placeTexts(municipality.place),
    },
    DistrictInfo: { Id: district.id, Name: district.name },
  }
}

/** Ski areas are in the highest municipalities, numbered from west to east. */

export const skiAreaCount = 16
export const skiAreasPerRegion = 4

export const skiAreaId = (setting: Setting, index: number) => idOf(setting, 'SkiArea', index)
export const skiRegionId = (setting: Setting, index: number) => idOf(setting, 'SkiRegion', index)

export function skiMunicipalities({ geography }: Setting): readonly Municipality[] {
  return geography.municipalities
    .toSorted((left, right) => right.place.altitude - left.place.altitude)
    .slice(0, skiAreaCount)
    .toSorted((left, right) => left.place.longitude - right.place.longitude)
}

/** Returns the identifiers of the ski areas in these municipalities. */
export function skiAreaIdsIn(
  setting: Setting,
  members: readonly Municipality[],
): readonly string[] {
  return skiMunicipalities(setting).flatMap((municipality, index) =>
    members.includes(municipality) ? [skiAreaId(setting, index)] : [],
  )
}
