import { boxOf } from '../../dataset/query/area.ts'
import type { Area, Position } from '../../dataset/query/area.ts'
import type { Box as Bounds } from '../camera.ts'

/**
 * The only kind of area that can be drawn on the map. URLs may contain others, which are only
 * shown.
 */
export type Box = Area & { readonly kind: 'box' }

/** A handle to drag: a corner, or the whole box. */
export type Handle = {
  readonly kind: 'move' | 'corner'
  readonly index: number
  readonly position: Position
}

const earthRadius = 6_371_008.8
const circleCorners = 72
const radians = Math.PI / 180

/** Returns the outline of an area as a closed ring: the first corner is repeated at the end. */
export function toRing(area: Area): readonly Position[] {
  const corners = area.kind === 'polygon' ? area.corners : cornersOf(boxAround(area))
  return area.kind === 'circle' ? circleRing(area) : [...corners, ...corners.slice(0, 1)]
}

/** Returns the bounding box of an area. */
export function boxAround(area: Area): Box {
  if (area.kind !== 'circle') return boxOf(area)
  return boxOf({ kind: 'polygon', corners: circleRing(area) })
}

/** Returns the handles of a box; the one that moves the whole box comes first. */
export function handlesOf(box: Box): readonly Handle[] {
  return [
    { kind: 'move', index: 0, position: middleOf(box) },
    ...cornersOf(box).map((position, index) => ({ kind: 'corner' as const, index, position })),
  ]
}

/** Returns the box after one of its handles was moved. */
export function moveHandle(box: Box, { kind, index }: Handle, to: Position): Box {
  // The opposite corner stays fixed.
  if (kind === 'corner') return boxBetween(cornersOf(box)[(index + 2) % 4] ?? to, to)
  const [x, y] = middleOf(box)
  const [dx, dy] = [to[0] - x, to[1] - y]
  const { west, south, east, north } = box
  return { kind: 'box', west: west + dx, south: south + dy, east: east + dx, north: north + dy }
}

/** Returns the box between two opposite corners, in any order. */
export function boxBetween([x1, y1]: Position, [x2, y2]: Position): Box {
  return {
    kind: 'box',
    west: Math.min(x1, x2),
    south: Math.min(y1, y2),
    east: Math.max(x1, x2),
    north: Math.max(y1, y2),
  }
}

function cornersOf({ west, south, east, north }: Box): readonly Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}

function middleOf({ west, south, east, north }: Box): Position {
  return [(west + east) / 2, (south + north) / 2]
}

function circleRing({ centre, metres }: Area & { readonly kind: 'circle' }): readonly Position[] {
  return Array.from({ length: circleCorners + 1 }, (_, index) =>
    destination(centre, metres, (index % circleCorners) * (360 / circleCorners)),
  )
}

/** Returns the position at a distance and bearing; bearing 0 is north, 90 is east. */
function destination([x, y]: Position, metres: number, bearing: number): Position {
  const angle = metres / earthRadius
  const [latitude, direction] = [y * radians, bearing * radians]
  const there = Math.asin(
    Math.sin(latitude) * Math.cos(angle) +
      Math.cos(latitude) * Math.sin(angle) * Math.cos(direction),
  )
  const turned = Math.atan2(
    Math.sin(direction) * Math.sin(angle) * Math.cos(latitude),
    Math.cos(angle) - Math.sin(latitude) * Math.sin(there),
  )
  return [x + turned / radians, there / radians]
}

/** Values of the form fields of a rectangle. */
export type AreaText = {
  readonly north: string
  readonly south: string
  readonly west: string
  readonly east: string
}

type Fault = 'latitude' | 'longitude' | 'order' | 'sides'

/** Errors by field. */
export type AreaFaults = { readonly [Field in keyof AreaText]?: Fault }

type ReadArea =
  | { readonly kind: 'area'; readonly area: Area }
  | { readonly kind: 'faults'; readonly faults: AreaFaults }

/** Parses the fields of a rectangle. Decimal commas are accepted. */
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

/**
 * Returns the initial values of the fields: the bounding box of the current area, or a box within
 * the visible part of the map.
 */
export function toFields(area: Area | undefined, view: Bounds): AreaText {
  const { north, south, west, east } = area === undefined ? inner(view) : boxAround(area)
  return { north: write(north), south: write(south), west: write(west), east: write(east) }
}

/**
 * Returns the visible part of the map without a margin, because an area at the very edge could not
 * be seen.
 */
function inner([west, south, east, north]: Bounds) {
  const [dx, dy] = [(east - west) / 6, (north - south) / 6]
  return { west: west + dx, south: south + dy, east: east - dx, north: north - dy }
}

/** Five decimals are about a metre. */
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
