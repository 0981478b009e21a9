import { describe, expect, it } from 'vitest'
import { convertFile, gpxOf, gpxPoint } from '../../../test/fixtures/convert-file.ts'
import { gpx } from './convert.ts'

const track = `<trk><trkseg>${gpxPoint('trkpt', [1, 2])}${gpxPoint('trkpt', [3, 4], '<ele>5.50</ele>')}</trkseg></trk>`
const route = `<rte><name>r</name>${gpxPoint('rtept', [5, 6])}${gpxPoint('rtept', [7, 8])}</rte>`
const waypoints = `${gpxPoint('wpt', [9, 10])}${gpxPoint('wpt', [11, 12], '<ele> 13 </ele>')}`

const asWaypoints = {
  type: 'LineString',
  coordinates: [
    [10, 9],
    [12, 11, 13],
  ],
}
const asRoute = {
  type: 'LineString',
  coordinates: [
    [6, 5],
    [8, 7],
  ],
}
const asTrack = {
  type: 'LineString',
  coordinates: [
    [2, 1],
    [4, 3, 5.5],
  ],
}

describe('GPX', () => {
  it.each([
    ['waypoints', waypoints, asWaypoints],
    ['a single waypoint', gpxPoint('wpt', [-1, -2]), { type: 'Point', coordinates: [-2, -1] }],
    ['a route', route, asRoute],
    ['a track', track, asTrack],
    [
      'a track of segments, one of them empty',
      `<trk><trkseg/><trkseg>${gpxPoint('trkpt', [1, 2])}${gpxPoint('trkpt', [3, 4])}</trkseg><trkseg>${gpxPoint('trkpt', [1, 1])}${gpxPoint('trkpt', [2, 2])}</trkseg></trk>`,
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [2, 1],
            [4, 3],
          ],
          [
            [1, 1],
            [2, 2],
          ],
        ],
      },
    ],
    [
      'elevations that are unknown',
      gpxPoint('wpt', [1, 2], '<ele>NaN</ele>') + gpxPoint('wpt', [3, 4], '<ele/>'),
      {
        type: 'LineString',
        coordinates: [
          [2, 1],
          [4, 3],
        ],
      },
    ],
    [
      'extensions',
      gpxPoint(
        'wpt',
        [1, 2],
        '<extensions><x:ele xmlns:x="x">7</x:ele><wpt lat="9"/></extensions>',
      ),
      { type: 'Point', coordinates: [2, 1] },
    ],
  ])('with %s is converted', async (_title, inner, expected) => {
    expect(await convertFile(gpx, gpxOf(inner), { isStrict: true })).toEqual(expected)
  })

  it('yields its waypoints, else routes, else tracks, unless parts are specified', async () => {
    expect(await convertFile(gpx, gpxOf(track + route + waypoints))).toEqual(asWaypoints)
    expect(await convertFile(gpx, gpxOf(track + route))).toEqual(asRoute)
    const all = gpxOf(track + route + waypoints)
    expect(await convertFile(gpx, all, { parts: ['tracks'], isStrict: true })).toEqual(asTrack)
    expect(await convertFile(gpx, all, { parts: ['tracks', 'waypoints', 'routes'] })).toEqual({
      type: 'MultiLineString',
      coordinates: [asWaypoints.coordinates, asRoute.coordinates, asTrack.coordinates],
    })
  })

  it('is rejected if strict handling would omit parts, or a chosen part is missing', async () => {
    const converted = convertFile(gpx, gpxOf(track + waypoints), { isStrict: true })
    await expect(converted).rejects.toMatchObject({
      code: 'HUB-QRY-003',
      message: 'The file holds waypoints and tracks; only waypoints would be converted.',
    })
    const missing = convertFile(gpx, gpxOf(track), { parts: ['routes'] })
    await expect(missing).rejects.toThrow('The file holds none of routes, but tracks.')
  })
})
