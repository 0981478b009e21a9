import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeStations } from '../../src/timeseries/index.ts'
import { storeClosed, storeKnown } from '../fixtures/closed-data/fill.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const nullable = <Value>(type: string) => Type.Unsafe<Value | null>({ type: [type, 'null'] })

const dataset = Type.Object({
  id: Type.String(),
  count: nullable<number>('integer'),
  updated: nullable<string>('string'),
  access: Type.String(),
  sources: Type.Array(Type.String()),
  licences: Type.Array(Type.String()),
  freshness: Type.Unsafe<{ state: string; series: number } | null>({}),
  formats: Type.Array(Type.Object({ name: Type.String() })),
  operations: Type.Array(Type.String()),
  links: Type.Record(Type.String(), Type.String()),
  extent: Type.Unsafe<{ west: number; east: number } | null>({}),
  miniature: Type.Unsafe<{ kind: string; viewBox: string; path: string } | null>({}),
})

const catalogue = Type.Object({ datasets: Type.Array(dataset) })
const envelope = Type.Object({ TotalResults: Type.Integer() })

const linkedForms = {
  'json-ld': 'application/ld+json',
  turtle: 'text/turtle',
  'rdf-xml': 'application/rdf+xml',
}

type Headers = Readonly<Record<string, string>>

