import type { Municipality } from '../geography/geography.ts'
import { idOf } from '../setting.ts'
import type { Setting } from '../setting.ts'

/** Where the ski areas are: in the highest municipalities, numbered from west to east. */

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

/** Identifiers of the ski areas in some municipalities. */
export function skiAreaIdsIn(
  setting: Setting,
  members: readonly Municipality[],
): readonly string[] {
  return skiMunicipalities(setting).flatMap((municipality, index) =>
    members.includes(municipality) ? [skiAreaId(setting, index)] : [],
  )
}
