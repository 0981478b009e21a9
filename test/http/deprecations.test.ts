import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContent, storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { publicUrl } from '../fixtures/test-app.ts'

const token = { authorization: 'Bearer provider' }

const summer = { Id: 'summer', TagName: { en: 'Summer' }, Types: ['season'] }

const linkTo = (anchor: string) => `<${publicUrl}/docs/deprecations#${anchor}>; rel="deprecation"`

/** The deprecated names are served until the end of the last day of 2027. */
const sunset = 'Sat, 01 Jan 2028 00:00:00 GMT'
const since = '@1795132800'

describeWithDatabase('a deprecation', (database) => {
  let app: FastifyInstance
  const open = (profile: 'strict' | 'compatible') => openContent(database(), profile)
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

  beforeAll(async () => {
    app = await open('strict')
    const records = Array.from({ length: 12 }, (_, index) => ({
      Id: `p${String(index)}`,
      TagIds: ['summer'],
      GpsInfo: [{ Gpstype: 'position', Latitude: 46.5, Longitude: 11.3 }],
    }))
    await storeContent(database(), 'HubActivityPoi', records)
    await storeContent(database(), 'Tag', [summer])
  })
  afterAll(() => app.close())

  describe('is listed at /v1/Deprecated, which', () => {
    it('requires a token, unless the profile is compatible', async () => {
      const refused = await get('/v1/Deprecated')
      expect(refused.statusCode).toBe(401)
      expect(refused.headers).toMatchObject({ deprecation: since, sunset })
      const compatible = await open('compatible')
      expect((await compatible.inject('/v1/Deprecated')).statusCode).toBe(200)
      await compatible.close()
    })

    it('is deprecated itself, and reports this in its headers', async () => {
      const { headers } = await get('/v1/Deprecated', token)
      expect(headers).toMatchObject({
        deprecation: since,
        sunset,
        link: linkTo('Deprecated.-v1-Deprecated'),
      })
    })

    it('returns records by entity name, and 304 if they have not changed', async () => {
      const response = await get('/v1/Deprecated', token)
      const answer: Record<string, object[]> = response.json()
      expect(answer['HubActivityPoi']).toContainEqual({
        Name: 'GpsPoints',
        Type: 'Map<Object>',
        Description: 'Use GpsInfo',
        DeprecationDate: '2026-11-20',
        RemovedAfter: '2027-12-31',
      })
      expect(answer['Event']).toContainEqual({
        Name: 'Pdf',
        Type: 'String',
        Description: expect.stringContaining('Removed'),
        DeprecationDate: '2025-11-20',
        RemovedAfter: '2026-11-19',
      })
      expect(answer['Event']).toContainEqual(expect.objectContaining({ Name: 'hubtagfilter' }))
      expect(answer['Deprecated']).toEqual([
        expect.objectContaining({ Name: '/v1/Deprecated', Type: 'Route' }),
      ])
      const { etag = '' } = response.headers
      const again = await get('/v1/Deprecated', { ...token, 'if-none-match': etag })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    })

    it('lists the former path of tags, which is still served', async () => {
      const answer: Record<string, object[]> = (await get('/v1/Deprecated?type=tag', token)).json()
      expect(answer['Tag']).toContainEqual(
        expect.objectContaining({ Name: '/v1/HubTag', Type: 'Route', Description: 'Use /v1/Tag' }),
      )
      for (const path of ['', '?types=season', '/summer', '/summer?fields=Id']) {
        const [former, present] = [await get(`/v1/HubTag${path}`), await get(`/v1/Tag${path}`)]
        expect(former.json()).toEqual(present.json())
        expect(former.headers).toMatchObject({ deprecation: since, sunset })
        expect(present.headers).not.toHaveProperty('deprecation')
      }
      expect((await get('/v1/HubTag?validforentity=x')).json()).toMatchObject({ TotalResults: 0 })
    })

    it('accepts the types of a deployment with another prefix', async () => {
      const own = (await get('/v1/Deprecated?type=hubactivitypoi', token)).json()
      expect(Object.keys(own)).toHaveLength(1)
      expect((await get('/v1/Deprecated?type=odhactivitypoi', token)).json()).toEqual(own)
    })

    it.each(['type=event,Tag', 'hubtype=EVENT,tag', 'odhtype=Event,tag'])(
      'accepts %s',
      async (query) => {
        const answer = (await get(`/v1/Deprecated?${query}`, token)).json()
        expect(Object.keys(answer)).toEqual(['Event', 'Tag'])
      },
    )

    it('returns {} for an entity without deprecations, and 400 for an unknown one', async () => {
      expect((await get('/v1/Deprecated?type=source', token)).json()).toEqual({})
      const refused = await get('/v1/Deprecated?type=evnt', token)
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({
        errorCode: 'HUB-QRY-001',
        errors: [{ parameter: 'type', hint: 'Did you mean Event?' }],
      })
    })
  })

  describe('is reported in the headers if a request uses', () => {
    it.each([
      ['a field', 'fields=Id,GpsPoints.position', ['HubActivityPoi.GpsPoints']],
      ['a filter', "rawfilter=in(SmgTags.[*],'summer')", ['HubActivityPoi.SmgTags']],
      ['an order', 'rawsort=-Difficulty', ['HubActivityPoi.Difficulty']],
      ['several', 'fields=Type,Highlight', ['HubActivityPoi.Type', 'HubActivityPoi.Highlight']],
    ])('%s', async (_what, query, anchors) => {
      const { statusCode, headers } = await get(`/v1/HubActivityPoi?pagesize=100&${query}`)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({ deprecation: since, sunset })
      const links = String(headers.link).split(', ').sort()
      // Fields that every entity may have are explained only once.
      const wanted = anchors.map((anchor) => linkTo(anchor)).sort()
      expect(links.map(nameOf)).toEqual(wanted.map(nameOf))
    })

    it('a field of an item, next to other links, and with 304', async () => {
      const item = await get('/v1/HubActivityPoi/p1?fields=GpsPoints')
      expect(item.headers).toMatchObject({ deprecation: since, sunset })
      const list = await get('/v1/HubActivityPoi?fields=GpsPoints&pagesize=5')
      expect(list.headers.link).toMatch(/rel="deprecation", <[^>]+>; rel="next"$/)
      const again = await get('/v1/HubActivityPoi?fields=GpsPoints&pagesize=5', {
        'if-none-match': String(list.headers.etag),
      })
      expect(again.statusCode).toBe(304)
      expect(again.headers).toMatchObject({ deprecation: since })
    })

    it('a parameter', async () => {
      expect((await get('/v1/Event?hubtagfilter=x')).headers).toMatchObject({ deprecation: since })
      expect((await get('/v1/HubActivityPoi?hubtagfilter=x')).headers).not.toHaveProperty(
        'deprecation',
      )
    })

    it('it, and only then', async () => {
      for (const url of ['/v1/HubActivityPoi', '/v1/HubActivityPoi?fields=GpsInfo&rawsort=Id']) {
        const { headers } = await get(url)
        expect(headers).not.toHaveProperty('deprecation')
        expect(headers).not.toHaveProperty('sunset')
      }
    })
  })

  it('is listed without a token, with the anchor that links in headers lead to', async () => {
    const list = await get('/deprecations')
    expect(list.statusCode).toBe(200)
    const { deprecations }: { readonly deprecations: readonly { readonly anchor: string }[] } =
      list.json()
    expect(deprecations).toContainEqual({
      of: 'HubActivityPoi',
      kind: 'member',
      name: 'GpsPoints',
      type: 'Map<Object>',
      state: 'deprecated',
      description: 'Use GpsInfo',
      since: '2026-11-20',
      until: '2027-12-31',
      anchor: '-.GpsPoints',
    })
    const { headers } = await get('/v1/HubActivityPoi?fields=GpsPoints,Type')
    const anchors = [...String(headers.link).matchAll(/#([^>]+)>/g)].map(([, anchor]) => anchor)
    expect(anchors).toHaveLength(2)
    const listed = deprecations.map(({ anchor }) => anchor)
    for (const anchor of anchors) expect(listed).toContain(anchor)
    const again = await get('/deprecations', { 'if-none-match': list.headers.etag ?? '' })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('is annotated in the OpenAPI document', async () => {
    const document = (await get('/openapi.json')).json()
    const { HubActivityPoi, Event } = document.components.schemas
    expect(HubActivityPoi.properties.SmgTags).toMatchObject({
      deprecated: true,
      description: 'Use Tags',
      'x-deprecation-date': '2026-11-20',
    })
    expect(Event.properties).not.toHaveProperty('Pdf')
    expect(document.paths['/v1/Deprecated'].get.deprecated).toBe(true)
    const parameters: { name: string; deprecated?: boolean; schema: object }[] =
      document.paths['/v1/Event'].get.parameters
    const tags = parameters.find(({ name }) => name === 'hubtagfilter')
    expect({ ...tags?.schema, ...tags }).toMatchObject({ deprecated: true })
  })
})

function nameOf(link: string): string {
  return /#[^.]+\.([^>]+)>/.exec(link)?.[1] ?? link
}