describeOnEngines('The catalogue', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub

  const ask = (url: string, headers: Headers = {}) => hub.ask({ url, headers })
  const read = async (headers: Headers = {}) => {
    const answer = await ask('/catalogue', headers)
    expect(answer.statusCode).toBe(200)
    const { datasets } = Parse(catalogue, answer.json())
    return new Map<string, Static<typeof dataset>>(datasets.map((one) => [one.id, one]))
  }
  const pathOf = (url = '') => url.slice(hub.publicUrl.length)

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    const HUB_LICENCES = 'open=CC-BY-4.0,*=CC0-1.0'
    hub = await openComposedHub(clone.settings, { HUB_LICENCES })
    await storeKnown(hub)
    await hub.store.database.transaction(async (tx) => {
      const parking = { stationType: 'ParkingStation', origin: 'OPEN', received: hub.now() }
      const own = { code: '106', metadata: { licence: 'ODbL-1.0' } }
      await storeStations(tx, { ...parking, items: [{ code: '105' }, own] })
    })
    hub.tick(5000)
    hub.moveClock(5000)
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
  })

  it('counts the same records as lists, for every caller', async () => {
    const roles = [[], ['ADMIN'], ['BDP_PARTNER'], ['BDP_OTHER']]
    for (const own of roles) {
      const headers: Headers = own.length === 0 ? {} : await bearer(own)
      const datasets = await read(headers)
      expect(datasets.size).toBeGreaterThan(30)
      for (const { id, count, links } of datasets.values()) {
        if (id.startsWith('timeseries/')) {
          const { statusCode, body } = await ask(`${pathOf(links['list'])}?limit=-1&select=scode`)
          expect([id, statusCode]).toEqual([id, 200])
          expect([id, body.match(/"scode"/g)?.length ?? 0]).toEqual([id, count])
          continue
        }
        const separator = links['list']?.includes('?') === true ? '&' : '?'
        const answer = await ask(`${pathOf(links['list'])}${separator}pagesize=1`, headers)
        if (count === null) expect([id, answer.statusCode]).toEqual([id, 401])
        else expect([id, Parse(envelope, answer.json()).TotalResults]).toEqual([id, count])
      }
    }
  })

  it('states licences of providers, or those configured for the origin by default', async () => {
    const datasets = await read()
    const licencesOf = (id: string) => datasets.get(id)?.licences
    expect(licencesOf('timeseries/ParkingStation')).toEqual(['CC-BY-4.0', 'ODbL-1.0'])
    for (const { id, count, licences } of datasets.values()) {
      if (count === null || count === 0) continue
      // The settings apply to open data, and all stations of these types are closed.
      const isClosed = ['timeseries/Secluded', 'timeseries/Welcome'].includes(id)
      expect([id, licences.length > 0]).toEqual([id, !isClosed])
    }
    const dcat = await ask('/catalogue?format=json-ld')
    expect(dcat.body).toContain('CC-BY-4.0, ODbL-1.0')
  })

  it('returns only the requested fields of datasets', async () => {
    const { statusCode, body } = await ask('/catalogue?fields=type,links,nothing')
    expect(statusCode).toBe(200)
    const { datasets } = Parse(
      Type.Object({ datasets: Type.Array(Type.Object({})) }),
      JSON.parse(body),
    )
    expect(datasets.length).toBeGreaterThan(30)
    expect(new Set(datasets.map((one) => Object.keys(one).join()))).toEqual(new Set(['type,links']))
  })

  it('reveals no closed data that lists do not show to the caller', async () => {
    const strangers = [{}, await bearer(['BDP_OTHER'])]
    const before = await Promise.all(strangers.map((headers) => ask('/catalogue', headers)))
    const partner = await bearer(['BDP_PARTNER'])
    expect((await read(partner)).get('content/Article')?.count).toBe(4)
    await storeClosed(hub)
    hub.moveClock(5000)
    const after = await Promise.all(strangers.map((headers) => ask('/catalogue', headers)))
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
    expect(after.map(({ headers }) => headers['etag'])).toEqual(
      before.map(({ headers }) => headers['etag']),
    )
    expect(after.map(({ body }) => /numbat|quokka/i.test(body))).toEqual([false, false])
    expect(after.map(({ headers }) => headers['x-withheld'])).toEqual([
      'records;reason=no-token',
      'records;reason=no-role',
    ])
    const all = await bearer(['ADMIN'])
    const seen = await read(all)
    expect(seen.get('content/Article')).toMatchObject({ count: 6, access: 'partly' })
    expect(seen.get('timeseries/Secluded')).toMatchObject({ access: 'closed' })
    expect(seen.get('traffic/quokka-events')).toMatchObject({ count: 1, access: 'closed' })
    expect((await read()).get('content/Article')).toMatchObject({ count: 3, access: 'open' })
    expect((await read()).get('timeseries/Secluded')).toMatchObject({ freshness: null })
    expect((await read()).get('timeseries/Welcome')).toMatchObject({ freshness: { series: 1 } })
    expect((await ask('/catalogue', all)).headers['x-withheld']).toBeUndefined()
  })

  it('names operations of the OpenAPI document, and links that work', async () => {
    const document = (await ask('/openapi.json')).body
    const admin = await bearer(['ADMIN'])
    for (const { operations, links, miniature } of (await read(admin)).values()) {
      for (const operation of operations) expect(document).toContain(`"${operation}"`)
      for (const [name, link] of Object.entries(links)) {
        const isLeft = ['page', 'search', 'record', 'history', 'members', 'values'].includes(name)
        if (isLeft) continue
        const { statusCode } = await ask(pathOf(link), admin)
        const isNothing = name === 'miniature' && miniature === null
        expect([link, statusCode]).toEqual([link, isNothing ? 404 : 200])
      }
    }
  })

  it('draws the locations of records as an image that cannot run scripts', async () => {
    const { miniature, extent } = (await read()).get('timeseries/Open') ?? {}
    expect(miniature).toMatchObject({ kind: 'map' })
    expect(extent?.west).toBeLessThan(extent?.east ?? Number.NaN)
    expect(miniature?.path.length).toBeLessThan(2001)
    const image = await ask('/catalogue/timeseries/Open/miniature.svg')
    expect(image.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(image.body).toContain(miniature?.path)
  })

  it('lists the fields of every dataset, and the values in use with counts', async () => {
    const partner = await bearer(['BDP_PARTNER'])
    for (const { id, links } of (await read(partner)).values()) {
      for (const name of ['members', 'values']) {
        const { statusCode } = await ask(pathOf(links[name]), partner)
        expect([id, name, statusCode]).toEqual([id, name, 200])
      }
    }
    const sources = async (headers: Headers) =>
      (await ask('/catalogue/content/Article/values', headers)).json<{ sources: unknown }>().sources
    expect(await sources({})).toEqual([
      { id: 'open-source', count: 2 },
      { id: 'secluded-source', count: 1 },
    ])
    expect(await sources(partner)).toContainEqual({ id: 'numbat-source', count: 1 })
    const values = await ask('/catalogue/timeseries/Mixed/values')
    expect(values.json()).toMatchObject({
      dataTypes: [
        { id: 'free', count: 4, unit: 'cars' },
        { id: 'state', count: 1, unit: null },
      ],
    })
  })

  it('describes fields, the default columns of a table, and filter parameters', async () => {
    const columns = async (id: string) => {
      const { members } = (await ask(`/catalogue/${id}/members`)).json<{
        members: readonly { readonly path: string; readonly column: number | null }[]
      }>()
      const shown = members.filter(({ column }) => column !== null)
      return shown.toSorted((a, b) => Number(a.column) - Number(b.column)).map(({ path }) => path)
    }
    expect(await columns('content/Event')).toEqual([
      ...['ImageGallery.[*].ImageUrl', 'Detail.{language}.Title', 'DateBegin', 'DateEnd'],
      ...['LocationInfo.MunicipalityInfo.Name.{language}', 'Source', 'LicenseInfo.License'],
      ...['Active', 'LastChange', 'GpsInfo.[*]'],
    ])
    expect(await columns('timeseries/Mixed')).toEqual([
      ...['sname', 'scode', 'sorigin', 'sactive', 'scoordinate'],
    ])
    expect((await ask('/catalogue/content/Accommodation/members')).json()).toMatchObject({
      parameters: expect.arrayContaining([
        {
          ...{ name: 'boardfilter', kind: 'bits', unit: null, field: 'BoardIds.[*]' },
          label: { de: 'Verpflegung', it: 'Trattamento', en: 'Board' },
          isCounted: true,
        },
      ]),
    })
    expect((await ask('/catalogue/content/Accommodation/values')).json()).toMatchObject({
      parameters: { boardfilter: expect.arrayContaining([expect.objectContaining({ id: '1' })]) },
    })
  })

  it('lists fields that the time series service accepts', async () => {
    const { members } = (await ask('/catalogue/timeseries/Mixed/members')).json<{
      members: readonly { readonly path: string; readonly at: string }[]
    }>()
    const addresses = {
      stations: '/v2/flat,node/Mixed',
      values: '/v2/flat,node/Mixed/*/latest',
      edges: '/v2/flat,edge/Road',
    } as const
    for (const [at, address] of Object.entries(addresses)) {
      const paths = members.filter((one) => one.at === at).map(({ path }) => path)
      expect(paths.length).toBeGreaterThan(5)
      const { statusCode } = await ask(`${address}?select=${paths.join(',')}`)
      expect([at, statusCode]).toEqual([at, 200])
    }
  })

  it('checks expressions as lists parse them, without an error status', async () => {
    const query = new URLSearchParams({
      where: 'mvalue.gt.10',
      select: 'scode,foo',
      rawsort: 'Id',
    })
    const answer = await ask(`/catalogue/timeseries/Mixed/check?${query.toString()}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      checks: [
        { parameter: 'where', valid: true, canonical: 'mvalue.gt.10' },
        { parameter: 'select', valid: false, errors: [{ position: 6 }] },
        { parameter: 'rawsort', valid: false },
      ],
    })
    const fields = await ask('/catalogue/content/Article/check?fields=Id,%20Shortnam.de')
    expect(fields.json()).toMatchObject({
      checks: [{ valid: true, warnings: [{ position: 4, hint: 'Did you mean Shortname?' }] }],
    })
    const stations = await ask('/catalogue/timeseries/Mixed/check?where=mvalue.gt.10&at=stations')
    expect(stations.json()).toMatchObject({ checks: [{ valid: false }] })
    const events = await ask('/catalogue/traffic/open-events/check?rawfilter=eq(Active,true')
    expect(events.json()).toMatchObject({
      checks: [{ valid: false, errors: [{ position: 14 }] }],
    })
  })

  it('is DCAT-AP if linked data is requested, with the same access rights', async () => {
    const linked = await ask('/catalogue', { accept: 'application/ld+json' })
    expect(linked.headers['content-type']).toBe('application/ld+json; charset=utf-8')
    expect((await ask('/catalogue?format=json-ld')).body).toBe(linked.body)
    const json = await ask('/catalogue')
    expect(json.headers['etag']).not.toBe(linked.headers['etag'])
    const { 'dcat:dataset': datasets } = linked.json<{ 'dcat:dataset': readonly unknown[] }>()
    expect(datasets).toHaveLength((await read()).size)
    expect(/numbat|quokka/i.test(linked.body)).toBe(false)
  })

  it('returns one graph in three formats, by Accept or format, with separate tags', async () => {
    const tags = new Set<unknown>()
    for (const url of ['/catalogue', '/catalogue/timeseries/Open']) {
      for (const [format, type] of Object.entries(linkedForms)) {
        const answer = await ask(url, { accept: `${type}, */*;q=0.1` })
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([
          ...[200, `${type}; charset=utf-8`],
        ])
        expect(answer.headers['vary']).toContain('Accept')
        expect((await ask(`${url}?format=${format}`, { accept: 'text/csv' })).body).toBe(
          answer.body,
        )
        expect(answer.body).toContain('/catalogue/timeseries/Open')
        expect(/numbat|quokka/i.test(answer.body)).toBe(false)
        tags.add(answer.headers['etag'])
        const known = { accept: type, 'if-none-match': String(answer.headers['etag']) }
        expect((await ask(url, known)).statusCode).toBe(304)
        const head = await hub.ask({ url, method: 'HEAD', headers: { accept: type } })
        expect([head.statusCode, head.body, head.headers['etag']]).toEqual([
          ...[200, '', answer.headers['etag']],
        ])
      }
    }
    expect(tags.size).toBe(6)
  })

  it('is JSON if Accept matches no format, and refuses an unknown format', async () => {
    for (const url of ['/catalogue', '/catalogue/content/Article']) {
      const { headers } = await ask(url, { accept: 'application/n-quads' })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      const refused = await ask(`${url}?format=n3`)
      expect([refused.statusCode, refused.json()]).toMatchObject([
        400,
        { errors: [{ parameter: 'format', expected: ['json', ...Object.keys(linkedForms)] }] },
      ])
    }
    expect((await ask('/catalogue/content/Nothing?format=turtle')).statusCode).toBe(404)
  })

  it('contains only the datasets of a profile, in every format', async () => {
    const services = async (query: string) => {
      const { datasets } = Parse(catalogue, (await ask(`/catalogue?${query}`)).json())
      return new Set(datasets.map(({ id }) => id.split('/')[0]))
    }
    expect(await services('profile=mobility')).toEqual(
      new Set(['content', 'timeseries', 'traffic']),
    )
    const { body } = await ask('/catalogue?profile=mobility&format=turtle')
    expect(body).toContain('mobilityTheme')
    expect(body).not.toContain('content/Article')
    const named = await ask('/catalogue?profile=hvd&fields=id')
    expect(named.body).toContain('{"id":"content/GeoShape"}')
    expect(named.body).not.toContain('content/Article')
    expect((await ask('/catalogue?profile=geo')).statusCode).toBe(400)
  })

  it('names the standards that a dataset is available in', async () => {
    const { standards } = (await ask('/catalogue/traffic/open-events')).json<{
      standards: readonly { readonly url: string; readonly mediaType: string }[]
    }>()
    expect(standards).toMatchObject([
      { name: 'DATEX II', version: '2', mediaType: 'application/xml' },
      { name: 'DATEX II', version: '3.7', mediaType: 'application/xml' },
      { name: 'DATEX II', version: '3.7', mediaType: 'application/json' },
    ])
    for (const { url, mediaType } of standards) {
      const { statusCode, headers } = await ask(pathOf(url), { accept: mediaType })
      expect([statusCode, headers['content-type']]).toEqual([200, `${mediaType}; charset=utf-8`])
    }
  })

  it('responds to every example of its documentation page', async () => {
    const page = readFileSync(new URL('../../docs/catalogue.md', import.meta.url), 'utf8')
    const urls = [...page.matchAll(/^curl .*'http:\/\/localhost:8080([^']+)'$/gm)]
    expect(urls.length).toBeGreaterThan(8)
    for (const [, url = ''] of urls) expect([url, (await ask(url)).statusCode]).toEqual([url, 200])
  })

  it('returns 304 if nothing changed, and 404 for missing or hidden datasets', async () => {
    for (const url of ['/catalogue', '/catalogue/content/Article']) {
      const { headers } = await ask(url)
      const again = await ask(url, { 'if-none-match': String(headers['etag']) })
      expect(again.statusCode).toBe(304)
    }
    for (const id of ['content/Nothing', 'nothing/Article', 'traffic/quokka-events'])
      expect((await ask(`/catalogue/${id}`)).statusCode).toBe(404)
  })

  it('shows a write after five seconds', async () => {
    const count = (await read()).get('timeseries/Open')?.count
    await hub.store.database.transaction(async (tx) => {
      const written = { stationType: 'Open', origin: 'OPEN', received: hub.now() }
      await storeStations(tx, { ...written, items: [{ code: 'open-new' }] })
    })
    hub.moveClock(5000)
    expect((await read()).get('timeseries/Open')?.count).toBe((count ?? 0) + 1)
  })
})
