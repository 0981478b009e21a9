import { describe, expect, it } from 'vitest'
import { entitiesOf, viewsOf } from './entities/index.ts'
import { toNaming } from './naming.ts'
import type { expressions } from './members.ts'
import { checkExpression, listMembers, listParameters } from './members.ts'

const entities = entitiesOf(toNaming('Hub'))

function entityOf(name: string) {
  const entity = entities.find((one) => one.name === name)
  if (entity === undefined) throw new Error(`There is no entity ${name}`)
  return entity
}

const schemaFields = (name: string) =>
  new Map(listMembers(entityOf(name)).map((member) => [member.path, member]))

describe('The fields of an entity', () => {
  it('have the paths that expressions use', () => {
    const members = schemaFields('Accommodation')
    expect(members.get('Shortname')).toMatchObject({ type: 'text', canSort: true })
    expect(members.get('LastChange')).toMatchObject({ type: 'time', isList: false })
    expect(members.get('AccoDetail.{language}.Name')).toMatchObject({ type: 'text' })
    expect(members.get('GpsInfo.[*].Latitude')).toMatchObject({
      ...{ type: 'number', isList: true, canFilter: true, canSort: false },
    })
    expect(members.get('HasLanguage.[*]')).toMatchObject({ type: 'text', isList: true })
    expect(members.get('Mapping.{key}.{key}')).toMatchObject({ type: 'text' })
  })

  it('identify whole structures: contacts, pictures, places, opening times, relations', () => {
    const house = schemaFields('Accommodation')
    expect(house.get('AccoDetail.{language}')).toMatchObject({
      ...{ role: 'contact', label: { en: 'Contact' } },
    })
    expect(house.get('AccoDetail.{language}.Phone')).toMatchObject({ part: 'phone' })
    expect(house.get('ImageGallery.[*]')).toMatchObject({ role: 'picture', part: null })
    expect(house.get('ImageGallery.[*].ImageUrl')).toMatchObject({ role: 'image', part: 'url' })
    expect(house.get('GpsInfo.[*]')).toMatchObject({ role: 'place' })
    expect(house.get('GpsPoints.{key}.Latitude')).toMatchObject({ part: 'latitude' })
    expect(house.get('OperationSchedule.[*].OperationScheduleTime.[*]')).toMatchObject({
      part: 'hours',
    })
    expect(house.get('DistrictId')).toMatchObject({ entity: 'District', part: null })
    expect(house.get('LocationInfo.TvInfo.Id')).toMatchObject({
      ...{ entity: 'TourismAssociation', part: 'id' },
    })
    expect(schemaFields('Event').get('OrganizerInfos.{language}')).toMatchObject({
      ...{ role: 'contact', label: { en: 'Organiser' } },
    })
  })

  it('reference only existing entities', () => {
    const named = entities.flatMap((entity) =>
      listMembers(entity).flatMap(({ entity: name }) => name ?? []),
    )
    expect(named.filter((name) => !entities.some((one) => one.name === name))).toEqual([])
  })

  it('state which require a token, and which cannot be used in filters', () => {
    const members = schemaFields('Accommodation')
    expect(members.get('AccoRoomInfo.[*].Id')).toMatchObject({ takesToken: true })
    expect(members.get('Self')).toMatchObject({ canFilter: false, canSort: false })
    expect(schemaFields('MetaData').get('RecordCount')).toMatchObject({ canFilter: false })
  })

  it('state the deprecation date and replacement, also for nested fields', () => {
    const members = schemaFields('Accommodation')
    expect(members.get('TrustYouScore')?.deprecated).toEqual({
      since: '2026-11-20',
      removedAfter: '2027-12-31',
      description: 'Use Review.trustyou.Score',
      replacement: 'Review.trustyou.Score',
    })
    expect(members.get('GpsPoints.{key}.Latitude')?.deprecated).toMatchObject({
      description: 'Use GpsInfo',
    })
    expect(members.get('GpsInfo.[*].Latitude')?.deprecated).toBeNull()
  })

  it('state their role, label, unit and filter parameters', () => {
    const members = schemaFields('Accommodation')
    expect(members.get('AccoDetail.{language}.Name')).toMatchObject({
      ...{ role: 'title', label: { de: 'Titel', it: 'Titolo', en: 'Title' }, filters: [] },
    })
    expect(schemaFields('WebcamInfo').get('Webcamname.{language}')?.role).toBe('title')
    expect(members.get('AccoCategoryId')).toMatchObject({ filters: ['categoryfilter'] })
    expect(schemaFields('HubActivityPoi').get('DistanceLength')).toMatchObject({
      ...{ label: { it: 'Lunghezza' }, unit: 'm', filters: ['distancefilter'] },
    })
    for (const entity of [...entities, ...viewsOf(toNaming('Hub'))]) {
      const paths = new Set(listMembers(entity).map(({ path }) => path))
      const titled = listMembers(entity).filter(
        ({ role, deprecated }) => role === 'title' && deprecated === null,
      )
      expect([entity.name, titled.length]).toEqual([entity.name, 1])
      const strange = listParameters(entity).filter(({ field }) => !paths.has(field))
      expect(strange).toEqual([])
    }
  })

  it.each(entities.map(({ name }) => name))('can be used in expressions for %s', (name) => {
    const entity = entityOf(name)
    const members = listMembers(entity)
    expect(new Set(members.map(({ path }) => path)).size).toBe(members.length)
    for (const { path, canFilter, canSort } of members) {
      const written = path.replaceAll('{language}', 'de').replaceAll('{key}', 'x')
      const texts = new Map<(typeof expressions)[number], string>([['fields', written]])
      if (canFilter) texts.set('rawfilter', `isnull(${written})`)
      if (canSort) texts.set('rawsort', written)
      for (const [parameter, text] of texts) {
        const checked = checkExpression(entity, parameter, text)
        expect([text, checked.errors]).toEqual([text, []])
        const strange = checked.warnings.filter(({ detail }) => detail.startsWith('No field'))
        expect([text, strange]).toEqual([text, []])
      }
    }
  })
})

describe('A checked expression', () => {
  const acco = entityOf('Accommodation')

  it('is returned in canonical form', () => {
    expect(checkExpression(acco, 'rawfilter', 'and( eq(Active , true) )')).toMatchObject({
      valid: true,
      canonical: 'eq(Active,true)',
    })
    expect(checkExpression(acco, 'tagfilter', 'a , b')).toMatchObject({ canonical: 'or(a,b)' })
  })

  it('is returned with the position of its error', () => {
    expect(checkExpression(acco, 'rawfilter', 'eq(Active,true')).toMatchObject({
      valid: false,
      errors: [{ parameter: 'rawfilter', position: 14 }],
    })
    expect(checkExpression(acco, 'polygon', 'bbc(10)')).toMatchObject({ valid: false })
    expect(checkExpression(acco, 'fields', 'A..b')).toMatchObject({ valid: false })
  })

  it('has warnings for unknown and deprecated fields', () => {
    expect(checkExpression(acco, 'rawsort', '-Shortnam').warnings).toMatchObject([
      { position: 1, hint: 'Did you mean Shortname?' },
    ])
    expect(checkExpression(acco, 'fields', 'SmgTags').warnings).toMatchObject([
      { hint: 'Use Tags' },
    ])
  })
})
