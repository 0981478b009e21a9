import type { Setting } from '../setting.ts'
import type { StationType } from './station-type.ts'
import { chargingTypes } from './types/charging.ts'
import { environmentTypes } from './types/environment.ts'
import { parkingTypes } from './types/parking.ts'
import { peopleTypes } from './types/people.ts'
import { sharingTypes } from './types/sharing.ts'
import { trafficTypes } from './types/traffic.ts'

/** All station types; a parent comes before its children. A new one is one entry in its file. */
export const stationTypes: readonly StationType[] = [
  ...parkingTypes,
  ...chargingTypes,
  ...sharingTypes,
  ...trafficTypes,
  ...environmentTypes,
  ...peopleTypes,
]

/** Stations of a type at the scale of the region. */
export function countOf({ scale }: Setting, { count }: StationType): number {
  return Math.max(1, Math.round(count * scale))
}
