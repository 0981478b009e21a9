import type { Texts } from '../canonical.ts'
import type { Municipality, Site } from '../geography/geography.ts'
import { regionKeys, regionNames } from '../geography/places.ts'
import { at } from '../random.ts'
import { drawFor } from '../setting.ts'
import type { Setting } from '../setting.ts'
import * as landscapes from '../texts/landscapes.ts'
import { compose, fill, placeTexts } from '../texts/phrase.ts'
import type { Collection } from './collection.ts'
import {
  baseOf,
  contactInfosOf,
  contactOf,
  detailOf,
  gpsOf,
  imagesOf,
  inLanguagesOf,
} from './record.ts'
import { skiAreaIdsIn } from './ski-territory.ts'
import {
  associationId,
  associationKeyOf,
  associationsOf,
  districtAt,
  districtsPerMunicipality,
  municipalityId,
  regionId,
} from './territory.ts'

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

/** What they have in common (content.md 7.9). */
export function portray(setting: Setting, { id, kind, name, site, municipality }: Portrait) {
  const random = drawFor(setting, kind, id)
  const short = fill(random.pick(landscapes.shorts), { name })
  const slots = { name, altitude: site.altitude, region: regionNames[municipality.place.region] }
  const base = compose(random, [landscapes.placeTexts, landscapes.surroundings], slots)
  const [position] = gpsOf(site)
  return {
    ...baseOf(setting, { id, source: 'idm', name, random }),
    // The territory itself is always open and active: everything else refers to it.
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
    const name = fill(at(landscapes.associationNames, 0), { name: placeTexts(municipality.place) })
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

/** Numbers at the statistical office are made up as well: 021 is the province. */
export function istatNumber(index: number): string {
  return `021${String(900 + index)}`
}
