import type { Geometry, Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { toLocation } from './location.ts'

const here: Position = [11.5, 46.5]
const there: Position = [11.6, 46.6]
const beyond: Position = [11.7, 46.5]

/** Makes a geometry that its type forbids, as it may arrive from outside. */
const odd = (members: object): Geometry => ({ type: 'Point', coordinates: here, ...members })

const point = {
  type: 'Point',
  pointByCoordinates: { pointCoordinates: { latitude: 46.5, longitude: 11.5 } },
}

/** Returns the location of a geometry of which nothing is left out. */
const locationOf = (geometry: Geometry | null) =>
  toLocation(geometry, (detail) => {
    throw new Error(detail)
  })

describe('toLocation', () => {
  it('writes a point as Point, with separate latitude and longitude', () => {
    expect(locationOf({ type: 'Point', coordinates: [...here, 262] })).toEqual(point)
  })

  it('writes a line as Linear through all its positions, with the first one for display', () => {
    expect(locationOf({ type: 'LineString', coordinates: [here, there, beyond] })).toMatchObject({
      type: 'Linear',
      locationForDisplay: { latitude: 46.5, longitude: 11.5 },
      linearWithinLinearElement: {
        linearElement: {
          startPointOfLinearElement: { pointCoordinates: { latitude: 46.5, longitude: 11.5 } },
          intermediatePointOnLinearElement: [
            { index: 1, referent: { pointCoordinates: { latitude: 46.6, longitude: 11.6 } } },
          ],
          endPointOfLinearElement: { pointCoordinates: { latitude: 46.5, longitude: 11.7 } },
        },
      },
    })
  })

  it('writes a line whose positions are all the same as Point', () => {
    expect(locationOf({ type: 'LineString', coordinates: [here, here] })).toEqual(point)
  })

  it('writes polygons as one Area of their outer rings, without closing positions', () => {
    const ring = [here, there, beyond, here]
    const area = locationOf({ type: 'MultiPolygon', coordinates: [[ring], [ring]] })
    expect(area).toMatchObject({ type: 'Area', locationForDisplay: { latitude: 46.5 } })
    expect(JSON.stringify(area).match(/"index":3/g)).toHaveLength(2)
    expect(JSON.stringify(area).match(/"index":4/g)).toBeNull()
  })

  it('reports that it leaves out holes', () => {
    const ring = [here, there, beyond, here]
    const notes: string[] = []
    const note = (detail: string) => notes.push(detail)
    const area = toLocation({ type: 'Polygon', coordinates: [ring, [there]] }, note)
    expect(area).toEqual(locationOf({ type: 'Polygon', coordinates: [ring] }))
    expect(notes).toEqual(['geometry: an area cannot have holes, so it is written without them.'])
  })

  it('leaves a ring of fewer than three corners out of an Area with others, and reports it', () => {
    const ring = [here, there, beyond, here]
    const notes: string[] = []
    const coordinates = [[ring], [[here, there, here]], [], [ring]]
    const area = toLocation({ type: 'MultiPolygon', coordinates }, (detail) => notes.push(detail))
    expect(JSON.stringify(area).match(/"index":3/g)).toHaveLength(2)
    expect(notes).toEqual([
      'geometry: polygon 2 has fewer than three corners, so the area is written without it.',
    ])
  })

  it('writes a ring of two positions as a line', () => {
    const flat: Geometry = { type: 'Polygon', coordinates: [[here, there, here]] }
    expect(locationOf(flat)?.type).toBe('Linear')
  })

  it('writes several places as a group', () => {
    const group = locationOf({ type: 'MultiPoint', coordinates: [here, there] })
    expect(group?.type).toBe('NonOrderedLocationGroupByList')
    expect(group?.['locationContainedInGroup']).toHaveLength(2)
    const single = {
      type: 'GeometryCollection',
      geometries: [{ type: 'MultiPoint', coordinates: [here] }],
    }
    expect(locationOf(odd(single))).toEqual(point)
  })

  it.each<[string, Geometry | null]>([
    ['nothing', null],
    ['0,0', odd({ type: 'Point', coordinates: [0, 0] })],
    ['no numbers', odd({ type: 'Point', coordinates: [null, '46'] })],
    ['NaN', odd({ type: 'Point', coordinates: [Number.NaN, 46] })],
    ['latitude 91', odd({ type: 'Point', coordinates: [11, 91] })],
    ['an empty line', odd({ type: 'LineString', coordinates: [] })],
    ['no coordinates at all', odd({ type: 'Polygon' })],
    ['an empty collection', odd({ type: 'GeometryCollection', geometries: [null] })],
    ['an unknown geometry', odd({ type: 'Circle', coordinates: here })],
  ])('has no location for %s', (_name, geometry) => {
    expect(locationOf(geometry)).toBeUndefined()
  })

  it('skips invalid positions with a note, and keeps the others', () => {
    const broken = { type: 'LineString', coordinates: [here, [Number.NaN, 1], [0, 0], there] }
    const notes: string[] = []
    const line = toLocation(odd(broken), (detail) => notes.push(detail))
    expect(line).toEqual(locationOf({ type: 'LineString', coordinates: [here, there] }))
    expect(notes).toEqual(['geometry: positions that are 0,0 or cannot be on Earth are left out.'])
  })
})
