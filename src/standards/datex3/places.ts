import { numberOf } from '../../lang/json.ts'
import type { CurrentStation } from '../../timeseries/index.ts'
import type { LeftOut } from '../keep-exit.ts'
import type { Filler } from './fill.ts'

/** Reason why a station cannot be published. */
export type Lack = Pick<LeftOut, 'lacks' | 'reason'>

/** A station that can be published: it has an origin and a position. */
export type Placed = CurrentStation & {
  readonly origin: string
  readonly position: NonNullable<CurrentStation['position']>
}

export function isPlaced(station: CurrentStation): station is Placed {
  return lackOf(station) === undefined
}

/**
 * Returns the reason why a station cannot be published. It must still be delivered, and have an
 * origin and a position on the earth.
 */
export function lackOf({ active, origin, position }: CurrentStation): Lack | undefined {
  if (!active) return { lacks: 'active', reason: 'Its provider does not deliver it any more.' }
  if (origin === null || origin === '') return { lacks: 'origin', reason: 'It has no origin.' }
  if (position === null) return { lacks: 'position', reason: 'It has no coordinates.' }
  return isOnEarth(position)
    ? undefined
    : { lacks: 'position', reason: 'Its coordinates cannot be a place on the Earth, or are 0,0.' }
}

/** Reports whether a position is possible. 0,0 denotes an unknown one (decision D55). */
function isOnEarth({ latitude, longitude }: Placed['position']): boolean {
  const isInRange = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isInRange && (latitude !== 0 || longitude !== 0)
}

export const noCapacity: Lack = { lacks: 'capacity', reason: 'It has no capacity.' }

/** Converts the position of a station to a point of DATEX II. */
export function toPoint({ position }: Placed) {
  const { latitude, longitude } = position
  return {
    'xsi:type': 'loc:PointLocation',
    coordinatesForDisplay: { latitude, longitude },
    pointByCoordinates: { pointCoordinates: { latitude, longitude } },
  }
}

/** Converts the position of a station to a point with its address, if it has one. */
export function toLocation(station: Placed, address: Filler) {
  const filled = address.fill(station)
  const extension = { facilityLocation: { address: filled } }
  return {
    ...toPoint(station),
    ...(Object.keys(filled).length > 0 && { _locationReferenceExtension: extension }),
  }
}

/** Returns the number of spaces; undefined unless it is a positive integer. */
export function capacityOf({ metadata }: CurrentStation): number | undefined {
  const number = numberOf(metadata['capacity'])
  return number !== undefined && Number.isSafeInteger(number) && number > 0 ? number : undefined
}
