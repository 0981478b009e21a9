import { describe, expect, it } from 'vitest'
import { describeFields, partsAt } from './describe-fields.ts'
import { entitiesOf, groupRelations, readRelations } from './relations.ts'
import type { Entity } from './relations.ts'

const entity = (type: string, list = `/v1/${type}`): Entity => ({
  ...{ type, title: { de: type, it: type, en: type }, list, record: `${list}/{id}` },
  ...{ recordType: type.toLowerCase(), access: 'open', titleField: 'Shortname' },
})

const entities = [
  ...['Venue', 'District', 'Region', 'TourismAssociation', 'Accommodation'].map((one) =>
    entity(one),
  ),
  { ...entity('WebcamInfo'), recordType: 'webcam' },
]

const placed = { Id: 'id', 'Name.{language}': 'name' }
const related = (record: Readonly<Record<string, unknown>>) =>
  describeFields(record, {
    ...{ RegionId: { entity: 'Region' }, 'RegionIds.[*]': { entity: 'Region' } },
    ...{ DistrictId: { entity: 'District' }, 'VenueIds.[*]': { entity: 'Venue' } },
    MoonId: { entity: 'Moon' },
    ...partsAt('LocationInfo.TvInfo', placed),
    ...partsAt('LocationInfo.DistrictInfo', placed),
    'LocationInfo.TvInfo.Id': { part: 'id', entity: 'TourismAssociation' },
    'LocationInfo.DistrictInfo.Id': { part: 'id', entity: 'District' },
    'RelatedContent.[*]': { role: 'related' },
    ...partsAt('RelatedContent.[*]', { Id: 'id', Type: 'type' }),
  })

const found = (record: Readonly<Record<string, unknown>>) =>
  readRelations(related(record), entities, 'en').map(({ entity: { type }, id, name }) => [
    ...[type, id, name],
  ])

describe('The related records of a record', () => {
  it('are listed once, with names if the record contains them', () => {
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

  it('are found by their type, and by fields that contain ids of an entity', () => {
    expect(
      found({
        RelatedContent: [
          { Id: 'A', Type: 'accommodation' },
          { Id: 'W', Type: 'webcam' },
          { Id: 'B', Type: 'moon' },
        ],
      }),
    ).toEqual([
      ['Accommodation', 'A', undefined],
      ['WebcamInfo', 'W', undefined],
    ])
    expect(found({ VenueIds: ['V', ''], RegionId: 'R', MoonId: 'M' })).toEqual([
      ['Region', 'R', undefined],
      ['Venue', 'V', undefined],
    ])
  })

  it('never include the record itself, and ignore malformed fields', () => {
    expect(found({ Id: 'D', DistrictId: 'D', RegionIds: [null, 3], LocationInfo: 'x' })).toEqual([])
  })

  it('are grouped by entity', () => {
    const relations = readRelations(
      related({ RegionIds: ['a', 'b'], DistrictId: 'c' }),
      entities,
      'en',
    )
    expect(
      groupRelations(relations).map(({ entity: { type }, relations: own }) => [type, own.length]),
    ).toEqual([
      ['Region', 2],
      ['District', 1],
    ])
  })
})

it('lists the paths of each entity, and ignores datasets without records', () => {
  const { list: _, record: __, ...venue } = entity('Venue')
  const links = { list: 'http://hub.example/v1/Venue', record: '/v1/Venue/{id}' }
  expect(
    entitiesOf([
      { ...venue, service: 'content', links },
      { ...venue, service: 'content', links: {} },
      { ...venue, service: 'timeseries', links },
    ]),
  ).toEqual([entity('Venue')])
})
