import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { findPython } from '../../scripts/fetch-python.ts'
import { demoHub } from '../fixtures/demo-hub.ts'
import { lintWithRedocly } from '../fixtures/openapi/lint.ts'

type Link = { readonly rel: string; readonly href: string; readonly type: string }
type Linked = { readonly links: readonly Link[] }
type Collection = Linked & {
  readonly id: string
  /** Has no box if no feature has a position. */
  readonly extent: { readonly spatial?: { readonly bbox: readonly (readonly number[])[] } }
}
type Features = Linked & {
  readonly numberMatched: number
  readonly numberReturned: number
  readonly features: readonly {
    readonly id: string
    readonly geometry: { readonly type: string; readonly coordinates: readonly number[] } | null
  }[]
}

/** Parses a response. The caller states its type. */
function parse<Answer>(written: string): Answer {
  return JSON.parse(written)
}

const hasGdal = spawnSync('ogrinfo', ['--version']).error === undefined

describe('OGC API Features over the demo', { timeout: 120_000 }, () => {
  let hub: string
  const load = async <Answer>(url: string): Promise<Answer> => {
    const answer = await fetch(url)
    expect(answer.status, url).toBe(200)
    return parse<Answer>(await answer.text())
  }
  const collections = async () =>
    (await load<{ readonly collections: readonly Collection[] }>(`${hub}/ogc/collections`))
      .collections

  beforeAll(async () => {
    hub = await demoHub()
  }, 300_000)

  it('links from the landing page to every document, each with the stated media type', async () => {
    const landing = await load<Linked>(`${hub}/ogc`)
    const [first] = await collections()
    for (const { href, type } of [...landing.links, ...(first?.links ?? [])]) {
      const answer = await fetch(href)
      expect([href, answer.status]).toEqual([href, 200])
      const sent = answer.headers.get('content-type') ?? ''
      // Pages name their character set; the definition has a media type parameter that clients
      // compare.
      expect(sent.replace(/; charset=utf-8$/, '')).toBe(type)
    }
  })

  it('is listed in the catalogue for every dataset that is a collection', async () => {
    type Dataset = { readonly service: string; readonly standards: readonly Standard[] }
    type Standard = { readonly name: string; readonly url: string }
    const named = async () => {
      const { datasets } = await load<{ readonly datasets: readonly Dataset[] }>(`${hub}/catalogue`)
      const standards = datasets.flatMap((dataset) => dataset.standards)
      const features = standards.filter(({ name }) => name === 'OGC API Features')
      return features.map(({ url }) => new URL(url).pathname).toSorted()
    }
    const shown = async () =>
      (await collections()).map(({ id }) => `/ogc/collections/${id}/items`).toSorted()
    // Parallel tests push stations of new types, which may be created between the two requests.
    await expect.poll(async () => isDeepStrictEqual(await named(), await shown())).toBe(true)
    expect((await named()).length).toBeGreaterThan(10)
  })

  it('has a valid OpenAPI 3.0 definition without external references', async () => {
    const answer = await fetch(`${hub}/ogc/api`)
    const definition = await answer.text()
    expect(definition).not.toMatch(/"\$ref":"(?!#)/)
    const findings = await lintWithRedocly(definition, 'json')
    // No token is required, although one shows more data; and the hub of a test runs on localhost.
    const expected = ['security-defined', 'no-server-example.com']
    const others = findings.filter(({ rule }) => !expected.includes(rule))
    expect(others.slice(0, 5)).toEqual([])
  })

  it('returns every feature of each collection once, within its extent', async () => {
    for (const { id, extent } of await collections()) {
      const [box = []] = extent.spatial?.bbox ?? []
      const [west = 0, south = 0, east = 0, north = 0] = box
      const found = new Set<string>()
      let next: string | undefined = `${hub}/ogc/collections/${id}/items?limit=200&properties=`
      let matched = 0
      while (next !== undefined) {
        const page: Features = await load<Features>(next)
        for (const { id: feature, geometry } of page.features) {
          found.add(feature)
          if (geometry?.type !== 'Point') continue
          const [x = 0, y = 0] = geometry.coordinates
          expect(
            x >= west - 1e-6 && x <= east + 1e-6 && y >= south - 1e-6 && y <= north + 1e-6,
          ).toBe(true)
        }
        matched = page.numberMatched
        next = page.links.find(({ rel }) => rel === 'next')?.href
      }
      expect([id, found.size]).toEqual([id, matched])
    }
  })
})

const described = hasGdal ? describe : describe.skip
const leftOut = hasGdal ? '' : ' [left out: GDAL is not installed; run npm run setup]'

described(`OGC API Features by GDAL${leftOut}`, { timeout: 120_000 }, () => {
  let hub: string
  const ogrinfo = async (...args: readonly string[]) => {
    const program = spawn('ogrinfo', ['-ro', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    return text(program.stdout)
  }
  beforeAll(async () => {
    hub = await demoHub()
  }, 300_000)

  it('lists the collections as layers', async () => {
    const layers = await ogrinfo('-q', `OAPIF:${hub}/ogc`)
    expect(layers).toContain('ParkingStation')
    expect(layers).toContain('Accommodation')
  })

  it('reads as many features as the hub counts, with typed fields', async () => {
    const counted = await (await fetch(`${hub}/v1/Accommodation?pagesize=1`)).text()
    const { TotalResults } = parse<{ readonly TotalResults: number }>(counted)
    const summary = await ogrinfo('-so', `OAPIF:${hub}/ogc`, 'Accommodation')
    expect(summary).toContain(`Feature Count: ${String(TotalResults)}`)
    expect(summary).toContain('Geometry: Point')
    expect(summary).toMatch(/Active: Integer\(Boolean\)/)
  })

  it('filters by place and by property', async () => {
    const one = await ogrinfo(
      '-q',
      `OAPIF:${hub}/ogc`,
      'ParkingStation',
      '-where',
      "scode = 'parking-0002'",
    )
    expect(one.match(/^OGRFeature/gm)).toHaveLength(1)
    // The hub filters, not the program.
    expect(one).not.toContain('ERROR')
    expect(one).toContain('scode (String) = parking-0002')
    const url = `${hub}/ogc/collections/Accommodation/items?bbox=11.2,46.4,11.5,46.6&limit=1`
    const { numberMatched } = parse<Features>(await (await fetch(url)).text())
    const box = ['-spat', '11.2', '46.4', '11.5', '46.6']
    const within = await ogrinfo('-so', `OAPIF:${hub}/ogc`, 'Accommodation', ...box)
    expect(within).toContain(`Feature Count: ${String(numberMatched)}`)
  })
})

const python = findPython('owslib')
const withoutOwslib =
  python === undefined ? ' [left out: OWSLib is not installed; run npm run setup]' : ''

describe.skipIf(python === undefined)(`OGC API Features by OWSLib${withoutOwslib}`, () => {
  it('reads collections, filtered features and single features', { timeout: 120_000 }, async () => {
    const hub = await demoHub()
    const script = fileURLToPath(new URL('read-by-owslib.py', import.meta.url))
    const program = spawn(python ?? '', [script, `${hub}/ogc`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const found = parse<Readonly<Record<string, unknown>>>(await text(program.stdout))
    expect(found['conformsTo']).toContain(
      'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
    )
    expect(found['collections']).toContain('ParkingStation')
    expect(found['described']).toBe('ParkingStation')
    expect(found['queryables']).toContain('mvalue.free')
    expect(found['filtered']).toEqual(['parking-0002'])
    expect(found['sorted']).toEqual(['parking-0001', 'parking-0002'])
    expect(found['within']).toBeGreaterThan(0)
    expect(found['one']).toBe('parking-0002')
  })
})
