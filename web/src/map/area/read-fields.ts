import type { Area } from '../../dataset/query/index.ts'
import type { Box } from '../camera.ts'
import { boxAround } from './area-shape.ts'

/** What stands in the fields of a rectangle, as text. */
export type AreaText = {
  readonly north: string
  readonly south: string
  readonly west: string
  readonly east: string
}

type Fault = 'latitude' | 'longitude' | 'order' | 'sides'

/** Which field is wrong, and how. */
export type AreaFaults = { readonly [Field in keyof AreaText]?: Fault }

export type ReadArea =
  | { readonly kind: 'area'; readonly area: Area }
  | { readonly kind: 'faults'; readonly faults: AreaFaults }

/** Reads the fields; decimal commas count as points. */
export function readFields(text: AreaText): ReadArea {
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
  return Object.keys(faults).length === 0
    ? { kind: 'area', area: { kind: 'box', west, south, east, north } }
    : { kind: 'faults', faults }
}

/** What the fields begin with: the rectangle around the area there is, or around what is in view. */
export function toFields(area: Area | undefined, view: Box): AreaText {
  const { north, south, west, east } = area === undefined ? inner(view) : boxAround(area)
  return { north: write(north), south: write(south), west: write(west), east: write(east) }
}

/** What is in view, without its rim: an area at the very edge could not be seen. */
function inner([west, south, east, north]: Box) {
  const [dx, dy] = [(east - west) / 6, (north - south) / 6]
  return { west: west + dx, south: south + dy, east: east - dx, north: north - dy }
}

/** Five decimals are a metre. */
function write(degrees: number): string {
  return String(Math.round(degrees * 1e5) / 1e5)
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
