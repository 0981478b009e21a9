import { afterAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../test/fixtures/silent-log.ts'
import { createTestApp } from '../../test/fixtures/test-app.ts'
import { entitiesOf, toNaming } from '../content/index.ts'
import { canonicalKinds } from './canonical/pipeline.ts'
import { mappingRoutes } from './mapping-routes.ts'
import { draftTrials } from './mappings/try-mapping.ts'

const trials = draftTrials({
  ...{ kinds: canonicalKinds(entitiesOf(toNaming('Hub'))), log: silentLog },
  ...{ memory: 64, maxBytes: 10_485_760 },
})
const app = await createTestApp(
  mappingRoutes({ trials, now: () => new Date('2026-11-20T10:00:00Z') }),
)

const head = 'version: 1\nstream: acme/parking\n'
const stations = (each: string) => `${head}each: |\n  ${each}\n`
const station = `{"kind": "stations", "stationType": "ParkingStation", "origin": "ACME", "items": [{
    "code": code, "name": name, "coordinate": $point(lon, lat) }]}`

async function ask(body: object, caller = 'provider') {
  const headers = { authorization: `Bearer ${caller}`, 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: '/mappings/try', headers, body })
  return [response.statusCode, response.json()] as const
}

describe('A mapping under trial', () => {
  afterAll(async () => {
    await trials.close()
    await app.close()
  })

  it('has only the fields that its schema lists', async () => {
    const { headers, ...answer } = await app.inject({ url: '/mappings/schema' })
    expect(headers['content-type']).toContain('application/schema+json')
    const { required, properties } = answer.json()
    expect(required).toEqual(['version', 'stream', 'each'])
    expect(properties.each.description).toContain('canonical object')
    const unknown = `${stations(station)}eech: x\n`
    expect(Object.keys(properties)).not.toContain('eech')
    expect((await ask({ mapping: unknown, payload: '[]' }))[1].faults).toHaveLength(1)
  })

  it('requires a token and a valid request, but no permission', async () => {
    expect(await ask({}, 'nobody')).toMatchObject([401, { errorCode: 'HUB-ACC-001' }])
    expect(await ask({})).toMatchObject([400, { errorCode: 'HUB-BDY-001' }])
    const bad = { mapping: stations(station), payload: 'not*', encoding: 'base64' }
    expect(await ask(bad)).toMatchObject([400, { errors: [{ pointer: '/payload' }] }])
    const leap = { mapping: stations(station), payload: '[]', received: '2026-12-31T23:59:60Z' }
    expect(await ask(leap)).toMatchObject([400, { errors: [{ pointer: '/received' }] }])
  })

  it('returns the resulting objects, and rejections with their location', async () => {
    const payload = JSON.stringify([
      { code: 'a', name: 'A', lon: 11.3, lat: 46.5 },
      { code: 'b', name: 7, lon: 11.3, lat: 46.5 },
    ])
    expect(await ask({ mapping: stations(station), payload })).toMatchObject([
      200,
      {
        faults: [],
        mapping: { version: '1', stream: 'acme/parking' },
        items: 1,
        objects: [{ kind: 'stations', items: [{ code: 'a' }] }],
        rejected: [{ index: 1, pointer: '/items/0/name', kind: 'stations' }],
      },
    ])
  })

  it('can read tables sent with it, but no other files', async () => {
    const table = (file: string) =>
      `${head}tables: { sites: { file: ${file}, key: code } }\neach: |\n  $lookup("sites", code)\n`
    const files = { 'sites.csv': 'code,name\na,A\n' }
    expect(await ask({ mapping: table('sites.csv'), files, payload: '[]' })).toMatchObject([
      200,
      { faults: [] },
    ])
    for (const file of ['other.csv', '../secret.csv', '/etc/passwd', 'constructor']) {
      const [, { faults }] = await ask({ mapping: table(file), files, payload: '[]' })
      expect(faults, file).toHaveLength(1)
    }
  })

  it('is refused quickly, however deeply it nests', async () => {
    const payload = '[]'
    expect(await ask({ mapping: `each: ${'['.repeat(16_000)}`, payload })).toMatchObject([400, {}])
    const began = process.threadCpuUsage()
    for (const nested of ['[', '{a: ', '- ', '&a [*a, ']) {
      const mapping = `each: ${nested.repeat(15_900 / nested.length)}`
      const [status, { faults }] = await ask({ mapping, payload })
      expect([status, faults.length > 0]).toEqual([200, true])
    }
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(1000)
  })

  it('reports faults with their location', async () => {
    const [status, { faults, mapping }] = await ask({
      mapping: `${head}each: |\n  $lookpu("a", (b)\n`,
      payload: '[]',
    })
    expect([status, mapping]).toEqual([200, null])
    expect(faults).toMatchObject([{ file: 'mapping.yaml', line: 4 }])
  })

  it.each([
    ['endless', '( $f := function($x) { $f($x + 1) }; $f(1) )'],
    [
      'endless in a loop',
      '$map([1..9000000], function($x) { $map([1..9000000], function($y) { $y }) })',
    ],
    [
      'more than there is memory',
      '( $g := function($s, $n) { $n = 0 ? $s : $g($s & $s, $n - 1) }; $g("xxxxxxxxxx", 60) )',
    ],
    ['of the process', '$eval("process.exit()")'],
    ['of prototypes', '{"kind": "stations"}.constructor.constructor("return process")()'],
  ])('does no harm (%s), and the next trial still works', async (_, each) => {
    const [status, outcome] = await ask({ mapping: stations(each), payload: '[{}]' })
    expect(status).toBe(200)
    expect([outcome.items, outcome.objects]).toEqual([0, []])
    const payload = '{"code": "a", "name": "A", "lon": 11.3, "lat": 46.5}'
    expect(await ask({ mapping: stations(station), payload })).toMatchObject([200, { items: 1 }])
  })

  it('returns at most 500 items, and counts all of them', async () => {
    const payload = JSON.stringify(
      Array.from({ length: 3000 }, (_, code) => ({
        code: `s${String(code)}`,
        name: 'S',
        lon: 11,
        lat: 46,
      })),
    )
    const [, { items, objects }] = await ask({ mapping: stations(station), payload })
    expect([items, objects.flatMap((one: { items: unknown[] }) => one.items).length]).toEqual([
      3000, 500,
    ])
  })
})
