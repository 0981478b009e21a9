import jsonld from 'jsonld'
import { describe, expect, it } from 'vitest'
import {
  article,
  parking,
  publication,
  publicUrl,
  rooms,
  stations,
  traffic,
} from '../../../test/fixtures/catalogue-datasets.ts'
import type { Dataset } from '../schemas.ts'
import { isOf } from './index.ts'
import { toDcat } from './to-dcat.ts'
import { toJsonLd } from './write.ts'

const dcat = 'http://www.w3.org/ns/dcat#'
const dcatap = 'http://data.europa.eu/r5r/'
const dct = 'http://purl.org/dc/terms/'
const dqv = 'http://www.w3.org/ns/dqv#'
const authority = 'http://publications.europa.eu/resource/authority'
const vocabulary = 'https://w3id.org/mobilitydcat-ap'
const mobility = [`http://w3id.org/mobilitydcat-ap#`, `${vocabulary}#`]

const source = { publicUrl, publication, extent: null, title: 'Dolomites' }

async function datasetsOf(...datasets: readonly Dataset[]) {
  const written: jsonld.JsonLdDocument = JSON.parse(toJsonLd(toDcat({ ...source, datasets })))
  const safe = Object.assign<jsonld.Options.Expand, object>({}, { safe: true })
  const [catalogue] = await jsonld.expand(written, safe)
  return { catalogue, datasets: [catalogue?.[`${dcat}dataset`]].flat() }
}

