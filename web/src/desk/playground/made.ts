import { isObject } from '../../api/index.ts'

/** A canonical object that a mapping has produced. */
export type Made = { readonly kind?: unknown; readonly items?: readonly unknown[] }

type Place = { readonly longitude: number; readonly latitude: number }

/** A line of a chart: the values of one station and data type, sorted by time. */
export type Line = {
  readonly name: string
  readonly points: readonly { readonly time: number; readonly value: number }[]
}

/**
 * Returns the positions of produced items: stations by `coordinate`, records by `GpsInfo`, events
 * by a point in `geometry`.
 */
export function placesOf(objects: readonly Made[]): readonly Place[] {
  return objects.flatMap(({ items = [] }) => items.flatMap(placesOfItem))
}

function placesOfItem(item: unknown): readonly Place[] {
  if (!isObject(item)) return []
  const { coordinate, geometry, GpsInfo: positions } = item
  const listed = listOf(positions)
  return [
    ...placeAt(coordinate),
    ...(isObject(geometry) && geometry['type'] === 'Point' ? placeAt(geometry['coordinates']) : []),
    ...listed.flatMap((one) => (isObject(one) ? placeAt([one['Longitude'], one['Latitude']]) : [])),
  ]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function placeAt(position: unknown): readonly Place[] {
  const [longitude, latitude] = listOf(position)
  return typeof longitude === 'number' && typeof latitude === 'number'
    ? [{ longitude, latitude }]
    : []
}

/** Returns the numeric measurements, as one line per station and data type. */
export function linesOf(objects: readonly Made[]): readonly Line[] {
  const lines = new Map<string, { time: number; value: number }[]>()
  for (const { kind, items = [] } of objects) {
    if (kind !== 'measurements') continue
    for (const item of items) {
      const [station, type, at, value] = listOf(item)
      const time = Date.parse(String(at))
      if (typeof value !== 'number' || Number.isNaN(time)) continue
      const name = `${String(station)} ${String(type)}`
      const points = lines.get(name) ?? []
      points.push({ time, value })
      lines.set(name, points)
    }
  }
  return [...lines].map(([name, points]) => ({
    name,
    points: points.toSorted((one, other) => one.time - other.time),
  }))
}
