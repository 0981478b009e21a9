import { describe, expect, it } from 'vitest'
import type { Dataset } from '../../api/catalogue.ts'
import { countFacet, facetNames, isChosen } from './facets.ts'
import type { Chosen } from './facets.ts'
import { whereName } from './search-data.ts'
import { fold, spellOut, termsOf } from './synonyms.ts'
import { indexDatasets, searchDatasets, byService, sortDatasets } from './search-datasets.ts'

const now = new Date('2026-11-22T10:00:00Z')

function dataset(type: string, given: Partial<Dataset> = {}): Dataset {
  const title = { de: type, it: type, en: type }
  return {
    ...{ id: `content/${type}`, service: 'content', type, dataspace: 'tourism', title },
    recordType: type.toLowerCase(),
    titleField: 'Detail.{language}.Title',
    ...{
      description: { de: '', it: '', en: '' },
      count: 1,
      updated: null,
      registered: null,
      freshness: null,
    },
    ...{ access: 'open', licences: [], sources: [], languages: [], tags: [], dataTypes: [] },
    ...{
      formats: [],
      standards: [],
      operations: [],
      links: {},
      extent: null,
      miniature: null,
      ...given,
    },
  }
}

const titled = (de: string, it: string, en: string) => ({ title: { de, it, en } })

const parks = dataset('ParkingStation', {
  ...titled('Parkplätze', 'Parcheggi', 'Car parks'),
  ...{ service: 'timeseries', dataspace: 'mobility', count: 40, sources: ['skidata'] },
  ...{ dataTypes: [{ id: 'free', count: 40 }], updated: '2026-11-22T09:59:00Z' },
})
const bikes = dataset('BikeParking', {
  ...titled('Fahrradparkplätze', 'Parcheggi per biciclette', 'Bicycle parking'),
  ...{ service: 'timeseries', dataspace: 'mobility', count: 24, sources: ['STA'] },
})
const houses = dataset('Accommodation', {
  ...titled('Unterkünfte', 'Alloggi', 'Accommodations'),
  ...{ licences: ['CC0'], count: 479, updated: '2026-11-20T00:00:00Z' },
  ...{ tags: [{ id: 'climate-house', count: 3 }] },
})
const shapes = dataset('GeoShape', { dataspace: 'other', count: null })
const all = [houses, shapes, bikes, parks]

const find = (text: string, language: 'de' | 'it' | 'en' = 'en') =>
  sortDatasets(searchDatasets(indexDatasets(all, language), text), {
    sort: 'fitting',
    language,
  }).map(({ dataset: { type } }) => type)

describe('The search of the catalogue', () => {
  it('finds all datasets with an empty query', () => {
    expect(find('')).toEqual(all.map(({ type }) => type))
    expect(find('  …')).toHaveLength(all.length)
  })

  it('finds by title in any language, ignoring case and accents', () => {
    expect(find('UNTERKUNFTE')).toEqual(['Accommodation'])
    expect(find('alloggi')).toEqual(['Accommodation'])
    expect(find('parkplätze', 'de')).toEqual(['ParkingStation', 'BikeParking'])
  })

  it('ranks car parks before bicycle parking', () => {
    expect(find('parking')).toEqual(['ParkingStation', 'BikeParking'])
  })

  it('finds by type, tag, data type and source', () => {
    expect(find('geo shape')).toEqual(['GeoShape'])
    expect(find('climate')).toEqual(['Accommodation'])
    expect(find('free')).toEqual(['ParkingStation'])
    expect(find('skidata')).toEqual(['ParkingStation'])
  })

  it('finds by synonyms', () => {
    expect(find('hotel')).toEqual(['Accommodation'])
    expect(find('posteggio')).toEqual(['ParkingStation', 'BikeParking'])
  })

  it('requires every word', () => {
    expect(find('parking bike')).toEqual(['BikeParking'])
    expect(find('parking wine')).toEqual([])
  })

  it('splits type names and queries into normalized words', () => {
    expect(spellOut('BIKE_CHARGER_BAY')).toContain('BIKE CHARGER BAY')
    expect(spellOut('ParkingStation')).toContain('Parking Station')
    expect(fold('Straße à')).toBe('strasse a')
    expect(termsOf('NO2, (PM2.5)')).toEqual(['no2', 'pm2.5'])
  })
})

it('The search of stations matches every text literally, including quotes and brackets', () => {
  expect(whereName("Sant'Anna")).toBe(String.raw`sname.ire."Sant\'Anna"`)
  expect(whereName(String.raw`"P1", (a\b)`)).toBe(String.raw`sname.ire."\"P1\", \\(a\\\\b\\)"`)
})

const nothing: Chosen = {
  ...{ service: [], topic: [], changed: [], access: [], licence: [], source: [], tag: [] },
}
const left = (chosen: Partial<Chosen>) =>
  all
    .filter((one) => isChosen(one, { chosen: { ...nothing, ...chosen }, now }))
    .map(({ type }) => type)

describe('The filters of the catalogue', () => {
  it('keep datasets that have one of the values of each filter', () => {
    expect(left({})).toHaveLength(4)
    expect(left({ source: ['STA', 'skidata'] })).toEqual(['BikeParking', 'ParkingStation'])
    expect(left({ source: ['STA', 'skidata'], topic: ['tourism'] })).toEqual([])
    expect(left({ licence: ['CC0'] })).toEqual(['Accommodation'])
    expect(left({ licence: [''] })).toHaveLength(3)
  })

  it('include changes of the last day in the last week', () => {
    expect(left({ changed: ['day'] })).toEqual(['ParkingStation'])
    expect(left({ changed: ['week'] })).toEqual(['Accommodation', 'ParkingStation'])
    expect(left({ changed: ['unknown'] })).toEqual(['GeoShape', 'BikeParking'])
  })

  it('count the matches of each value, ignoring their own facet', () => {
    const chosen = { ...nothing, service: ['content'], topic: ['mobility'] }
    expect(countFacet(all, 'service', { chosen, now })).toEqual([
      { value: 'content', count: 0 },
      { value: 'timeseries', count: 2 },
    ])
  })

  it('list the most frequent values first, and keep selected values without matches', () => {
    const chosen = { ...nothing, tag: ['gone'] }
    expect(countFacet(all, 'tag', { chosen, now })).toEqual([
      { value: 'climate-house', count: 1 },
      { value: 'gone', count: 0 },
    ])
    expect(countFacet(all, 'topic', { chosen: nothing, now })[0]).toEqual({
      value: 'mobility',
      count: 2,
    })
    expect(facetNames).toContain('tag')
  })
})

describe('The order of the catalogue', () => {
  const found = all.map((one) => ({ dataset: one, score: 0 }))
  const types = (sort: 'title' | 'changed' | 'count') =>
    sortDatasets(found, { sort, language: 'de' }).map(({ dataset: { type } }) => type)

  it('is by title, by change or by size', () => {
    expect(types('title')).toEqual(['BikeParking', 'GeoShape', 'ParkingStation', 'Accommodation'])
    expect(types('changed')[0]).toBe('ParkingStation')
    expect(types('count')).toEqual(['Accommodation', 'ParkingStation', 'BikeParking', 'GeoShape'])
  })

  it('is by service without a search', () => {
    expect(byService(found).map(({ service, found: of }) => [service, of.length])).toEqual([
      ['content', 2],
      ['timeseries', 2],
    ])
  })
})
