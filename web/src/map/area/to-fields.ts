import { boxOf } from '../../dataset/query/area.ts'
import type { Area, Position } from '../../dataset/query/area.ts'
import type { Box } from '../backdrop/box.ts'
import { cornersOf, metresBetween } from './area-shape.ts'
import type { AreaText } from './read-fields.ts'

/** What the fields begin with: the area there is; other kinds about where it is, or what is in view. */
export function toFields(area: Area | undefined, view: Box): AreaText {
  const [west, south, east, north] = area === undefined ? inner(view) : around(area)
  const middle: Position = [(west + east) / 2, (south + north) / 2]
  const centre = area?.kind === 'circle' ? area.centre : middle
  const reach = Math.min(
    metresBetween(middle, [east, middle[1]]),
    metresBetween(middle, [middle[0], north]),
  )
  const box: Area = { kind: 'box', west, south, east, north }
  const corners = cornersOf(area?.kind === 'polygon' ? area : box)
  return {
    kind: area?.kind ?? 'box',
    north: write(north),
    south: write(south),
    west: write(west),
    east: write(east),
    latitude: write(centre[1]),
    longitude: write(centre[0]),
    metres: String(area?.kind === 'circle' ? area.metres : Math.max(1, Math.round(reach))),
    corners: corners.map(([x, y]) => `${write(y)}, ${write(x)}`).join('\n'),
  }
}

/** What is in view, without its rim: an area at the very edge could not be seen. */
function inner([west, south, east, north]: Box): Box {
  const [dx, dy] = [(east - west) / 6, (north - south) / 6]
  return [west + dx, south + dy, east - dx, north - dy]
}

function around(area: Area): Box {
  if (area.kind === 'circle') {
    const [x, y] = area.centre
    const latitudes = area.metres / 111_195
    const longitudes = latitudes / Math.max(0.01, Math.cos((y * Math.PI) / 180))
    return [x - longitudes, y - latitudes, x + longitudes, y + latitudes]
  }
  const { west, south, east, north } = boxOf(area)
  return [west, south, east, north]
}

/** Five decimals are a metre. */
function write(degrees: number): string {
  return String(Math.round(degrees * 1e5) / 1e5)
}
