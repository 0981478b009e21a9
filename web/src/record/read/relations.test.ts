import { describe, expect, it } from 'vitest'
import { findByPath, findEntity } from './directory.ts'
import type { Directory } from './directory.ts'
import { groupRelations, readRelations } from './relations.ts'

const entity = (type: string, list = `/v1/${type}`) => ({
  ...{ type, title: { de: type, it: type, en: type }, list, record: `${list}/{id}` },
  access: 'open' as const,
  titleField: 'Shortname',
})

const directory: Directory = {
  entities: [
    ...['Venue', 'District', 'Region', 'TourismAssociation', 'SkiArea', 'Tag'].map((one) =>
      entity(one),
    ),
    ...[
      entity('Accommodation'),
      entity('Weather'),
      entity('WeatherDistrict', '/v1/Weather/District'),
    ],
  ],
}

const found = (record: Readonly<Record<string, unknown>>) =>
  readRelations(record, directory).map(({ entity: { type }, id, name }) => [type, id, name['en']])

describe('The records that a record names', () => {
  it('are found by addresses, however deep, each once', () => {
    const record = {
      Id: '1',
      Self: 'https://hub.example/v1/Venue/1',
      VenueLink: [{ Id: 'urn:a:b', Self: '/v1/Venue/urn%3Aa%3Ab' }],
      VenueIds: ['urn:a:b'],
      Deep: { a: [{ b: { Id: '7', Self: '/v1/Weather/District/7' } }] },
      Tags: [{ Id: 'winter', Self: '/v1/Tag/winter' }],
    }
    expect(found(record)).toEqual([
      ['Venue', 'urn:a:b', undefined],
      ['WeatherDistrict', '7', undefined],
    ])
  })

  it('come with names where they are places', () => {
    const LocationInfo = {
      TvInfo: { Id: 'T', Name: { en: 'Bolzano' } },
      DistrictInfo: { Id: 'D', Name: { en: 'Out field' } },
      AreaInfo: null,
    }
    expect(found({ LocationInfo, DistrictId: 'D' })).toEqual([
      ['TourismAssociation', 'T', 'Bolzano'],
      ['District', 'D', 'Out field'],
    ])
  })

  it('are found by type, and by members that are called by an entity', () => {
    expect(
      found({
        RelatedContent: [
          { Id: 'A', Type: 'accommodation' },
          { Id: 'B', Type: 'moon' },
        ],
      }),
    ).toEqual([['Accommodation', 'A', undefined]])
    expect(
      found({ TourismVereinIds: ['X'], SkiareaIds: ['S', ''], RegionId: 'R', EventId: 5 }),
    ).toEqual([
      ['TourismAssociation', 'X', undefined],
      ['SkiArea', 'S', undefined],
      ['Region', 'R', undefined],
    ])
  })

  it('are never the record itself, and odd members name nobody', () => {
    expect(found({ Id: 'D', DistrictId: 'D', RegionIds: [null, 3], LocationInfo: 'x' })).toEqual([])
  })

  it('are shown by what they are', () => {
    const groups = groupRelations(
      readRelations({ RegionIds: ['a', 'b'], DistrictId: 'c' }, directory),
    )
    expect(groups.map(({ type, relations }) => [type, relations.length])).toEqual([
      ['Region', 2],
      ['District', 1],
    ])
  })
})

describe('The directory', () => {
  it('knows an address of the API, but not a longer one', () => {
    expect(findByPath(directory, '/v1/Weather/20777')?.entity.type).toBe('Weather')
    expect(findByPath(directory, 'http://localhost/v1/Region/a%20b')?.id).toBe('a b')
    expect(findByPath(directory, '/v1/Region/a/History')).toBeUndefined()
    expect(findByPath(directory, '/v1/AccommodationTypes/Farm')).toBeUndefined()
    expect(findByPath(directory, '/v1/Region/%E0%A4%A')).toBeUndefined()
  })

  it('knows entities by their other names', () => {
    expect(findEntity(directory, 'Tourismverein')?.type).toBe('TourismAssociation')
    expect(findEntity(directory, 'skiarea')?.type).toBe('SkiArea')
    expect(findEntity(directory, 'moon')).toBeUndefined()
  })
})
