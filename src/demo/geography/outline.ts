/** A position in degrees, EPSG:4326. */
export type Position = readonly [longitude: number, latitude: number]

/**
 * The sketch of the region's border: watersheds and valley mouths drawn by hand, counter-clockwise.
 * The real border of the demo runs along the cells of the tessellation that it encloses.
 */
export const outline: readonly Position[] = [
  [10.38, 46.6],
  [10.46, 46.53],
  [10.47, 46.47],
  [10.62, 46.44],
  [10.74, 46.45],
  [10.9, 46.43],
  [11.02, 46.42],
  [11.1, 46.44],
  [11.17, 46.4],
  [11.16, 46.3],
  [11.17, 46.21],
  [11.27, 46.2],
  [11.38, 46.26],
  [11.49, 46.34],
  [11.6, 46.4],
  [11.63, 46.47],
  [11.72, 46.49],
  [11.83, 46.49],
  [11.95, 46.5],
  [12.01, 46.56],
  [12.07, 46.65],
  [12.2, 46.62],
  [12.32, 46.61],
  [12.44, 46.64],
  [12.49, 46.69],
  [12.39, 46.75],
  [12.36, 46.8],
  [12.27, 46.88],
  [12.15, 46.91],
  [12.14, 46.98],
  [12.22, 47.04],
  [12.14, 47.09],
  [12.0, 47.06],
  [11.84, 46.99],
  [11.7, 46.99],
  [11.6, 47.01],
  [11.48, 47.01],
  [11.33, 46.99],
  [11.17, 46.97],
  [11.07, 46.9],
  [11.04, 46.79],
  [10.9, 46.77],
  [10.78, 46.79],
  [10.68, 46.87],
  [10.47, 46.87],
  [10.44, 46.76],
]

/** Whether a position lies inside a ring, by the number of its sides east of it. */
export function isInside(ring: readonly Position[], [x, y]: Position): boolean {
  let inside = false
  let [x1, y1] = ring.at(-1) ?? [0, 0]
  for (const [x2, y2] of ring) {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
    x1 = x2
    y1 = y2
  }
  return inside
}
