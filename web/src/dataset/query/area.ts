/** A point on the map. Longitude comes first, in degrees (WGS 84). */
export type Position = readonly [longitude: number, latitude: number]

export type Area =
  | {
      readonly kind: 'box'
      readonly west: number
      readonly south: number
      readonly east: number
      readonly north: number
    }
  | { readonly kind: 'circle'; readonly centre: Position; readonly metres: number }
  /** The corners of a ring; the closing corner is not repeated. */
  | { readonly kind: 'polygon'; readonly corners: readonly Position[] }

const kinds = { box: 4, circle: 3 } as const

/**
 * Parses `box:11.2,46.4,11.4,46.6`, `circle:11.3,46.5,5000` or `polygon:11,46,12,46,12,47`. Returns
 * undefined if the text is invalid.
 */
export function readArea(text: string): Area | undefined {
  const [kind, list = ''] = text.split(':')
  const numbers = list.split(',').map(Number)
  if (list === '' || !numbers.every(Number.isFinite)) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  if (kind === 'box' && numbers.length === kinds.box) {
    return isOnEarth([a, b]) && isOnEarth([c, d])
      ? { kind, west: a, south: Math.min(b, d), east: c, north: Math.max(b, d) }
      : undefined
  }
  if (kind === 'circle' && numbers.length === kinds.circle) {
    return isOnEarth([a, b]) && c >= 1 ? { kind, centre: [a, b], metres: Math.round(c) } : undefined
  }
  if (kind !== 'polygon') return undefined
  const corners = toPairs(numbers)
  const isRing = numbers.length % 2 === 0 && corners.length >= 3 && corners.every(isOnEarth)
  return isRing ? { kind, corners } : undefined
}

/** Writes an area as in the URL of the page. */
export function writeArea(area: Area): string {
  return `${area.kind}:${numbersOf(area).map(round).join(',')}`
}

/** Returns the parameters of the content service that select an area. */
export function toAreaParameters(area: Area): Readonly<Record<string, string | number>> {
  if (area.kind === 'circle') {
    const [longitude, latitude] = area.centre.map(round)
    return { latitude: latitude ?? 0, longitude: longitude ?? 0, radius: Math.round(area.metres) }
  }
  if (area.kind === 'box') {
    const [west, south, east, north] = numbersOf(area).map(round)
    return { polygon: `bbi(${west} ${south},${east} ${north})` }
  }
  const ring = [...area.corners, ...area.corners.slice(0, 1)]
  return { polygon: `POLYGON((${ring.map((corner) => corner.map(round).join(' ')).join(',')}))` }
}

/**
 * Returns the `where` condition that selects an area. A polygon becomes its bounding box, since
 * stations support no other shape.
 */
export function toAreaCondition(area: Area): string {
  if (area.kind === 'circle') {
    return `scoordinate.dlt.(${[Math.round(area.metres), ...area.centre.map(round)].join(',')})`
  }
  return `scoordinate.bbi.(${numbersOf(boxOf(area)).map(round).join(',')})`
}

/** Returns the bounding box of a shape. */
export function boxOf(area: Exclude<Area, { readonly kind: 'circle' }>): Area & { kind: 'box' } {
  if (area.kind === 'box') return area
  const longitudes = area.corners.map(([longitude]) => longitude)
  const latitudes = area.corners.map(([, latitude]) => latitude)
  return {
    kind: 'box',
    west: Math.min(...longitudes),
    south: Math.min(...latitudes),
    east: Math.max(...longitudes),
    north: Math.max(...latitudes),
  }
}

function numbersOf(area: Area): readonly number[] {
  switch (area.kind) {
    case 'box':
      return [area.west, area.south, area.east, area.north]
    case 'circle':
      return [...area.centre, area.metres]
    case 'polygon':
      return area.corners.flat()
  }
}

function toPairs(numbers: readonly number[]): readonly Position[] {
  return numbers.flatMap((longitude, index) =>
    index % 2 === 0 ? [[longitude, numbers[index + 1] ?? 0] as const] : [],
  )
}

function isOnEarth([longitude, latitude]: Position): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90
}

/** Six decimals are a tenth of a metre, finer than anyone draws. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
