import { createBudget, createLine } from './create-line.ts'
import type { Line } from './create-line.ts'
import { notUnderstood, shown } from './faults.ts'
import type { Place } from './faults.ts'
import { createShapeList, toShapes } from './geometry.ts'
import type { Shape } from './geometry.ts'
import { createReader, nothingLeft } from './reader.ts'
import type { Grammar, Reader } from './reader.ts'

type Meaning =
  | 'folder'
  | 'geometries'
  | 'point'
  | 'line'
  | 'polygon'
  | 'outer'
  | 'inner'
  | 'ring'
  | 'track'
  | 'tuples'
  | 'tuple'
  | 'model'
  | 'location'
  | Axis

/** Elements that state the position of a Model. */
const axes = ['longitude', 'latitude', 'altitude'] as const
type Axis = (typeof axes)[number]

const below = (names: Readonly<Record<string, Meaning>>) => new Map(Object.entries(names))

/** Geometries of KML 2.3 (OGC 12-007r2) and of Google's extension, which are the same. */
const grammar: Grammar<Meaning> = new Map([
  ['folder', below({ Placemark: 'geometries', '*': 'folder' })],
  [
    'geometries',
    below({
      Point: 'point',
      LineString: 'line',
      LinearRing: 'line',
      Polygon: 'polygon',
      MultiGeometry: 'geometries',
      MultiTrack: 'geometries',
      Track: 'track',
      Model: 'model',
    }),
  ],
  ['point', below({ coordinates: 'tuples' })],
  ['line', below({ coordinates: 'tuples' })],
  ['polygon', below({ outerBoundaryIs: 'outer', innerBoundaryIs: 'inner' })],
  ['outer', below({ LinearRing: 'ring' })],
  ['inner', below({ LinearRing: 'ring' })],
  ['ring', below({ coordinates: 'tuples' })],
  ['track', below({ coord: 'tuple' })],
  ['model', below({ Location: 'location' })],
  ['location', below({ longitude: 'longitude', latitude: 'latitude', altitude: 'altitude' })],
])

/** Returns a reader of the geometries of all placemarks in KML. Altitudes are kept as written. */
export function createKmlReader(): Reader {
  const geometries = createGeometries()
  return createReader<Meaning>({
    root: {
      name: 'kml',
      meaning: 'folder',
      hint: 'Send GPX to /v1/GeoConverter/GpxToGeoJson.',
    },
    grammar,
    texts: new Set(['coordinates', 'coord', ...axes]),
    enter: (meaning) => {
      geometries.begin(meaning)
    },
    read: (meaning, text, at) => {
      const { line } = geometries
      if (meaning === 'tuples') return readTuples(text, { line: line(), at })
      if (meaning === 'tuple') addTracked(line(), text, at)
      const axis = axes.find((name) => name === meaning)
      if (axis !== undefined) geometries.locate(axis, text)
      return nothingLeft
    },
    leave: (meaning, at) => {
      geometries.end(meaning, at)
    },
    found: () => ({ placemarks: geometries.all() }),
  })
}

type Rings = Readonly<Record<'outer' | 'inner', Line[]>>

function createGeometries() {
  const budget = createBudget()
  const { add, all } = createShapeList()
  let location: Location = {}
  let line = createLine(budget)
  let rings: Rings = { outer: [], inner: [] }
  let side: keyof Rings = 'outer'
  const begin = (meaning: Meaning) => {
    if (meaning === 'polygon') rings = { outer: [], inner: [] }
    else if (meaning === 'outer' || meaning === 'inner') side = meaning
    else if (meaning === 'location') location = {}
    else if (meaning === 'ring' || isShape(meaning)) line = createLine(budget)
  }
  const end = (meaning: Meaning, at: Place) => {
    if (meaning === 'point') assertSingle(line, at)
    if (meaning === 'ring') rings[side].push(...toRing(line, at))
    if (meaning === 'polygon') add(toPolygon(rings, at))
    if (meaning === 'location') addLocation(line, location, at)
    if (isShape(meaning)) add(toShapes(line))
  }
  const locate = (axis: Axis, text: string) => {
    location = { ...location, [axis]: text.trim() }
  }
  return { all, begin, end, locate, line: () => line }
}

