import type { Station, StationsObject } from '../canonical.ts'
import type { Municipality, Site } from '../geography/geography.ts'
import { roads, sectionAt, siteOn } from '../geography/roads.ts'
import { at, hash32 } from '../random.ts'
import type { Random } from '../random.ts'
import { drawFor, isoOf } from '../setting.ts'
import type { Setting } from '../setting.ts'
import { stationTypes } from './station-type.ts'
import type { StationType } from './station-type.ts'
import type { Nature } from './values.ts'

/** Returns the number of stations of a type at the scale of the region. */
export function countOf({ scale }: Setting, { count }: StationType): number {
  return Math.max(1, Math.round(count * scale))
}

const itemsPerMessage = 500

export const codeOf = ({ prefix }: StationType, index: number) =>
  `${prefix}-${String(index + 1).padStart(4, '0')}`

type Situation = {
  readonly random: Random
  readonly municipality: Municipality
  readonly site: Site
  readonly capacity: number
}

/** Determines the position and size of a station. A child is placed next to its parent. */
function situate(setting: Setting, type: StationType, index: number): Situation {
  const random = drawFor(setting, 'station', type.name, index)
  const [low, high] = type.capacity
  const capacity = random.between(low, high)
  const parent = parentOf(setting, type, index)
  if (parent !== undefined) {
    const { municipality, site } = situate(setting, parent.type, parent.index)
    return { random, municipality, capacity, site: beside(site, random) }
  }
  if (typeof type.where === 'string') {
    const municipality = setting.geography.somewhere(random)
    return { random, municipality, capacity, site: municipality.siteIn(random, type.where) }
  }
  const { municipality, site } = onRoad(setting, type.where.road, index)
  return { random, municipality, capacity, site }
}

/** Places stations of a type on the roads in turn. */
function onRoad({ geography }: Setting, wanted: string | undefined, index: number) {
  const candidates = roads.filter(({ key }) => wanted === undefined || key === wanted)
  const share = roadShare(Math.floor(index / candidates.length))
  const road = at(candidates, index % candidates.length)
  const { from, to, part } = sectionAt(geography, road, share)
  return { municipality: part < 0.5 ? from : to, site: siteOn(geography, road, share) }
}

/**
 * Returns the position of the n-th station of a type along its road. Stations form pairs of
 * neighbours. The pairs are spread evenly, however many there are, by steps of the golden ratio.
 */
export function roadShare(n: number): number {
  const pair = (0.05 + Math.floor(n / 2) * 0.618034) % 1
  return pair * 0.92 + (n % 2) * 0.07
}

/** Returns a site a few metres away. */
function beside({ longitude, latitude, altitude }: Site, random: Random): Site {
  const aside = () => Math.round((random.next() - 0.5) * 400) / 1e6
  return { longitude: longitude + aside(), latitude: latitude + aside(), altitude }
}

function parentOf(setting: Setting, { parent }: StationType, index: number) {
  const type = stationTypes.find(({ name }) => name === parent?.type)
  if (parent === undefined || type === undefined) return undefined
  const parents = countOf(setting, type)
  return { type, index: Math.min(parents - 1, Math.floor(index / parent.childrenPerParent)) }
}

/** Returns the hash of a station, from which its random values are derived. */
export function stationHash({ seed }: Setting, { name }: StationType, index: number): number {
  return hash32(`${seed} ${name} ${index}`, 11)
}

/** Returns everything on which the values of a station depend. */
export function natureOf(setting: Setting, type: StationType, index: number): Nature {
  const { site, capacity } = situate(setting, type, index)
  const parent = parentOf(setting, type, index)
  return {
    hash: stationHash(setting, type, index),
    capacity,
    altitude: site.altitude,
    position: [site.longitude, site.latitude],
    parent: parent === undefined ? '' : codeOf(parent.type, parent.index),
  }
}

function toStation(setting: Setting, type: StationType, index: number): Station {
  const { random, municipality, site, capacity } = situate(setting, type, index)
  const { de, it } = municipality.place
  const parent = parentOf(setting, type, index)
  return {
    code: codeOf(type, index),
    name: type.title({ de, it, number: index + 1 }),
    // One station in a hundred has no coordinates.
    coordinate: random.chance(0.01) ? null : [site.longitude, site.latitude],
    srid: 4326,
    active: random.chance(0.97),
    available: true,
    parent:
      parent === undefined
        ? null
        : { type: parent.type.name, code: codeOf(parent.type, parent.index) },
    metadata: {
      ...type.metadata(random, capacity),
      municipality: de,
      municipality_it: it,
      altitude: site.altitude,
    },
  }
}

/** Generates all stations, parents before children. A message has one type and one origin. */
export function* stationsOf(setting: Setting): Generator<StationsObject> {
  const recorded = isoOf(setting.until)
  for (const type of stationTypes) {
    const count = countOf(setting, type)
    for (const { name: origin, closed } of type.origins) {
      for (let from = 0; from < count; from += itemsPerMessage) {
        const items: Station[] = []
        for (let index = from; index < Math.min(count, from + itemsPerMessage); index++) {
          if (at(type.origins, index % type.origins.length).name === origin)
            items.push(toStation(setting, type, index))
        }
        if (items.length === 0) continue
        yield {
          kind: 'stations',
          stationType: type.name,
          origin,
          closed,
          complete: false,
          recorded,
          items,
        }
      }
    }
  }
}

export function stationTotal(setting: Setting): number {
  return stationTypes.reduce((sum, type) => sum + countOf(setting, type), 0)
}
