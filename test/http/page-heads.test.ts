import type { FastifyInstance } from 'fastify'
import jsonld from 'jsonld'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, parseObject } from '../../src/lang/json.ts'
import { storeStations } from '../../src/timeseries/index.ts'
import { storeContent } from '../fixtures/content-app.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { openPages, shell } from '../fixtures/public-pages.ts'
import { publicUrl } from '../fixtures/test-app.ts'

const picture = (ImageUrl: string, License: string) => ({ ImageUrl, License })

const hostile = '</script><script>alert(1)</script>"\'&\n<!--'

const houses = [
  {
    Id: 'A1',
    Shortname: 'lion',
    AccoDetail: {
      de: { Name: 'Löwe', Longdesc: 'Zimmer' },
      en: { Name: 'Lion', Longdesc: '<p>Rooms &amp; <b>breakfast</b></p>' },
    },
    ImageGallery: [
      picture('https://pictures.test/own.jpg', 'Own'),
      picture('https://pictures.test/free.jpg', 'CC BY 4.0'),
    ],
    GpsInfo: [{ Gpstype: 'position', Latitude: 46.5, Longitude: 11.35 }],
    AccoRoomInfo: [{ Id: 'wombat' }],
  },
  {
    Id: 'A2',
    AccoDetail: { en: { Name: hostile, Longdesc: hostile } },
    ImageGallery: [picture('https://pictures.test/own.jpg', 'CC BY-NC 4.0')],
  },
  { Id: 'SECRET', Shortname: 'Quokka', LicenseInfo: { ClosedData: true } },
]

const events = [
  {
    Id: 'E1',
    Detail: { en: { Title: 'Market' } },
    EventDate: [
      { EventDateId: '1', From: '2026-12-01T00:00:00', To: '2026-12-01T00:00:00' },
      { EventDateId: '2', From: '2026-12-08T00:00:00', To: '2026-12-08T00:00:00' },
    ],
  },
]

/**
 * Loads the context of schema.org, reduced to what matters here: every term belongs to its
 * vocabulary.
 */
const documentLoader = (url: string) =>
  Promise.resolve({
    contextUrl: undefined,
    documentUrl: url,
    document: { '@context': { '@vocab': 'https://schema.org/' } },
  })

const dataOf = (html: string) =>
  parseObject(/<script type="application\/ld\+json">(.*)<\/script>/.exec(html)?.[1] ?? '{}')

const titleOf = (html: string) => /<title>(.*)<\/title>/.exec(html)?.[1]

const linkTo = (address: string, attributes: string) => `<link ${attributes} href="${address}" />`

