import type { Geometry } from 'geojson'
import { expect, test } from 'vitest'
import { isInBox } from './in-box.ts'

const place = (geometry: Geometry) => ({ id: 'a', title: 'A', geometry })
const view = [11, 46, 12, 47] as const
const line = (from: readonly number[], to: readonly number[]): Geometry => ({
  type: 'LineString',
  coordinates: [[...from], [...to]],
})

test.each<[Geometry, boolean]>([
  [{ type: 'Point', coordinates: [11.5, 46.5] }, true],
  [{ type: 'Point', coordinates: [12.5, 46.5] }, false],
  [line([10, 46.5], [13, 46.5]), true],
  [line([10, 40], [10.5, 41]), false],
  [{ type: 'MultiPoint', coordinates: [] }, false],
])('%j is in view: %s', (geometry, isSeen) => {
  expect(isInBox(place(geometry), view)).toBe(isSeen)
})
