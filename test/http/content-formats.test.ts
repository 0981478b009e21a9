import { expect, it } from 'vitest'
import { entitiesOf, toNaming } from '../../src/content/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { oddName, rowsOf, useFormats } from '../fixtures/formats.ts'
import { publicUrl } from '../fixtures/test-app.ts'

describeWithDatabase('the content service, by format,', (database) => {
  const get = useFormats(database)

  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html, */*;q=0.1', 'application/json; charset=utf-8'],
    ['application/xml', 'application/json; charset=utf-8'],
    ['text/json', 'text/json; charset=utf-8'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['application/ld+json', 'application/ld+json; charset=utf-8'],
    ['application/ldjson', 'application/ldjson; charset=utf-8'],
    ['application/geo+json', 'application/geo+json; charset=utf-8'],
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/json;q=0.2, text/csv;q=0.9', 'text/csv; charset=utf-8'],
  ])('responds to Accept: %s on lists and items with %s', async (accept, expected) => {
    const headers = accept === undefined ? {} : { accept }
    for (const url of ['/v1/Accommodation', '/v1/Accommodation/A1']) {
      const { status, type, headers: answered } = await get(url, headers)
      expect([url, status, type]).toEqual([url, 200, expected])
      expect(String(answered['vary'])).toContain('Accept')
    }
  })

  it('prefers the parameter over the header, and refuses unknown formats', async () => {
    expect((await get('/v1/Accommodation?format=csv', { accept: 'application/json' })).type).toBe(
      'text/csv; charset=utf-8',
    )
    expect((await get('/v1/Accommodation/A1?format=json', { accept: 'text/csv' })).type).toBe(
      'application/json; charset=utf-8',
    )
    const { status, json } = await get('/v1/Accommodation?format=xml')
    expect(status).toBe(400)
    expect(json().errors).toMatchObject([
      {
        parameter: 'format',
        expected: [
          'json',
          'csv',
          'json-ld',
          'rawdata',
          'geojson',
          'ndjson',
          'arrow',
          'parquet',
          'geoparquet',
        ],
      },
    ])
  })

  it('writes CSV with the union of all fields, quoted per RFC 4180, without a BOM', async () => {
    const { text } = await get('/v1/Accommodation?format=csv')
    expect(text.startsWith('Id,')).toBe(true)
    expect(text.endsWith('\r\n')).toBe(true)
    const rows = rowsOf(text)
    expect(rows).toHaveLength(3)
    expect(rows).toMatchObject([
      { Id: 'A2', Shortname: '=1+1', Active: '', AccoOverview: '{"TotalRooms":12}' },
      { Id: 'A1', Shortname: oddName, Active: 'true', TagIds: '["x","y"]' },
      { Id: 'A4', AccoOverview: '', Self: `${publicUrl}/v1/Accommodation/A4` },
    ])
    expect(text).not.toContain('AccoRoomInfo')
  })

  it('uses fields as the columns of CSV, even if there are no records', async () => {
    const query = 'format=csv&fields=AccoDetail.en.Name,Nothing,TagIds.[*]'
    const { text } = await get(`/v1/Accommodation?${query}&pagesize=2`)
    expect(text).toBe(
      'Id,AccoDetail.en.Name,Nothing,TagIds.[*]\r\nA2,,,[]\r\nA1,Size,,"[""x"",""y""]"\r\n',
    )
    const beyond = await get(`/v1/Accommodation?${query}&pagenumber=9`)
    expect(beyond.text).toBe('Id,AccoDetail.en.Name,Nothing,TagIds.[*]\r\n')
    expect((await get('/v1/Accommodation?format=csv&pagenumber=9')).text).toBe('')
  })

  it('starts CSV with a byte order mark if requested', async () => {
    for (const url of ['/v1/Accommodation', '/v1/Accommodation/A1']) {
      const { bytes } = await get(`${url}?format=csv&bom=true`)
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    }
  })

  it('writes a page of NDJSON with the items of the JSON list', async () => {
    const { text } = await get('/v1/Accommodation?format=ndjson&language=en')
    const lines = text.split('\n')
    expect(lines.at(-1)).toBe('')
    const { Items } = (await get('/v1/Accommodation?language=en')).json()
    expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual(Items)
  })

  it('writes GeoJSON: longitude first, null for no position, fields as properties', async () => {
    const list = (await get('/v1/Accommodation?format=geojson&fields=Shortname&pagesize=2')).json()
    expect(list).toEqual({
      type: 'FeatureCollection',
      numberMatched: 3,
      links: [
        {
          rel: 'next',
          href: `${publicUrl}/v1/Accommodation?format=geojson&fields=Shortname&pagesize=2&pagenumber=2`,
          type: 'application/geo+json',
        },
      ],
      features: [
        { type: 'Feature', id: 'A2', geometry: null, properties: { Id: 'A2', Shortname: '=1+1' } },
        {
          type: 'Feature',
          id: 'A1',
          geometry: { type: 'Point', coordinates: [11.35, 46.5, 240] },
          properties: { Id: 'A1', Shortname: oddName },
        },
      ],
    })
    expect((await get('/v1/Accommodation/A2?format=geojson')).json()).toMatchObject({
      type: 'Feature',
      properties: { AccoOverview: { TotalRooms: 12 } },
    })
  })

  it('writes linked data: a node for an item, a graph for a list', async () => {
    const item = (await get('/v1/Accommodation/A1', { accept: 'application/ld+json' })).json()
    expect(item).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Hotel',
      '@id': `${publicUrl}/v1/Accommodation/A1`,
      name: 'Size',
    })
    const german = await get('/v1/Accommodation/A1?language=de&format=json-ld')
    expect(german.json().name).toBe('Größe')
    const list = (await get('/v1/Accommodation?format=json-ld')).json()
    expect(list['@graph'].map((node: { name: string }) => node.name)).toEqual(['=1+1', 'Size', 'z'])
  })

  it('returns every list as linked data, for both media types', async () => {
    const { paths } = (await get('/openapi.json')).json()
    for (const { path } of entitiesOf(toNaming('Hub'))) {
      const content = paths[`/v1/${path}`].get.responses['200'].content
      for (const accept of ['application/ld+json', 'application/ldjson']) {
        const { status, type } = await get(`/v1/${path}?pagesize=1`, {
          ...{ accept, authorization: 'Bearer admin' },
        })
        expect([path, status, type]).toEqual([path, 200, `${accept}; charset=utf-8`])
        expect(content).toHaveProperty([accept])
      }
    }
  })

  it('reports parameters that a format ignores, and refuses them if strict', async () => {
    const url = '/v1/Accommodation?format=json-ld&fields=Id&removenullvalues=true&nonsense=1'
    expect((await get(url)).headers['x-ignored-parameters']).toBe(
      'nonsense, fields, removenullvalues',
    )
    const strict = await get('/v1/Accommodation/A1?format=json-ld&fields=Id', {
      prefer: 'handling=strict',
    })
    expect([strict.status, strict.json().errors[0].parameter]).toEqual([400, 'fields'])
  })

  it('returns a separate tag for every format, and 304 only if it matches', async () => {
    for (const url of ['/v1/Accommodation', '/v1/Accommodation/A1']) {
      const types = ['application/json', 'text/json', 'text/csv', 'application/geo+json']
      const found = new Set<string>()
      for (const accept of types) {
        const etag = String((await get(url, { accept })).headers['etag'])
        found.add(etag)
        expect((await get(url, { accept, 'if-none-match': etag })).status).toBe(304)
        const other = accept === 'text/csv' ? 'text/json' : 'text/csv'
        expect((await get(url, { accept: other, 'if-none-match': etag })).status).toBe(200)
      }
      expect(found.size).toBe(types.length)
    }
  })

  it('lists the media types of responses in OpenAPI', async () => {
    const { paths } = (await get('/openapi.json')).json()
    const content = paths['/v1/Accommodation'].get.responses['200'].content
    expect(Object.keys(content)).toEqual(
      expect.arrayContaining([
        'application/json',
        'text/json',
        'text/plain',
        'text/csv',
        'application/ld+json',
        'application/ldjson',
        'application/rawdata',
        'application/geo+json',
      ]),
    )
  })
})
