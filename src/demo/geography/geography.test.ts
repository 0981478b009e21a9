import { describe, expect, it } from 'vitest'
import { randomOf } from '../random.ts'
import { isInside, layOut, signedArea } from './geography.ts'
import type { Position, Shape } from './geography.ts'
import { places } from './places.ts'
import { lineAlong, rivers, roads } from './roads.ts'

const geography = layOut('a seed')

const ringsOf = ({ type, coordinates }: Shape): readonly (readonly Position[])[] =>
  (type === 'Polygon' ? coordinates : coordinates.flat()).map((ring) =>
    ring.map(([longitude = NaN, latitude = NaN]) => [longitude, latitude] as const),
  )
const areaOf = (shape: Shape) => ringsOf(shape).reduce((sum, ring) => sum + signedArea(ring), 0)
/**
 * Reports whether a shape contains a position: inside a hole, it is inside an even number of rings.
 */
const contains = (shape: Shape, position: Position) =>
  ringsOf(shape).filter((ring) => isInside(ring, position)).length % 2 === 1

describe('the geography of the synthetic region', { timeout: 30_000 }, () => {
  it('has one undivided municipality for every place, around its village', () => {
    expect(geography.municipalities.map(({ place }) => place)).toEqual(places)
    for (const { shape, centre } of geography.municipalities) {
      expect(shape.type).toBe('Polygon')
      expect(contains(shape, [centre.longitude, centre.latitude])).toBe(true)
    }
  })

  it('tiles the outline: a point inside is in one municipality, a point outside in none', () => {
    const misplaced: Position[] = []
    let inside = 0
    for (let longitude = 10.3; longitude < 12.6; longitude += 0.0371) {
      for (let latitude = 46.15; latitude < 47.15; latitude += 0.0293) {
        const within = contains(geography.outline, [longitude, latitude])
        const owners = geography.municipalities.filter(({ shape }) =>
          contains(shape, [longitude, latitude]),
        )
        if (within) inside++
        if (owners.length !== (within ? 1 : 0)) misplaced.push([longitude, latitude])
      }
    }
    expect(misplaced).toEqual([])
    expect(inside).toBeGreaterThan(700)
  })

  it('covers the whole area with municipalities, and with regions', () => {
    const whole = areaOf(geography.outline)
    const sum = (shapes: readonly Shape[]) =>
      shapes.reduce((area, shape) => area + areaOf(shape), 0)
    expect(sum(geography.municipalities.map(({ shape }) => shape))).toBeCloseTo(whole, 9)
    expect(sum([...geography.regionShapes.values()])).toBeCloseTo(whole, 9)
    expect(whole).toBeGreaterThan(1)
  })

  it('closes every ring', () => {
    const shapes = [geography.outline, ...geography.municipalities.map(({ shape }) => shape)]
    for (const ring of shapes.flatMap(ringsOf)) expect(ring.at(-1)).toEqual(ring[0])
  })

  it('places sites inside the municipality, and mountain sites above the village', () => {
    const random = randomOf('sites')
    for (const { shape, place, siteIn } of geography.municipalities) {
      for (const whereabouts of ['village', 'anywhere', 'mountain'] as const) {
        const { longitude, latitude, altitude } = siteIn(random, whereabouts)
        expect(contains(shape, [longitude, latitude])).toBe(true)
        expect(altitude).toBeLessThan(4000)
        if (whereabouts === 'mountain') expect(altitude).toBeGreaterThan(place.altitude + 50)
      }
    }
  })

  it('keeps the roads and rivers inside the outline', () => {
    const points = [...roads, ...rivers].flatMap((road) => lineAlong(geography, road, [0, 1]))
    const outside = points.filter(
      ([longitude = NaN, latitude = NaN]) => !contains(geography.outline, [longitude, latitude]),
    )
    expect(outside).toEqual([])
    expect(points.length).toBeGreaterThan(200)
  })

  it('draws different borders for a different seed', () => {
    expect(layOut('a seed').outline).toEqual(geography.outline)
    expect(layOut('another').outline).not.toEqual(geography.outline)
  })
})
