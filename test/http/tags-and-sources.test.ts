import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import type { ContentWrite } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const received = new Date('2026-11-21T10:00:00.000Z')

describeWithDatabase('tags, sources and publishers', (database) => {
  let app: FastifyInstance
  const store = async (name: string, records: ContentWrite['records']) => {
    const entity = entities.find((one) => one.name === name)
    if (entity === undefined) throw new Error(`no entity ${name}`)
    const write = { entity, records, deletions: [], received, provider: 'demo' }
    await database().transaction((tx) => storeRecords(tx, write))
  }

  beforeAll(async () => {
    app = await createTestApp(
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    await store('Source', [
      { Id: 'lts', Key: 'lts', Name: { en: 'LTS' }, Types: ['Accommodation', 'event'] },
      { Id: 'noi', Key: 'noi', Name: { de: 'Größe' }, Types: ['event', 'HubActivityPoi'] },
      { Id: 'idm', Key: 'idm' },
    ])
    await store('Publisher', [
      { Id: 'market', Name: { en: 'Market' }, _Meta: { Source: 'idm' } },
      { Id: 'today', Name: { en: 'Today' }, _Meta: { Source: 'noi' } },
    ])
    await store('Tag', [
      {
        Id: 'a',
        MainEntity: 'x',
        Types: ['LtsCategory'],
        ValidForEntity: ['Event', 'accommodation'],
        DisplayAsCategory: true,
        PublishedOn: ['market'],
        _Meta: { Source: 'LTS' },
        TagName: { de: 'Frühling' },
      },
      {
        Id: 'B b',
        Types: ['eventtopic', 'season'],
        ValidForEntity: ['event'],
        DisplayAsCategory: false,
        _Meta: { Source: 'noi' },
      },
      {
        Id: 'c',
        ValidForEntity: ['hubactivitypoi'],
        PublishedOn: ['market', 'today'],
        _Meta: { Source: 'idm' },
        Shortname: 'Cc',
      },
    ])
  })
  afterAll(() => app.close())

  it.each([
    ['Tag?validforentity=event', ['a', 'b b']],
    ['Tag?validforentity=ACCOMMODATION,nothing', ['a']],
    ['Tag?validforentity=hubactivitypoi', ['c']],
    ['Tag?validforentity=odhActivityPoi', ['c']],
    ['Tag?types=ltscategory', ['a']],
    ['Tag?types=Season,ltscategory', ['a', 'b b']],
    ['Tag?displayascategory=true', ['a']],
    ['Tag?displayascategory=false', ['b b']],
    ['Tag?publishedon=today', ['c']],
    ['Tag?source=lts,IDM', ['a', 'c']],
    ['Tag?idlist=a,B b', ['a']],
    ['Tag?idlist=b b', ['b b']],
    ['Tag?searchfilter=fruhling', ['a']],
    ['Tag?validforentity=event&types=season', ['b b']],
    ['Tag?types=nothing', []],
    ['HubTag?mainentity=accommodation', ['a']],
    ['HubTag?validforentity=event&mainentity=accommodation', ['a', 'b b']],
    ['Source?typelist=ACCOMMODATION', ['lts']],
    ['Source?typelist=event,nothing', ['lts', 'noi']],
    ['Source?typelist=odhactivitypoi', ['noi']],
    ['Source?idlist=noi,LTS', ['lts', 'noi']],
    ['Source?searchfilter=grosse', ['noi']],
    ['Source?rawfilter=isnull(Types)', ['idm']],
    ['Publisher?source=IDM', ['market']],
    ['Publisher?idlist=today', ['today']],
    ['Publisher?searchfilter=tod', ['today']],
  ])('%s', async (path, expected) => {
    const url = encodeURI(`/v1/${path}`)
    const response = await app.inject(`${url}&pagesize=1000`)
    expect([url, response.statusCode]).toEqual([url, 200])
    const ids: string[] = response.json().Items.map(({ Id }: { readonly Id: string }) => Id)
    expect(ids.sort()).toEqual([...expected].sort())
    const array = (await app.inject(`${url}&getasidarray=true`)).json()
    expect(array.sort()).toEqual(ids)
  })

  it.each(['/json/swagger.json', '/swagger/v1/swagger.json'])(
    '%s names the server',
    async (url) => {
      const document = (await app.inject(url)).json()
      expect(document.servers).toEqual([expect.objectContaining({ url: publicUrl })])
      const paths = ['/v1/Distinct', '/v1/Find', '/v1/Filter', '/v1/EventTopics/{id}']
      expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(paths))
    },
  )
})
