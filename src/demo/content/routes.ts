import type { Site } from '../geography/geography.ts'
import type { Random } from '../random.ts'
import { gpsOf } from './record.ts'

type Way = {
  readonly from: Site
  readonly to: Site
  readonly tags: readonly string[]
}

/** Metres that a walker or rider covers in an hour. */
const pace = 3800

/** Length, height, time and ratings of a way between two spots, and what holds on it. */
export function routeOf(random: Random, { from, to, tags }: Way) {
  const lowest = Math.min(from.altitude, to.altitude)
  const highest = Math.max(from.altitude, to.altitude)
  const length = Math.max(600, Math.round(distance(from, to) * (1.3 + random.next() * 0.5)))
  const climb = highest - lowest
  const grade = () => String(random.between(1, 6))
  return {
    GpsInfo: gpsOf(from, { startingpoint: from, arrivalpoint: to }),
    AltitudeDifference: climb,
    AltitudeLowestPoint: lowest,
    AltitudeHighestPoint: highest,
    AltitudeSumUp: climb + random.between(0, 120),
    AltitudeSumDown: random.between(0, climb + 120),
    DistanceLength: length,
    DistanceDuration: Math.round((length / pace + climb / 500) * 4) / 4,
    Ratings: {
      Stamina: grade(),
      Experience: grade(),
      Landscape: grade(),
      Difficulty: grade(),
      Technique: grade(),
    },
    IsOpen: random.chance(0.85),
    IsPrepared: tags.includes('winter') && random.chance(0.8),
    RunToValley: tags.includes('slope') && random.chance(0.3),
    IsWithLigth: tags.includes('sledging trail') && random.chance(0.4),
    HasRentals: random.chance(0.4),
    LiftAvailable: random.chance(0.3),
    FeetClimb: tags.includes('sledging trail'),
    BikeTransport: tags.includes('ski lift') && random.chance(0.6),
    HasFreeEntrance: random.chance(0.7),
    Exposition: random.some(['N', 'E', 'S', 'W'], random.between(1, 2)),
    WayNumber: random.between(1, 32),
  }
}

/** Metres between two spots; a plane is good enough over a few kilometres. */
function distance(from: Site, to: Site): number {
  const east = (to.longitude - from.longitude) * 76_400
  const north = (to.latitude - from.latitude) * 111_200
  return Math.hypot(east, north)
}
