import type { MultiPolygon, Polygon, Position } from 'geojson'

const scanLines = 9

/** Where the name of a shape is written: in the middle of the widest place of its largest part. */
export function labelPoint(
  geometry: Polygon | MultiPolygon,
): readonly [longitude: number, latitude: number] | undefined {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const [largest] = polygons.toSorted((a, b) => area(b[0] ?? []) - area(a[0] ?? []))
  if (largest === undefined || (largest[0] ?? []).length < 4) return undefined
  const latitudes = (largest[0] ?? []).map(([, latitude = 0]) => latitude)
  const south = Math.min(...latitudes)
  const north = Math.max(...latitudes)
  let widest = { width: -1, longitude: 0, latitude: 0 }
  for (let line = 1; line <= scanLines; line += 1) {
    const share = line / (scanLines + 1)
    const latitude = south + share * (north - south)
    // The middle is where names are searched for; elsewhere it must be clearly wider.
    const weight = 1 - Math.abs(share - 0.5)
    for (const [from, to] of spansAt(largest, latitude)) {
      const width = (to - from) * weight
      if (width > widest.width) widest = { width, longitude: (from + to) / 2, latitude }
    }
  }
  return widest.width < 0 ? undefined : [widest.longitude, widest.latitude]
}

/** Where a parallel is inside of a polygon, holes left out. */
function spansAt(
  rings: readonly (readonly Position[])[],
  latitude: number,
): readonly (readonly [number, number])[] {
  const crossings = rings
    .flatMap((ring) =>
      ring.slice(1).flatMap(([x2 = 0, y2 = 0], index) => {
        const [x1 = 0, y1 = 0] = ring[index] ?? []
        if (y1 > latitude === y2 > latitude) return []
        return [x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)]
      }),
    )
    .toSorted((a, b) => a - b)
  return crossings.flatMap((from, index) =>
    index % 2 === 0 && crossings[index + 1] !== undefined
      ? [[from, crossings[index + 1] ?? from] as const]
      : [],
  )
}

/** Twice the area of a ring, whichever way it turns (shoelace formula). */
function area(ring: readonly Position[]): number {
  const sum = ring.slice(1).reduce((total, [x2 = 0, y2 = 0], index) => {
    const [x1 = 0, y1 = 0] = ring[index] ?? []
    return total + x1 * y2 - x2 * y1
  }, 0)
  return Math.abs(sum)
}
