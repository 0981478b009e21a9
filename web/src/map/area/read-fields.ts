import type { Area, Position } from '../../dataset/query/index.ts'

/** What stands in the fields of an area, as text. Corners are lines of latitude and longitude. */
export type AreaText = {
  readonly kind: Area['kind']
  readonly north: string
  readonly south: string
  readonly west: string
  readonly east: string
  readonly latitude: string
  readonly longitude: string
  readonly metres: string
  readonly corners: string
}

type Fault = 'latitude' | 'longitude' | 'order' | 'sides' | 'radius' | 'corners'

/** Which field is wrong, and how. */
export type AreaFaults = { readonly [Field in Exclude<keyof AreaText, 'kind'>]?: Fault }

export type ReadArea =
  | { readonly kind: 'area'; readonly area: Area }
  | { readonly kind: 'faults'; readonly faults: AreaFaults }

const widest = 1_000_000

/** Reads the fields of the chosen kind; decimal commas count as points. */
export function readFields(text: AreaText): ReadArea {
  switch (text.kind) {
    case 'box':
      return readBox(text)
    case 'circle':
      return readCircle(text)
    case 'polygon':
      return readPolygon(text)
  }
}

function readBox(text: AreaText): ReadArea {
  const [north, south, west, east] = [
    toNumber(text.north),
    toNumber(text.south),
    toNumber(text.west),
    toNumber(text.east),
  ]
  const faults: AreaFaults = {
    ...(isLatitude(north) ? {} : { north: 'latitude' }),
    ...(isLatitude(south) ? (south < north ? {} : { south: 'order' }) : { south: 'latitude' }),
    ...(isLongitude(west) ? (west < east ? {} : { west: 'sides' }) : { west: 'longitude' }),
    ...(isLongitude(east) ? {} : { east: 'longitude' }),
  }
  return result({ kind: 'box', west, south, east, north }, faults)
}

function readCircle(text: AreaText): ReadArea {
  const [latitude, longitude, metres] = [
    toNumber(text.latitude),
    toNumber(text.longitude),
    toNumber(text.metres),
  ]
  const faults: AreaFaults = {
    ...(isLatitude(latitude) ? {} : { latitude: 'latitude' }),
    ...(isLongitude(longitude) ? {} : { longitude: 'longitude' }),
    ...(metres >= 1 && metres <= widest ? {} : { metres: 'radius' }),
  }
  return result(
    { kind: 'circle', centre: [longitude, latitude], metres: Math.round(metres) },
    faults,
  )
}

function readPolygon({ corners }: AreaText): ReadArea {
  const lines = corners.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map(toPosition)
  const found = read.filter((position) => position !== undefined)
  const isRing = found.length === lines.length && found.length >= 3
  return result({ kind: 'polygon', corners: found }, isRing ? {} : { corners: 'corners' })
}

/** `46.5, 11.35`, `46.5 11.35` or, with decimal commas, `46,5; 11,35`. */
function toPosition(line: string): Position | undefined {
  const parts = line.includes(';') ? line.split(';') : line.trim().split(/\s*,\s*|\s+/)
  const [latitude = NaN, longitude = NaN] = parts.map(toNumber)
  const isPlace = parts.length === 2 && isLatitude(latitude) && isLongitude(longitude)
  return isPlace ? [longitude, latitude] : undefined
}

function result(area: Area, faults: AreaFaults): ReadArea {
  return Object.keys(faults).length === 0 ? { kind: 'area', area } : { kind: 'faults', faults }
}

function toNumber(text: string): number {
  const written = text.trim().replace(',', '.').replace('−', '-')
  return written === '' ? NaN : Number(written)
}

function isLatitude(value: number): boolean {
  return Math.abs(value) <= 90
}

function isLongitude(value: number): boolean {
  return Math.abs(value) <= 180
}
