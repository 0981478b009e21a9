import { inSlices, yieldToEventLoop } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { createBudget, createLine } from './create-line.ts'
import { notUnderstood } from './faults.ts'
import type { Place } from './faults.ts'
import { createShapeList, printShapes, together, toShapes } from './geometry.ts'
import type { Shapes } from './geometry.ts'
import { createKmlReader } from './read-kml.ts'
import { createReader, nothingLeft } from './reader.ts'
import type { Attributes, Found, Grammar, Reader } from './reader.ts'
import { scanXml } from './scan-xml.ts'
import type { XmlFile } from './scan-xml.ts'

/** Kind of file that can be converted: its reader, and the parts it may contain, the best first. */
export type Conversion = {
  readonly name: 'KML' | 'GPX'
  readonly createReader: () => Reader
  readonly parts: readonly string[]
}

export const kml: Conversion = {
  name: 'KML',
  createReader: createKmlReader,
  parts: ['placemarks'],
}
export const gpx: Conversion = {
  name: 'GPX',
  createReader: createGpxReader,
  parts: ['waypoints', 'routes', 'tracks'],
}

/** Requested parts of the file; by default the first that it contains. */
export type Choice = { readonly parts?: readonly string[] | undefined; readonly isStrict: boolean }

/** Characters of the response that are joined to one piece. */
const maxAtOnce = 65_536

/**
 * Converts a file to GeoJSON while it arrives. However large it is, other requests get their turn
 * every few milliseconds.
 * @returns the JSON text, in pieces
 * @throws AppError HUB-GEO-001, HUB-GEO-004, HUB-BDY-003; HUB-QRY-003 under strict handling
 */
export async function convert(
  conversion: Conversion,
  file: XmlFile,
  choice: Choice,
): Promise<readonly string[]> {
  const reader = conversion.createReader()
  for await (const events of scanXml(file, reader.texts)) {
    for (const event of events) {
      await inSlices(reader.take(event)[Symbol.iterator]())
    }
    await yieldToEventLoop()
  }
  return joined(printShapes(chooseShapes(conversion, reader.found(), choice)))
}

function chooseShapes(
  { name, parts }: Conversion,
  found: Found,
  { parts: wanted, isStrict }: Choice,
): Shapes {
  const held = parts.filter((part) => (found[part]?.count ?? 0) > 0)
  const [first] = held
  if (first === undefined) throw notUnderstood(`The ${name} file holds no geometry.`)
  if (wanted === undefined && isStrict && held.length > 1) throw leftOut(held)
  const chosen = wanted === undefined ? [first] : held.filter((part) => wanted.includes(part))
  if (chosen.length > 0) return together(chosen.flatMap((part) => found[part] ?? []))
  throw notUnderstood(
    `The file holds none of ${String(wanted?.join(', '))}, but ${held.join(' and ')}.`,
  )
}

function leftOut(held: readonly string[]): AppError {
  const [first, ...others] = held
  return new AppError(
    'HUB-QRY-003',
    `The file holds ${held.join(' and ')}; only ${String(first)} would be converted.`,
    {
      issues: [
        { parameter: 'parts', detail: `does not choose ${others.join(', ')}`, expected: held },
      ],
    },
  )
}

/** Joins texts to pieces that are neither many nor large. */
async function joined(texts: Iterable<string>): Promise<readonly string[]> {
  const pieces: string[] = []
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < maxAtOnce) continue
    pieces.push(piece)
    piece = ''
    await yieldToEventLoop()
  }
  return [...pieces, piece]
}

type Meaning = 'file' | 'waypoint' | 'route' | 'track' | 'segment' | 'point' | 'elevation'

const below = (names: Readonly<Record<string, Meaning>>) => new Map(Object.entries(names))

/** Elements of GPX 1.1, and of 1.0, which has the same names. */
const grammar: Grammar<Meaning> = new Map([
  ['file', below({ wpt: 'waypoint', rte: 'route', trk: 'track' })],
  ['route', below({ rtept: 'point' })],
  ['track', below({ trkseg: 'segment' })],
  ['segment', below({ trkpt: 'point' })],
  ['waypoint', below({ ele: 'elevation' })],
  ['point', below({ ele: 'elevation' })],
])

/**
 * Returns a reader of GPX files. It reads all waypoints as one line, each route as a line, and each
 * segment of each track as a line.
 */
function createGpxReader(): Reader {
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
      if (open !== undefined && meaning === 'elevation') open = { ...open, altitude: text }
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

/** Point whose element has not ended yet. */
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
