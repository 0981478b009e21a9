import { afterEach, expect, it } from 'vitest'
import { contentRoutes, entitiesOf, storeRecords, toNaming } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'
import { rowsOf, useFormats } from '../fixtures/formats.ts'

describeWithDatabase('the content service', (database) => {
  const get = useFormats(database)

  it('streams all records in list order, regardless of the page size', async () => {
    const { text } = await get('/v1/Tag?format=ndjson&stream=true&pagesize=1&fields=Id')
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).Id)
    const pages = await Promise.all(
      [1, 2].map(async (page) => {
        const url = `/v1/Tag?pagesize=225&pagenumber=${String(page)}&fields=Id`
        return (await get(url)).json().Items.map(({ Id }: { Id: string }) => Id)
      }),
    )
    expect(ids).toEqual(pages.flat())
    const whole = (await get('/v1/Tag?stream=true&language=de')).json()
    expect(whole).toMatchObject({
      TotalResults: 450,
      TotalPages: 1,
      CurrentPage: 1,
      NextPage: null,
    })
    expect(whole.Items).toHaveLength(450)
  })

  it('streams CSV with a column for a field that only the last record has', async () => {
    const rows = rowsOf((await get('/v1/Tag?format=csv&stream=true')).text)
    expect(rows).toHaveLength(450)
    expect(rows).toContainEqual(
      expect.objectContaining({ Id: 'tag 449', OnlyTheLastHasThis: '449' }),
    )
    expect(rows).toContainEqual(expect.objectContaining({ Id: 'tag 0', OnlyTheLastHasThis: '' }))
  })

  it.each([
    ['GeoShape', 'GeoShapes?', { Srid: 'EPSG:4326' }],
    ['GeoShape', 'GeoShapes?simplify=10&', {}],
    ['Event', 'Event?optimizedates=true&', { EventDate: '[]' }],
    ['Event', 'Event?denormalize=true&', { Shortname: 'stored' }],
    ['EventShort', 'EventShort?optimizedates=true&', { RoomBooked: '[]' }],
    ['MetaData', 'MetaData?', { ApiUrl: `${publicUrl}/v1/Tag` }],
  ])('streams CSV with the columns computed when %s is read: %s', async (name, path, added) => {
    const entity = entitiesOf(toNaming('Hub')).find((candidate) => candidate.name === name)
    if (entity === undefined) throw new Error(name)
    const Geometry = { type: 'Point', coordinates: [11, 46] }
    const shape = name === 'GeoShape' ? { Geometry } : {}
    const record = { Id: 'plain', Shortname: 'stored', PathParam: ['v1', 'Tag'], ...shape }
    const write = {
      entity,
      records: [record],
      deletions: [],
      received: new Date(),
      provider: 'demo',
    }
    await database().transaction((tx) => storeRecords(tx, write))
    const url = `/v1/${path}format=csv&stream=true`
    const rows = rowsOf((await get(url, { authorization: 'Bearer closed' })).text)
    expect(rows).toEqual([expect.objectContaining({ Shortname: 'stored', ...added })])
  })

  it('streams nothing that the caller may not see', async () => {
    const url = '/v1/Accommodation?format=csv&stream=true'
    const open = (await get(url)).text
    expect(open).not.toMatch(/A3|AccoRoomInfo/)
    const all = (await get(url, { authorization: 'Bearer closed' })).text
    expect(all).toMatch(/A3/)
    expect(all).toMatch(/AccoRoomInfo/)
  })

  it('streams an empty list as a complete response', async () => {
    expect((await get('/v1/Venue?stream=true')).json()).toMatchObject({
      TotalResults: 0,
      Items: [],
    })
    expect((await get('/v1/Venue?stream=true&format=csv')).text).toBe('')
    expect((await get('/v1/Venue?stream=true&format=geojson')).json().features).toEqual([])
  })

  it('lists the formats that can be streamed if another is requested', async () => {
    const { status, json } = await get('/v1/Accommodation?format=json-ld&stream=true')
    expect(status).toBe(400)
    expect(json().errors).toMatchObject([
      {
        parameter: 'stream',
        expected: [
          ...['format=json', 'format=csv', 'format=geojson', 'format=ndjson'],
          ...['format=arrow', 'format=parquet'],
        ],
      },
    ])
  })

  it.each(['json', 'ndjson', 'csv', 'geojson', 'arrow', 'parquet'])(
    'aborts the connection if the database fails during a stream in %s',
    async (format) => {
      const entities = entitiesOf(toNaming('Hub'))
      const answered = Promise.withResolvers<undefined>()
      const failing = losingTags(database(), { after: 'tag 1', once: answered.promise })
      const app = await createTestApp(
        contentRoutes({ database: failing, entities, publicUrl, visibilityOf }),
      )
      try {
        const origin = await app.listen({ host: '127.0.0.1', port: 0 })
        const response = await fetch(`${origin}/v1/Tag?stream=true&format=${format}&fields=Id`)
        answered.resolve(undefined)
        expect(response.status).toBe(200)
        await expect(response.text()).rejects.toThrow('terminated')
      } finally {
        await app.close()
      }
    },
  )

  afterEach(async () => {
    await database().execute(sql`alter table if exists content.lost_tags rename to tag`)
  })
})

type Loss = { readonly after: string; readonly once: Promise<unknown> }

/**
 * Wraps a database so that its table of tags disappears after a given record, once the response has
 * started.
 */
function losingTags(database: Database, { after, once }: Loss): Database {
  const { read } = database
  let isLost = false
  return {
    ...database,
    read: {
      ...read,
      texts: async (statement) => {
        if (isLost) {
          await once
          await database.execute(sql`alter table if exists content.tag rename to lost_tags`)
        }
        const rows = await read.texts(statement)
        isLost ||= rows.some(([first]) => first === after)
        return rows
      },
    },
  }
}
