import { isAbsent, textOf, textsOf } from './draft.ts'
import { has } from './generator.ts'
import type { GeneratorFor } from './generator.ts'

/** The address of a record, relative to the origin of the hub: it holds wherever the hub is deployed. */
export function addressOf(path: string, id: string): string {
  return `/v1/${path}/${encodeURIComponent(id)}`
}

type Link = {
  readonly member: string
  readonly from: string
  /** Path of the records that it leads to; nothing for the activities, whose name is the deployment's. */
  readonly path?: string
}

/** Lists of links, and the identifiers that they are made of (reference content.md 7.0). */
const lists: readonly Link[] = [
  { member: 'Areas', from: 'AreaIds', path: 'Area' },
  { member: 'Districts', from: 'DistrictIds', path: 'District' },
  { member: 'Municipalities', from: 'MunicipalityIds', path: 'Municipality' },
  { member: 'Regions', from: 'RegionIds', path: 'Region' },
  { member: 'TourismAssociations', from: 'TourismvereinIds', path: 'TourismAssociation' },
  { member: 'SkiAreas', from: 'SkiareaIds', path: 'SkiArea' },
  { member: 'SkiAreas', from: 'SkiAreaIds', path: 'SkiArea' },
  { member: 'VenueLink', from: 'VenueIds', path: 'Venue' },
  { member: 'AccoBoards', from: 'BoardIds', path: 'AccommodationTypes' },
  { member: 'AccoBadges', from: 'BadgeIds', path: 'AccommodationTypes' },
  { member: 'AccoThemes', from: 'ThemeIds', path: 'AccommodationTypes' },
  { member: 'AccoSpecialFeatures', from: 'SpecialFeaturesIds', path: 'AccommodationTypes' },
]

const singles: readonly Link[] = [
  { member: 'Region', from: 'RegionId', path: 'Region' },
  { member: 'Tourismassociation', from: 'TourismvereinId', path: 'TourismAssociation' },
  { member: 'Municipality', from: 'MunicipalityId', path: 'Municipality' },
  { member: 'SkiRegion', from: 'SkiRegionId', path: 'SkiRegion' },
  { member: 'SkiArea', from: 'SkiAreaID', path: 'SkiArea' },
  { member: 'AccoType', from: 'AccoTypeId', path: 'AccommodationTypes' },
  { member: 'AccoCategory', from: 'AccoCategoryId', path: 'AccommodationTypes' },
  { member: 'Company', from: 'CompanyId' },
]

/** Links to other records, from the identifiers of those. */
export const links: GeneratorFor = (entity) => {
  const isOf = ({ member, from }: Link) => has(entity, member, from)
  const [many, one] = [lists.filter(isOf), singles.filter(isOf)]
  if (many.length + one.length === 0) return undefined
  const toLink = (id: string, path = entity.naming.activityPoi) => ({
    Id: id,
    Self: addressOf(path, id),
  })
  return ({ record, give }) => {
    for (const { member, from, path } of many) {
      const ids = isAbsent(record[member]) ? textsOf(record[from]) : []
      if (ids.length > 0)
        give(
          [member],
          ids.map((id) => toLink(id, path)),
        )
    }
    for (const { member, from, path } of one) {
      const id = textOf(record[from])
      if (id !== undefined) give([member], toLink(id, path))
    }
  }
}

/** `AreaId` and `LocationInfo.AreaInfo` from `AreaIds` (interface 9.2, 9.3). */
export const areas: GeneratorFor = (entity) => {
  if (!has(entity, 'AreaIds')) return undefined
  const [hasOld, hasInfo] = [has(entity, 'AreaId'), has(entity, 'LocationInfo')]
  return ({ record, give }, lookups) => {
    const ids = textsOf(record['AreaIds'])
    const [first] = ids
    if (first === undefined) return
    if (hasOld) give(['AreaId'], ids)
    if (!hasInfo) return
    const name = lookups.areas.get(first.toUpperCase())
    const info = { Id: first, ...(name && { Name: name }), Self: addressOf('Area', first) }
    give(['LocationInfo', 'AreaInfo'], info)
  }
}
