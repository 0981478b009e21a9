import { boxAround } from '../backdrop/box.ts'
import type { Box } from '../backdrop/box.ts'
import type { PlaceFeature } from '../points/place-feature.ts'

/** Whether any of a place may be seen in a box. */
export function isInBox({ geometry }: PlaceFeature, [west, south, east, north]: Box): boolean {
  if (geometry.type === 'Point') {
    const [x = NaN, y = NaN] = geometry.coordinates
    return x >= west && x <= east && y >= south && y <= north
  }
  const box = boxAround(geometry)
  if (box === undefined) return false
  return box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south
}