function isShape(meaning: Meaning): boolean {
  return ['point', 'line', 'track', 'model'].includes(meaning)
}

type Location = Readonly<Partial<Record<Axis, string>>>

function addLocation(line: Line, { longitude, latitude, altitude }: Location, at: Place): void {
  if (longitude === undefined || latitude === undefined) {
    throw notUnderstood('The Location of a Model has no longitude or latitude.', at)
  }
  line.add({ longitude, latitude, altitude }, () => at)
}

function assertSingle(line: Line, at: Place): void {
  if (line.count() > 1) throw notUnderstood('A Point has one position, not several.', at)
}

/** Closes a ring that is open. A ring without positions is left out. */
function toRing(line: Line, at: Place): readonly Line[] {
  if (line.count() === 0) return []
  line.close()
  if (line.count() < 4)
    throw notUnderstood('The ring of a Polygon needs at least three corners.', at)
  return [line]
}

function toPolygon({ outer, inner }: Rings, at: Place): readonly Shape[] {
  if (outer.length > 1) throw notUnderstood('A Polygon has one outer ring, not several.', at)
  if (outer.length === 1) return [{ kind: 'Polygon', rings: [...outer, ...inner] }]
  if (inner.length > 0) throw notUnderstood('A Polygon has holes, but no outer ring.', at)
  return []
}

/**
 * Adds a position of a track: longitude, latitude and altitude, separated by spaces. The position
 * is empty for a time at which it is unknown.
 */
function addTracked(line: Line, text: string, at: Place): void {
  const [longitude = '', latitude = '', altitude, ...more] = text.trim().split(/\s+/, 4)
  if (longitude === '') return
  if (latitude === '' || more.length > 0) {
    throw notUnderstood(`${shown(text)} is not a valid longitude, latitude and altitude.`, at)
  }
  line.add({ longitude, latitude, altitude }, () => at)
}

/** Number of positions in a step of work, which takes about a millisecond. */
const perStep = 1000

const blanks = /\s{1,10000}/y
const number = String.raw`([^\s,]{1,120})`
const comma = String.raw`\s{0,100},\s{0,100}`
/**
 * Longitude, latitude and optionally altitude, which can be empty. Spaces around the commas are
 * skipped. A number before another comma is not the altitude, but the next longitude.
 */
const height = String.raw`${comma}${number}(?=\s|$)(?!\s{0,100},)|\s{0,100},(?=\s|$)`
const tuple = new RegExp(`${number}${comma}${number}(?:${height}|(?=\\s|$))`, 'y')

type Target = {
  readonly line: Line
  readonly at: Place
}

/**
 * Adds the positions of an element `coordinates` to a line (OGC 12-007r2, section 16.9).
 * @returns an element for each step of work
 * @throws AppError HUB-GEO-001 with the line and column of anything that is not a position
 */
function* readTuples(text: string, { line, at }: Target): Generator<undefined> {
  let position = 0
  for (let step = 1; position < text.length; step++) {
    if (step % perStep === 0) yield undefined
    const blank = matchAt(blanks, text, position)
    if (blank !== null) {
      position += blank[0].length
      continue
    }
    const [whole = '', longitude = '', latitude = '', altitude] =
      matchAt(tuple, text, position) ?? []
    const place = () => placeIn(text, position, at)
    if (whole === '') {
      const [wrong = ''] = matchAt(/[^\s]{1,120}/y, text, position) ?? []
      throw notUnderstood(`${shown(wrong)} is not a valid longitude,latitude[,altitude].`, place())
    }
    line.add({ longitude, latitude, altitude }, place)
    position += whole.length
  }
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}

/** Returns the place of a character of a text in the file. */
function placeIn(text: string, position: number, at: Place): Place {
  const before = text.slice(0, position).split('\n')
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? at.column : 1)
  return { line: at.line + before.length - 1, column }
}