describe('The catalogue as DCAT-AP', () => {
  it('is JSON-LD that expands without loss', async () => {
    const { catalogue } = await datasetsOf(article, rooms)
    expect(catalogue).toMatchObject({
      '@type': [`${dcat}Catalog`],
      [`${dct}title`]: expect.arrayContaining([
        { '@language': 'en', '@value': 'Dolomites: open data of the region' },
      ]),
      [`${dct}publisher`]: [{ 'http://xmlns.com/foaf/0.1/name': [{ '@value': 'Region Test' }] }],
      [`${dcat}service`]: [
        { [`${dcat}endpointDescription`]: [{ '@id': `${publicUrl}/openapi.json` }] },
      ],
    })
  })

  it('states the title, extent, last change, languages and licence of a dataset', async () => {
    const [dataset] = (await datasetsOf(article)).datasets
    expect(dataset).toMatchObject({
      '@id': `${publicUrl}/catalogue/content/Article`,
      [`${dct}title`]: [
        { '@language': 'de', '@value': 'a' },
        { '@language': 'it', '@value': 'b' },
        { '@language': 'en', '@value': 'c' },
      ],
      [`${dct}modified`]: [{ '@value': '2026-11-20T10:00:00.000Z' }],
      [`${dct}language`]: [{ '@id': `${authority}/language/DEU` }],
      [`${dct}spatial`]: [
        { [`${dcat}bbox`]: [{ '@value': 'POLYGON((10 46,12 46,12 47,10 47,10 46))' }] },
        { '@id': 'http://data.europa.eu/nuts/code/ITH10' },
      ],
      [`${dcat}distribution`]: [
        {
          '@id': `${publicUrl}/v1/Article?stream=true&format=csv`,
          [`${dct}license`]: [{ '@id': `${authority}/licence/CC0` }],
        },
        {
          '@id': `${publicUrl}/v1/Article?stream=true&format=parquet`,
          [`${dct}format`]: [{ '@id': `${authority}/file-type/PARQUET` }],
        },
      ],
    })
  })

  it('lists a dataset that requires a token as restricted, without a distribution', async () => {
    const [dataset] = (await datasetsOf(rooms)).datasets
    expect(dataset).not.toHaveProperty([`${dcat}distribution`])
    expect(dataset).toMatchObject({
      [`${dct}accessRights`]: [{ '@id': `${authority}/access-right/RESTRICTED` }],
    })
  })

  it('lists every licence if records have several, and unknown licences by name', async () => {
    const several = { ...article, licences: ['CC0', 'Own'] }
    const own = { ...article, licences: ['Own'] }
    const found = JSON.stringify((await datasetsOf(several, own)).datasets)
    expect(found).toContain('CC0, Own')
    expect(found).toContain('LicenseDocument')
  })

  it('states the regulation and category of high-value datasets only', async () => {
    const closed = { ...stations('Closed'), access: 'closed' as const }
    const [dataset, ...others] = (
      await datasetsOf(parking, article, closed, stations('VMS'), stations('Culture'))
    ).datasets
    const regulation = [{ '@id': 'http://data.europa.eu/eli/reg_impl/2023/138/oj' }]
    expect(dataset).toMatchObject({
      [`${dcatap}applicableLegislation`]: regulation,
      [`${dcatap}hvdCategory`]: [{ '@id': 'http://data.europa.eu/bna/c_b79e35eb' }],
      [`${dcat}distribution`]: [{ [`${dcatap}applicableLegislation`]: regulation }],
    })
    for (const other of others) {
      expect(other).not.toHaveProperty([`${dcatap}hvdCategory`])
      expect(JSON.stringify(other)).not.toContain('2023/138')
    }
    expect([parking, closed, stations('MeteoStation')].map(isOf('hvd', source))).toEqual([
      ...[true, false, true],
    ])
  })

  it('classifies mobility data by mobilityDCAT-AP, and states how current it is', async () => {
    const [dataset, ...others] = (await datasetsOf(parking, article, stations('MeteoStation')))
      .datasets
    for (const namespace of mobility) {
      expect(dataset).toMatchObject({
        [`${namespace}mobilityTheme`]: [
          { '@id': `${vocabulary}/mobility-theme/parking-service-and-rest-area-information` },
          { '@id': `${vocabulary}/mobility-theme/car-parking-availability` },
          { '@id': `${vocabulary}/mobility-theme/car-parking-locations-and-conditions` },
        ],
        [`${namespace}transportMode`]: [{ '@id': `${vocabulary}/transport-mode/car` }],
        [`${dcat}distribution`]: [
          {
            [`${namespace}mobilityDataStandard`]: [
              { '@id': `${vocabulary}/mobility-data-standard/other` },
            ],
          },
        ],
      })
      expect(dataset).not.toHaveProperty([`${namespace}networkCoverage`])
    }
    expect(dataset).toMatchObject({
      [`${dct}accrualPeriodicity`]: [{ '@id': `${authority}/frequency/5MIN` }],
      [`${dqv}hasQualityAnnotation`]: [
        {
          [`${dct}description`]: expect.arrayContaining([
            { '@language': 'en', '@value': '3 of 4 series are up to date.' },
          ]),
        },
      ],
    })
    expect(JSON.stringify(others)).not.toContain('mobilitydcat-ap#')
    const all = [parking, traffic, stations('Unheard of'), stations('MeteoStation'), article]
    expect(all.map(isOf('mobility', source))).toEqual([true, true, true, false, false])
  })

  it('has a catalogue record for every dataset whose creation time is known', async () => {
    const { catalogue } = await datasetsOf(parking, article)
    expect(catalogue?.[`${dcat}record`]).toMatchObject([
      {
        '@id': `${publicUrl}/catalogue/timeseries/ParkingStation#record`,
        'http://xmlns.com/foaf/0.1/primaryTopic': [
          { '@id': `${publicUrl}/catalogue/timeseries/ParkingStation` },
        ],
        [`${dct}created`]: [{ '@value': '2026-11-01T08:00:00.000Z' }],
        [`${dct}modified`]: [{ '@value': '2026-11-20T10:00:00.000Z' }],
      },
    ])
  })

  it('has a distribution for every standard that a dataset is available in', async () => {
    const [dataset] = (await datasetsOf(traffic)).datasets
    const standards = (namespace: string, concept: string, document: unknown) => ({
      [`${namespace}mobilityDataStandard`]: [
        { '@id': `${vocabulary}/mobility-data-standard/${concept}` },
      ],
      [`${dct}conformsTo`]: [{ '@id': document }],
    })
    for (const namespace of mobility) {
      expect(dataset).toMatchObject({
        [`${namespace}networkCoverage`]: [{ '@id': `${vocabulary}/network-coverage/motorways` }],
        [`${dcat}distribution`]: [
          { '@id': `${publicUrl}/v1/Announcement?source=a22&stream=true&format=json` },
          {
            ...standards(namespace, 'datex-II', 'http://datex2.eu/schema/2/2_0'),
            [`${dcat}accessURL`]: [{ '@id': `${publicUrl}/traffic/v1/situation-publication/a22` }],
          },
          standards(namespace, 'gbfs', 'https://github.com/MobilityData/gbfs/blob/v3.0/gbfs.md'),
          standards(namespace, 'other', expect.stringMatching(/-standard$/)),
        ],
      })
    }
  })
})