describeWithDatabase('The head of the page', (database) => {
  let app: FastifyInstance

  const get = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ url, headers })
    return { ...answer, html: answer.body, tag: answer.headers['etag'] }
  }

  beforeAll(async () => {
    await storeContent(database(), 'Accommodation', houses)
    await storeContent(database(), 'Event', events)
    await storeContent(database(), 'AccommodationRoom', [{ Id: 'R1', Shortname: 'Room' }])
    await database().transaction((tx) =>
      storeStations(tx, {
        stationType: 'ParkingStation',
        origin: 'OPEN',
        received: new Date(),
        items: [{ code: '1', name: 'Centre', coordinate: [11.3, 46.5] }],
      }),
    )
    app = await openPages(database())
  })
  afterAll(() => app.close())

  it('has the title, the description and the alternate links of a record', async () => {
    const { html, headers } = await get('/records/Accommodation/A1')
    const page = `${publicUrl}/records/Accommodation/A1`
    const record = `${publicUrl}/v1/Accommodation/A1`
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(titleOf(html)).toBe('Lion · Valley')
    for (const expected of [
      '<html lang="en">',
      '<meta name="description" content="Rooms &amp; breakfast" />',
      '<meta property="og:title" content="Lion" />',
      '<meta property="og:description" content="Rooms &amp; breakfast" />',
      '<meta property="og:image" content="https://pictures.test/free.jpg" />',
      `<meta property="og:url" content="${page}" />`,
      linkTo(page, 'rel="canonical"'),
      linkTo(`${page}?lang=de`, 'rel="alternate" hreflang="de"'),
      linkTo(page, 'rel="alternate" hreflang="x-default"'),
      linkTo(record, 'rel="alternate" type="application/json"'),
      linkTo(`${record}?format=json-ld`, 'rel="alternate" type="application/ld+json"'),
      linkTo(`${record}?format=geojson`, 'rel="alternate" type="application/geo+json"'),
      linkTo(`${record}?format=csv`, 'rel="alternate" type="text/csv"'),
    ]) {
      expect(html).toContain(expected)
    }
    expect(html).not.toContain('rawdata')
  })

  it('is in the language of the URL', async () => {
    const { html } = await get('/records/Accommodation/A1?lang=de')
    expect(titleOf(html)).toBe('Löwe · Valley')
    expect(html).toContain('<html lang="de">')
    expect(html).toContain(
      linkTo(`${publicUrl}/records/Accommodation/A1?lang=de`, 'rel="canonical"'),
    )
  })

  it('contains the same linked data of a record as its JSON-LD format', async () => {
    for (const path of ['Accommodation/A1', 'Accommodation/A2', 'Event/E1']) {
      const data = dataOf((await get(`/records/${path}`)).html)
      const told: unknown = (await get(`/v1/${path}?format=json-ld`)).json()
      const graph = Array.isArray(told) ? { '@graph': told } : fieldsOf(told)
      expect(await jsonld.expand({ ...data }, { documentLoader })).toEqual(
        await jsonld.expand({ '@context': 'https://schema.org', ...graph }, { documentLoader }),
      )
    }
    expect(dataOf((await get('/records/Event/E1')).html)['@graph']).toHaveLength(2)
  })

  it('shows a picture only if its licence allows that, and escapes all texts', async () => {
    const { html } = await get('/records/Accommodation/A2')
    expect(html).not.toContain('og:image')
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<!--|alert\(1\)<|<\/title>/g)).toEqual(['</title>'])
    expect(dataOf(html)['name']).toBe(hostile)
  })

  it('has a description of a dataset as linked data, with its downloads', async () => {
    const { html } = await get('/datasets/content/Accommodation')
    expect(titleOf(html)).toBe('Accommodations · Valley')
    const download = `${publicUrl}/v1/Accommodation?stream=true&format=csv`
    expect(html).toContain(
      linkTo(download.replace('&', '&amp;'), 'rel="alternate" type="text/csv"'),
    )
    expect(dataOf(html)).toMatchObject({
      '@type': 'Dataset',
      '@id': `${publicUrl}/catalogue/content/Accommodation`,
      url: `${publicUrl}/datasets/content/Accommodation`,
      distribution: expect.arrayContaining([
        { '@type': 'DataDownload', name: 'csv', contentUrl: download, encodingFormat: 'text/csv' },
      ]),
    })
    const stations = dataOf((await get('/datasets/timeseries/ParkingStation?lang=it')).html)
    expect(stations).toMatchObject({ '@type': 'Dataset', identifier: 'timeseries/ParkingStation' })
    for (const data of [dataOf(html), stations]) {
      expect(await jsonld.expand({ ...data }, { documentLoader })).toHaveLength(1)
    }
  })

  it('lists the datasets of the hub as linked data', async () => {
    const { html } = await get('/')
    expect(titleOf(html)).toBe('Catalogue · Valley')
    const data = dataOf(html)
    expect(data).toMatchObject({ '@type': 'DataCatalog', name: 'Valley', url: `${publicUrl}/` })
    expect(data['dataset']).toContainEqual({
      '@type': 'Dataset',
      '@id': `${publicUrl}/catalogue/timeseries/ParkingStation`,
      url: `${publicUrl}/datasets/timeseries/ParkingStation`,
      name: expect.any(String),
    })
  })

  it('does not reveal whether non-public data exists, even to an ADMIN', async () => {
    const plain = await get('/records/Accommodation/none')
    expect([plain.statusCode, plain.html]).toEqual([200, shell])
    for (const path of [
      '/records/Accommodation/SECRET',
      '/records/AccommodationRoom/R1',
      '/records/Unheard/1',
      '/datasets/content/Unheard',
      '/datasets/traffic/unheard',
    ]) {
      for (const headers of [{}, { authorization: 'Bearer admin' }]) {
        const { statusCode, html, tag } = await get(path, headers)
        expect([path, statusCode, html, tag]).toEqual([path, 200, shell, plain.tag])
      }
    }
    const { html } = await get('/records/Accommodation/A1', { authorization: 'Bearer admin' })
    expect(html).not.toContain('wombat')
    expect((await get('/')).html).not.toMatch(/quokka|SECRET/i)
  })

  it('has a canonical URL that ignores letter case and other parameters', async () => {
    const { html } = await get('/records/Accommodation/a1?embed=true&part=raw')
    expect(html).toContain(linkTo(`${publicUrl}/records/Accommodation/A1`, 'rel="canonical"'))
  })

  it('has an ETag that changes with the record, and is the same for HEAD', async () => {
    const url = '/records/Accommodation/A1'
    const { tag } = await get(url)
    expect((await get(url, { 'if-none-match': String(tag) })).statusCode).toBe(304)
    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['etag'], head.body]).toEqual([200, tag, ''])
    expect((await get(`${url}?lang=de`)).tag).not.toBe(tag)
    const eagle = { Id: 'A1', AccoDetail: { en: { Name: 'Eagle' } } }
    await storeContent(database(), 'Accommodation', [eagle])
    const changed = await get(url, { 'if-none-match': String(tag) })
    expect([changed.statusCode, titleOf(changed.html)]).toEqual([200, 'Eagle · Valley'])
  })

  describe('when the data cannot be read', () => {
    it.each([
      ['soon', () => Promise.race<never>([])],
      ['at all', () => Promise.reject(new Error('no database'))],
    ])('%s, is unchanged from the build', async (_when, load) => {
      const broken = await openPages(database(), (data) => ({
        datasets: load,
        records: { ...data.records, load },
      }))
      for (const url of ['/', '/records/Accommodation/A1']) {
        const { statusCode, body } = await broken.inject({ url })
        expect([url, statusCode, body]).toEqual([url, 200, shell])
      }
      await broken.close()
    })
  })

  it('needs no exception in the content security policy for its linked data', async () => {
    const { headers, html } = await get('/records/Accommodation/A1')
    expect(String(headers['content-security-policy'])).toContain("default-src 'self'")
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
    expect(fieldsOf(dataOf(html))['@type']).toBe('Hotel')
  })
})
