import type { EdgeItem, EdgesObject } from '../canonical.ts'
import { lineAlong, roads } from '../geography/roads.ts'
import { at } from '../random.ts'
import type { Setting } from '../setting.ts'
import { countOf, stationTypes } from './station-types.ts'
import { codeOf, roadShare } from './stations.ts'
import type { StationType } from './station-type.ts'

/**
 * Links between neighbouring Bluetooth stations of a road, in both directions. Each link is also a
 * station of the type LinkStation under the same code, which has the travel times.
 */
const edgeType = 'LinkStation'
const itemsPerMessage = 500

const typeNamed = (name: string): StationType =>
  at(
    stationTypes.filter((type) => type.name === name),
    0,
  )

export function edgeTotal(setting: Setting): number {
  const links = countOf(setting, typeNamed('LinkStation'))
  const pairs = Math.floor(countOf(setting, typeNamed('BluetoothStation')) / roads.length / 2)
  return Math.min(links, pairs * roads.length * 2)
}

export function* edgesOf(setting: Setting): Generator<EdgesObject> {
  const count = edgeTotal(setting)
  for (let from = 0; from < count; from += itemsPerMessage) {
    const size = Math.min(itemsPerMessage, count - from)
    const items = Array.from({ length: size }, (_, index) => toEdge(setting, from + index))
    yield { kind: 'edges', edgeType, origin: 'NOI', items }
  }
}

/** Stations of a road come in pairs: the first and second, third and fourth … */
function toEdge({ geography }: Setting, index: number): EdgeItem {
  const bluetooth = typeNamed('BluetoothStation')
  const road = at(roads, index % roads.length)
  const turn = Math.floor(index / roads.length)
  const first = turn - (turn % 2)
  const [from, to] = turn % 2 === 0 ? [first, first + 1] : [first + 1, first]
  const station = (position: number) =>
    codeOf(bluetooth, position * roads.length + (index % roads.length))
  return {
    code: codeOf(typeNamed('LinkStation'), index),
    name: `${road.number} ${station(from)} → ${station(to)}`,
    from: { type: bluetooth.name, code: station(from) },
    to: { type: bluetooth.name, code: station(to) },
    directed: true,
    geometry: {
      type: 'LineString',
      coordinates: lineAlong(geography, road, [roadShare(from), roadShare(to)]),
    },
    active: true,
  }
}
