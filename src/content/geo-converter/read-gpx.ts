import { createBudget, createLine } from './create-line.ts'
import { notUnderstood } from './faults.ts'
import type { Place } from './faults.ts'
import { createShapeList, toShapes } from './geometry.ts'
import { createReader, nothingLeft } from './reader.ts'
import type { Attributes, Grammar, Reader } from './reader.ts'

/** What a GPX file may hold, the best first: where it holds several, a caller chooses. */
export const gpxParts = ['waypoints', 'routes', 'tracks'] as const

type Meaning = 'file' | 'waypoint' | 'route' | 'track' | 'segment' | 'point' | 'elevation'

const below = (names: Readonly<Record<string, Meaning>>) => new Map(Object.entries(names))

/** GPX 1.1, and 1.0, which has the same names. */
const grammar: Grammar<Meaning> = new Map([
  ['file', below({ wpt: 'waypoint', rte: 'route', trk: 'track' })],
  ['route', below({ rtept: 'point' })],
  ['track', below({ trkseg: 'segment' })],
  ['segment', below({ trkpt: 'point' })],
  ['waypoint', below({ ele: 'elevation' })],
  ['point', below({ ele: 'elevation' })],
])

/** Reads a GPX file: all waypoints as one line, each route, and each segment of each track. */
export function createGpxReader(): Reader {
  const lines = createLines()
  let open: Open | undefined
  return createReader<Meaning>({
    root: {
      name: 'gpx',
      meaning: 'file',
      hint: 'Send KML to /v1/GeoConverter/KmlToGeoJson.',
    },
    grammar,
    texts: new Set(['ele']),
    enter: (meaning, attributes, at) => {
      if (meaning === 'waypoint' || meaning === 'point') open = toOpen(attributes, at)
      if (meaning === 'route' || meaning === 'segment') lines.begin()
    },
    read: (meaning, text) => {
      if (open !== undefined && meaning === 'elevation')
        open = { ...open, altitude: toAltitude(text) }
      return nothingLeft
    },
    leave: (meaning) => {
      if (open !== undefined && (meaning === 'waypoint' || meaning === 'point')) {
        lines.add(meaning, open)
      }
      if (meaning === 'route' || meaning === 'segment') lines.end(meaning)
    },
    found: lines.found,
  })
}

/** A point whose element has not ended. */
type Open = {
  readonly longitude: string
  readonly latitude: string
  readonly at: Place
  readonly altitude?: string | undefined
}

function toOpen({ lon, lat }: Attributes, at: Place): Open {
  if (lon === undefined || lat === undefined) {
    throw notUnderstood('A point has no attribute lon or lat.', at)
  }
  return { longitude: lon.trim(), latitude: lat.trim(), at }
}

/** The lines of the file, and the current one. */
function createLines() {
  const budget = createBudget()
  const waypoints = createLine(budget)
  const [points, routes, tracks] = [createShapeList(), createShapeList(), createShapeList()]
  let line = createLine(budget)
  return {
    begin: () => {
      line = createLine(budget)
    },
    add: (meaning: 'waypoint' | 'point', { at, ...written }: Open) => {
      const target = meaning === 'waypoint' ? waypoints : line
      target.add(written, () => at)
    },
    end: (meaning: 'route' | 'segment') => {
      const lines = meaning === 'route' ? routes : tracks
      lines.add(toShapes(line))
    },
    found: () => {
      points.add(toShapes(waypoints))
      return { waypoints: points.all(), routes: routes.all(), tracks: tracks.all() }
    },
  }
}

/** Devices write NaN, or nothing, where they do not know how high they are. */
function toAltitude(text: string): string | undefined {
  const written = text.trim()
  return written === '' || /^[+-]?nan$/i.test(written) ? undefined : written
}
