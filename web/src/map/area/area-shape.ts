import type { Area, Position } from '../../dataset/query/index.ts'

/** What a hand can take hold of: a corner, the edge of a circle, or the whole. */
export type Handle = {
  readonly kind: 'move' | 'corner' | 'edge'
  readonly index: number
  readonly position: Position
}

const earthRadius = 6_371_008.8
const circleCorners = 72
const radians = Math.PI / 180

/** The outline of an area; it begins and ends at the same corner. */
export function toRing(area: Area): readonly Position[] {
  if (area.kind === 'circle') {
    return Array.from({ length: circleCorners + 1 }, (_, index) =>
      destination(area.centre, area.metres, (index % circleCorners) * (360 / circleCorners)),
    )
  }
  const corners = cornersOf(area)
  return [...corners, ...corners.slice(0, 1)]
}

/** The corners of a box or a free shape; a circle has none. */
export function cornersOf(area: Area): readonly Position[] {
  if (area.kind === 'circle') return []
  if (area.kind === 'polygon') return area.corners
  const { west, south, east, north } = area
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]
}

/** Everything that can be taken hold of; the whole comes first. */
export function handlesOf(area: Area): readonly Handle[] {
  if (area.kind === 'circle') {
    const edge = destination(area.centre, area.metres, 90)
    return [
      { kind: 'move', index: 0, position: area.centre },
      { kind: 'edge', index: 0, position: edge },
    ]
  }
  const corners = cornersOf(area)
  return [
    { kind: 'move', index: 0, position: middleOf(corners) },
    ...corners.map((position, index) => ({ kind: 'corner' as const, index, position })),
  ]
}

/** The area after one of its handles was moved. */
export function moveHandle(area: Area, { kind, index }: Handle, to: Position): Area {
  if (kind === 'move') return moveTo(area, to)
  if (area.kind === 'circle') {
    return { ...area, metres: Math.max(1, Math.round(metresBetween(area.centre, to))) }
  }
  if (area.kind === 'polygon') return { ...area, corners: area.corners.with(index, to) }
  // The corner across stays where it is.
  const opposite = cornersOf(area)[(index + 2) % 4] ?? to
  return boxBetween(opposite, to)
}

/** The box with these two corners, whichever they are. */
export function boxBetween([x1, y1]: Position, [x2, y2]: Position): Area {
  return {
    kind: 'box',
    west: Math.min(x1, x2),
    south: Math.min(y1, y2),
    east: Math.max(x1, x2),
    north: Math.max(y1, y2),
  }
}

function moveTo(area: Area, to: Position): Area {
  if (area.kind === 'circle') return { ...area, centre: to }
  const [x, y] = middleOf(cornersOf(area))
  const [dx, dy] = [to[0] - x, to[1] - y]
  if (area.kind === 'polygon') {
    return { ...area, corners: area.corners.map(([a, b]) => [a + dx, b + dy] as const) }
  }
  const { west, south, east, north } = area
  return { kind: 'box', west: west + dx, south: south + dy, east: east + dx, north: north + dy }
}

function middleOf(corners: readonly Position[]): Position {
  const sum = (part: 0 | 1) => corners.reduce((total, corner) => total + corner[part], 0)
  return [sum(0) / corners.length, sum(1) / corners.length]
}

/** Metres on the sphere between two places (haversine formula). */
export function metresBetween([x1, y1]: Position, [x2, y2]: Position): number {
  const a =
    Math.sin(((y2 - y1) * radians) / 2) ** 2 +
    Math.cos(y1 * radians) * Math.cos(y2 * radians) * Math.sin(((x2 - x1) * radians) / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(a)))
}

/** The place so many metres away in a direction; 0 is north, 90 is east. */
export function destination([x, y]: Position, metres: number, bearing: number): Position {
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
