import fc from 'fast-check'
import type { Geometry, Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../errors/index.ts'
import { convert, gpx, kml } from './convert.ts'
import type { Conversion } from './convert.ts'

/** Yields a file in pieces of a given size. */
async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) {
    yield await Promise.resolve(bytes.subarray(from, from + size))
  }
}

async function run(conversion: Conversion, file: string | Uint8Array, size = 7): Promise<unknown> {
  const chunks = cut(typeof file === 'string' ? Buffer.from(file) : file, size)
  return JSON.parse((await convert(conversion, { chunks }, { isStrict: false })).join(''))
}

/** Returns doubles that JSON preserves, which excludes negative zero. */
const within = (most: number) =>
  fc.double({ min: -most, max: most, noNaN: true }).map((value) => (value === 0 ? 0 : value))
const position: fc.Arbitrary<Position> = fc.oneof(
  fc.tuple(within(180), within(90)),
  fc.tuple(within(180), within(90), within(1e300)),
)
const positions = (least: number) => fc.array(position, { minLength: least, maxLength: 12 })
const ring = positions(3).map((open) => [...open, [...(open[0] ?? [])]])

type Single = Extract<Geometry, { type: 'Point' | 'LineString' | 'Polygon' }>

const single: fc.Arbitrary<Single> = fc.oneof(
  position.map((coordinates): Single => ({ type: 'Point', coordinates })),
  positions(2).map((coordinates): Single => ({ type: 'LineString', coordinates })),
  fc
    .array(ring, { minLength: 1, maxLength: 3 })
    .map((coordinates): Single => ({ type: 'Polygon', coordinates })),
)

/** Returns the GeoJSON expected for a file with these geometries. */
function together(singles: readonly Single[]): unknown {
  const [first] = singles
  if (singles.length === 1) return first
  const isOfOneKind = singles.every(({ type }) => type === first?.type)
  return isOfOneKind
    ? {
        type: `Multi${first?.type ?? ''}`,
        coordinates: singles.map(({ coordinates }) => coordinates),
      }
    : { type: 'GeometryCollection', geometries: singles }
}

const tuples = (all: readonly Position[]) => all.map((one) => one.join(',')).join(' ')
const coordinatesOf = (all: readonly Position[]) => `<coordinates>${tuples(all)}</coordinates>`

function printKml(geometry: Single): string {
  if (geometry.type === 'Point') return `<Point>${coordinatesOf([geometry.coordinates])}</Point>`
  if (geometry.type === 'LineString') {
    return `<LineString>${coordinatesOf(geometry.coordinates)}</LineString>`
  }
  const rings = geometry.coordinates.map((one, index) => {
    const side = index === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs'
    return `<${side}><LinearRing>${coordinatesOf(one)}</LinearRing></${side}>`
  })
  return `<Polygon>${rings.join('')}</Polygon>`
}

function printGpx(name: string, [lon, lat, ele]: Position): string {
  const inner = ele === undefined ? '' : `<ele>${String(ele)}</ele>`
  return `<${name} lat="${String(lat)}" lon="${String(lon)}">${inner}</${name}>`
}

describe('any geometry', () => {
  it('printed as KML is converted back unchanged, in pieces of any size', async () => {
    const files = fc.array(single, { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.boolean(),
        fc.integer({ min: 1, max: 5000 }),
        async (all, inOne, size) => {
          const inner = all.map(printKml)
          const placemarks = inOne
            ? `<Placemark><MultiGeometry>${inner.join('')}</MultiGeometry></Placemark>`
            : inner.map((one) => `<Placemark>${one}</Placemark>`).join('')
          const file = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemarks}</Document></kml>`
          expect(await run(kml, file, size)).toEqual(together(all))
        },
      ),
    )
  })

  it('printed as GPX is converted back unchanged', async () => {
    const lines = fc.array(positions(2), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        const toSegment = (one: readonly Position[]) =>
          `<trkseg>${one.map((at) => printGpx('trkpt', at)).join('')}</trkseg>`
        const routes = all.map(
          (one) => `<rte>${one.map((at) => printGpx('rtept', at)).join('')}</rte>`,
        )
        const expected = together(all.map((coordinates) => ({ type: 'LineString', coordinates })))
        expect(await run(gpx, `<gpx><trk>${all.map(toSegment).join('')}</trk></gpx>`)).toEqual(
          expected,
        )
        expect(await run(gpx, `<gpx>${routes.join('')}</gpx>`)).toEqual(expected)
        const waypoints = all.flat()
        const file = `<gpx>${waypoints.map((at) => printGpx('wpt', at)).join('')}</gpx>`
        expect(await run(gpx, file)).toEqual({ type: 'LineString', coordinates: waypoints })
      }),
    )
  })
})

const seeds = [
  `<?xml version="1.0" encoding="UTF-8"?><kml><Placemark><MultiGeometry>${printKml({
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4, 5],
    ],
  })}${printKml({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 0],
      ],
    ],
  })}</MultiGeometry><gx:Track><gx:coord>1 2 3</gx:coord></gx:Track></Placemark></kml>`,
  `<gpx>${printGpx('wpt', [1, 2, 3])}<trk><trkseg>${printGpx('trkpt', [4, 5])}</trkseg></trk></gpx>`,
]

const bits = [
  '<',
  '>',
  '/',
  '&',
  ';',
  '"',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '<?',
  '&#0;',
  '&amp;',
  '<kml>',
  '</kml>',
  '<Polygon>',
  '<coordinates>',
  '1,2',
  ',',
  ' ',
  '\u0000',
  '\uFFFE',
  'é',
  '1e999',
  '<!DOCTYPE a [',
  '%',
]

describe('a damaged file', () => {
  it('is converted or refused, without a server error', async () => {
    const change = fc.record({
      at: fc.nat(400),
      drop: fc.nat(6),
      put: fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 3 })),
    })
    const damaged = fc.tuple(
      fc.constantFrom(...seeds),
      fc.array(change, { minLength: 1, maxLength: 4 }),
    )
    await fc.assert(
      fc.asyncProperty(damaged, fc.constantFrom(kml, gpx), async ([seed, changes], conversion) => {
        const file = changes.reduce(
          (text, { at, drop, put }) =>
            text.slice(0, at % text.length) + put + text.slice((at % text.length) + drop),
          seed,
        )
        await expectAnswerOrRefusal(run(conversion, file))
      }),
      { numRuns: 3000 },
    )
  })

  it('of random bytes is converted or refused, without a server error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        await expectAnswerOrRefusal(run(kml, bytes))
      }),
      { numRuns: 300 },
    )
  })
})

async function expectAnswerOrRefusal(work: Promise<unknown>): Promise<void> {
  const outcome = await work.catch((error: unknown) => error)
  if (outcome instanceof AppError) expect(outcome.status).toBeLessThan(500)
  else expect(outcome).toHaveProperty('type')
}
