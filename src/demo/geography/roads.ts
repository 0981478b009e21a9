import { Type } from 'typebox'
import { at, hash32, smoothNoise } from '../random.ts'
import type { Geography, Municipality, Site } from './geography.ts'
import { round } from './geography.ts'
import { readYaml } from '../../lang/read-yaml.ts'

const course = {
  key: Type.String(),
  de: Type.String(),
  it: Type.String(),
  places: Type.Array(Type.String()),
}

/** The main roads, each as a list of villages. */
export const roads = readYaml(
  new URL('roads.yaml', import.meta.url),
  Type.Array(Type.Object({ ...course, number: Type.String() })),
)

export const rivers = readYaml(
  new URL('rivers.yaml', import.meta.url),
  Type.Array(Type.Object(course)),
)

type Course = (typeof rivers)[number]

export type Road = (typeof roads)[number]

/** Number of points that are drawn between two villages of a road. */
const pointsPerSection = 6

/**
 * Returns a site on a road: 0 is its start, 1 its end. The road winds a little, always in the same
 * way.
 */
export function siteOn(geography: Geography, road: Course, share: number): Site {
  const { from, to, part } = sectionAt(geography, road, share)
  const bend = (smoothNoise(hash32(road.key, 5), share * road.places.length * 3) - 0.5) * 0.012
  const blend = (start: number, end: number) => start + (end - start) * part
  return {
    longitude: round(blend(from.centre.longitude, to.centre.longitude) + bend * 0.6),
    latitude: round(blend(from.centre.latitude, to.centre.latitude) + bend * 0.5),
    altitude: Math.round(blend(from.place.altitude, to.place.altitude)),
  }
}

/** Returns the villages between which a site on a road is. */
export function sectionAt(geography: Geography, road: Course, share: number) {
  const sections = road.places.length - 1
  const section = Math.min(sections - 1, Math.floor(share * sections))
  const village = (index: number): Municipality =>
    at(
      geography.municipalities.filter(({ place }) => place.key === road.places[index]),
      0,
    )
  return { from: village(section), to: village(section + 1), part: share * sections - section }
}

/** Returns the line of a road between two sites on it, as GeoJSON coordinates. */
export function lineAlong(
  geography: Geography,
  road: Course,
  [from, to]: readonly [number, number],
) {
  const count = Math.max(2, Math.ceil(Math.abs(to - from) * road.places.length * pointsPerSection))
  return Array.from({ length: count + 1 }, (_, index) => {
    const { longitude, latitude } = siteOn(geography, road, from + ((to - from) * index) / count)
    return [longitude, latitude]
  })
}
