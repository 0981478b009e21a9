import { isAbsent, isObject, objectsOf, textOf } from './draft.ts'
import type { Members } from './draft.ts'
import { has } from './generator.ts'
import type { GeneratorFor } from './generator.ts'

/** `GpsPoints` from `GpsInfo` (interface 9.3): the positions by their type, the first of each. */
export const gpsPoints: GeneratorFor = (entity) => {
  if (!has(entity, 'GpsPoints', 'GpsInfo')) return undefined
  return ({ record, give }) => {
    if (!isAbsent(record['GpsPoints'])) return
    const points = new Map<string, Members>()
    for (const position of objectsOf(record['GpsInfo'])) {
      const type = textOf(position['Gpstype']) ?? 'position'
      if (!points.has(type)) points.set(type, position)
    }
    if (points.size > 0) give(['GpsPoints'], Object.fromEntries(points))
  }
}

const own = ['Gpstype', 'Latitude', 'Longitude', 'Altitude', 'AltitudeUnitofMeasure'] as const

/** The position that stands for the record, as members of the record itself (interface 9.1). */
export const ownPosition: GeneratorFor = (entity) => {
  if (!has(entity, ...own)) return undefined
  return ({ record, give }) => {
    // Half of one position and half of another would be none.
    if (!isAbsent(record['Latitude']) || !isAbsent(record['Longitude'])) return
    const position = mainPosition(record)
    if (typeof position?.['Latitude'] !== 'number' || typeof position['Longitude'] !== 'number') {
      return
    }
    for (const name of own) give([name], position[name])
  }
}

function mainPosition({ GpsInfo, Geo }: Members): Members | undefined {
  const positions = [...objectsOf(GpsInfo), ...(isObject(Geo) ? objectsOf(Object.values(Geo)) : [])]
  return (
    positions.find((position) => position['Default'] === true) ??
    positions.find((position) => position['Gpstype'] === 'position') ??
    positions[0]
  )
}
