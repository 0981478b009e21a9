import jsonld from 'jsonld'
import { describe, expect, it } from 'vitest'
import type { Dataset } from './schemas.ts'
import { toDcat } from './to-dcat.ts'

const publicUrl = 'http://hub.test'
const text = { de: 'a', it: 'b', en: 'c' }

const content: Dataset = {
  ...{ id: 'content/Article', service: 'content', type: 'Article', recordType: 'article' },
  dataspace: 'tourism',
  ...{
    title: text,
    description: { ...text, it: '' },
    count: 3,
    updated: '2026-11-20T10:00:00.000Z',
  },
  ...{ freshness: null, access: 'open', licences: ['CC0'], sources: [], languages: ['de', 'xx'] },
  ...{ tags: [], dataTypes: [], operations: [], titleField: 'Detail.{language}.Title' },
  formats: [
    { name: 'csv', mediaType: 'text/csv' },
    { name: 'rawdata', mediaType: 'application/rawdata' },
  ],
  links: {
    self: `${publicUrl}/catalogue/content/Article`,
    page: `${publicUrl}/datasets/content/Article`,
    list: `${publicUrl}/v1/Article`,
  },
  extent: { west: 10, south: 46, east: 12, north: 47 },
  miniature: { kind: 'map', viewBox: '0 0 1 1', path: 'M0 0h0' },
}
const rooms: Dataset = { ...content, id: 'content/Rooms', count: null, access: 'closed' }

const dcat = 'http://www.w3.org/ns/dcat#'
const dct = 'http://purl.org/dc/terms/'

async function datasetsOf(...datasets: readonly Dataset[]) {
  const written = JSON.parse(JSON.stringify(toDcat({ publicUrl, title: 'Dolomites', datasets })))
  const safe = Object.assign<jsonld.Options.Expand, object>({}, { safe: true })
  const [catalogue] = await jsonld.expand(written, safe)
  return { catalogue, datasets: [catalogue?.[`${dcat}dataset`]].flat() }
}

describe('The catalogue as DCAT-AP', () => {
  it('is JSON-LD of which nothing is dropped', async () => {
    const { catalogue } = await datasetsOf(content, rooms)
    expect(catalogue).toMatchObject({
      '@type': [`${dcat}Catalog`],
      [`${dct}title`]: expect.arrayContaining([
        { '@language': 'en', '@value': 'Dolomites: open data of the region' },
      ]),
      [`${dct}publisher`]: [{ 'http://xmlns.com/foaf/0.1/name': [{ '@value': 'hub.test' }] }],
      [`${dcat}service`]: [
        { [`${dcat}endpointDescription`]: [{ '@id': `${publicUrl}/openapi.json` }] },
      ],
    })
  })

  it('tells of a dataset what, where, how new, in which languages and under which licence', async () => {
    const [dataset] = (await datasetsOf(content)).datasets
    expect(dataset).toMatchObject({
      '@id': `${publicUrl}/catalogue/content/Article`,
      [`${dct}title`]: [
        { '@language': 'de', '@value': 'a' },
        { '@language': 'it', '@value': 'b' },
        { '@language': 'en', '@value': 'c' },
      ],
      [`${dct}modified`]: [{ '@value': '2026-11-20T10:00:00.000Z' }],
      [`${dct}language`]: [
        { '@id': 'http://publications.europa.eu/resource/authority/language/DEU' },
      ],
      [`${dct}spatial`]: [
        { [`${dcat}bbox`]: [{ '@value': 'POLYGON((10 46,12 46,12 47,10 47,10 46))' }] },
      ],
      [`${dcat}distribution`]: [
        {
          '@id': `${publicUrl}/v1/Article?stream=true&format=csv`,
          [`${dct}license`]: [
            { '@id': 'http://publications.europa.eu/resource/authority/licence/CC0' },
          ],
        },
      ],
    })
  })

  it('names what takes a token, without an address to download it from', async () => {
    const [dataset] = (await datasetsOf(rooms)).datasets
    expect(dataset).not.toHaveProperty([`${dcat}distribution`])
    expect(dataset).toMatchObject({
      [`${dct}accessRights`]: [
        { '@id': 'http://publications.europa.eu/resource/authority/access-right/RESTRICTED' },
      ],
    })
  })

  it('names all licences where records have several, and unknown ones by their names', async () => {
    const several = { ...content, licences: ['CC0', 'Own'] }
    const own = { ...content, licences: ['Own'] }
    const found = JSON.stringify((await datasetsOf(several, own)).datasets)
    expect(found).toContain('CC0, Own')
    expect(found).toContain('LicenseDocument')
  })
})
