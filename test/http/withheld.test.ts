import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { storeDataTypes, storeStations, timeseriesRoutes } from '../../src/timeseries/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const received = new Date('2026-11-20T10:00:00Z')

const nobody = {}
const expired = { authorization: 'Bearer bad' }
const plain = { authorization: 'Bearer provider' }
const trusted = { authorization: 'Bearer closed' }

/**
 * What a response reports as withheld from a caller without a token, with an expired token, or
 * without a role.
 */
const said: readonly (readonly [url: string, kinds: readonly string[]])[] = [
  ['/v1/Accommodation', ['fields', 'records']],
  ['/v1/Accommodation?pagesize=1&fields=Id', ['fields', 'records']],
  ['/v1/Accommodation/OPEN', ['fields']],
  ['/v1/Accommodation/CLOSED', ['records']],
  ['/v1/Accommodation/NEVER-WAS', ['records']],
  ['/v1/Event', ['records']],
  ['/v1/Venue', ['records']],
  ['/v1/Tag/nothing', ['records']],
  ['/v2', []],
  ['/v2/flat', ['records']],
  ['/v2/flat/*', []],
  ['/v2/tree,edge/*', []],
  ['/v2/flat/*/*', ['fields']],
  ['/v2/tree/Parking/free', ['fields']],
  ['/v2/flat/*/*?where=scode.eq."a",tname.eq."free"', ['fields']],
  ['/v2/flat/*/*?where=mvalue.gt.0', ['fields', 'records']],
  ['/v2/tree/Parking/free?where=or(scode.eq."a",prname.eq."p")', ['fields', 'records']],
  ['/v2/flat/*/*?select=mvalue,mperiod,prname', ['fields', 'records']],
  ['/v2/flat/*/*?select=mvalue,mperiod,prname&shownull=true', ['fields']],
  ['/v2/flat/*/*?select=mvalue,scode', ['fields']],
  ['/v2/tree/Parking/free?select=mvalue', ['fields']],
  ['/v2/flat/*/*/latest', ['records']],
  ['/v2/tree/NoSuchType/*/2026-11-20/2026-11-21', ['records']],
  ['/v2/freshness/*', ['records']],
  ['/v2/flat,event/*', ['records']],
  ['/v2/flat,event/A22/latest', ['records']],
]

describeWithDatabase('A response that may withhold data', (database) => {
  let app: FastifyInstance
  const headersOf = async (url: string, headers: object, method: 'GET' | 'HEAD' = 'GET') =>
    (await app.inject({ method, url, headers: { ...headers } })).headers

  beforeAll(async () => {
    const basis = { database: database(), publicUrl, visibilityOf, now: () => received }
    app = await createTestApp(contentRoutes({ ...basis, entities }), timeseriesRoutes(basis))
    await database().transaction(async (tx) => {
      await storeDataTypes(tx, { received, items: [{ name: 'free' }] })
      await storeStations(tx, { stationType: 'Parking', received, items: [{ code: 'a' }] })
      const entity = entities.find(({ name }) => name === 'Accommodation')
      if (entity === undefined) throw new Error('no Accommodation')
      const closed = { Id: 'CLOSED', LicenseInfo: { ClosedData: true } }
      const write = { entity, deletions: [], received, provider: 'demo' }
      await storeRecords(tx, { ...write, records: [{ Id: 'OPEN' }, closed] })
    })
  })
  afterAll(() => app.close())

  const withReason = (kinds: readonly string[], reason: string) =>
    kinds.length === 0 ? undefined : kinds.map((kind) => `${kind};reason=${reason}`).join(', ')

  describe.each(said)('at %s', (url, kinds) => {
    it('lists the withheld data for callers without a token, with the reason', async () => {
      expect((await headersOf(url, nobody))['x-withheld']).toBe(withReason(kinds, 'no-token'))
    })

    it('states another reason for callers with an invalid token', async () => {
      const headers = await headersOf(url, expired)
      expect(headers['x-withheld']).toBe(withReason(kinds, 'invalid-token'))
      expect(headers['www-authenticate']).toBe(
        'Bearer realm="hub", error="invalid_token", error_description="The token has expired"',
      )
    })

    it('withholds less from a token without a role, and nothing from a trusted one', async () => {
      const isMember = url.startsWith('/v1') ? 'fields' : ''
      const records = kinds.filter((kind) => kind !== isMember)
      expect((await headersOf(url, plain))['x-withheld']).toBe(withReason(records, 'no-role'))
      expect(await headersOf(url, trusted)).not.toHaveProperty('x-withheld')
    })

    it('lists the withheld data for HEAD and 304 as well', async () => {
      const { etag, 'x-withheld': withheld } = await headersOf(url, nobody)
      expect((await headersOf(url, nobody, 'HEAD'))['x-withheld']).toBe(withheld)
      if (etag === undefined) return
      const answer = await app.inject({ url, headers: { 'if-none-match': etag } })
      expect([answer.statusCode, answer.headers['x-withheld']]).toEqual([304, withheld])
    })
  })

  it('exposes its headers to pages of other origins', async () => {
    const headers = await headersOf('/v1/Event', { ...expired, origin: 'https://app.example' })
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['X-Withheld', 'WWW-Authenticate']))
  })

  it.each([
    '/v1/Event',
    '/v1/Accommodation/OPEN',
    '/v2/flat/*/*/latest',
    '/v2/flat',
    '/openapi.json',
  ])('is publicly cacheable at %s without a token, and private with one', async (url) => {
    const cachingFor = async (headers: object) => (await headersOf(url, headers))['cache-control']
    expect(await cachingFor(nobody)).toBe('public, no-cache')
    for (const headers of [expired, plain, trusted]) {
      expect(await cachingFor(headers)).toBe('private, no-cache')
    }
    expect((await headersOf(url, nobody))['vary']).toContain('Authorization')
  })

  it.each(['/v1/MetaData', '/v1/MetaData/x', '/v1/AccommodationRoom', '/v1/AccommodationRoom/x'])(
    'is 401 with the challenge at %s, which requires a token',
    async (url) => {
      const without = await app.inject({ url })
      expect(without.statusCode).toBe(401)
      expect(without.headers['www-authenticate']).toBe('Bearer realm="hub"')
      expect(without.json()).toMatchObject({ errorCode: 'HUB-ACC-001' })
      const bad = await app.inject({ url, headers: expired })
      expect(bad.statusCode).toBe(401)
      expect(bad.headers['www-authenticate']).toContain(
        'error="invalid_token", error_description="The token has expired"',
      )
      expect(bad.json()).toMatchObject({ errorCode: 'HUB-ACC-002' })
      expect(bad.headers['cache-control']).toBe('no-store')
    },
  )
})
