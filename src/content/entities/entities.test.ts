import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import type { Entity } from '../entity.ts'
import { toNaming } from '../naming.ts'
import { entitiesOf } from './index.ts'

const entities = entitiesOf(toNaming('Hub'))
const commonColumns = ['shortname', 'active', 'source', 'closed', 'last_change']

const firstStep = (path: string) => path.split('.')[0] ?? path

function repeated(valueOf: (entity: Entity) => string): readonly string[] {
  const values = entities.map((entity) => valueOf(entity).toLowerCase())
  return values.filter((value, index) => values.indexOf(value) !== index)
}

describe('the entities', () => {
  it('serve every list path of the interface, and those of decision D37', () => {
    expect(entities.map(({ path }) => path)).toEqual([
      'Accommodation',
      'AccommodationRoom',
      'HubActivityPoi',
      'Event',
      'EventShort',
      'Article',
      'WebcamInfo',
      'Venue',
      'Weather',
      'Weather/District',
      'Weather/Forecast',
      'Weather/Realtime',
      'Weather/Measuringpoint',
      'MetaRegion',
      'Region',
      'ExperienceArea',
      'Municipality',
      'District',
      'Area',
      'SkiArea',
      'SkiRegion',
      'TourismAssociation',
      'WineAward',
      'MetaData',
      'Tag',
      'Source',
      'Publisher',
      'GeoShapes',
    ])
  })

  it('have unique paths, types (and therefore tables), names and OpenAPI components', () => {
    expect(repeated(({ path }) => path)).toEqual([])
    expect(repeated(({ type }) => type)).toEqual([])
    expect(repeated(({ name }) => name)).toEqual([])
    expect(repeated(({ schema }) => schema.$id)).toEqual([])
  })

  it('have the types that reference content.md 6.1 lists, if these differ from the name', () => {
    const renamed = entities.filter(({ name, type }) => type !== name.toLowerCase())
    expect(renamed.map(({ name, type }) => [name, type])).toEqual([
      ['WebcamInfo', 'webcam'],
      ['MetaData', 'hubmetadata'],
    ])
  })

  it('require a token for reading if decisions D33 and D34 specify it', () => {
    const guarded = entities.filter(({ needsToken }) => needsToken)
    expect(guarded.map(({ name }) => name)).toEqual(['AccommodationRoom', 'MetaData'])
  })

  it('use the component name of the interface for the metadata record', () => {
    const metaData = entities.find(({ name }) => name === 'MetaData')
    expect(metaData?.schema.$id).toBe('TourismMetaData')
  })
})

describe.each(entities.map((entity) => [entity.name, entity] as const))('%s', (_name, entity) => {
  const members = Object.keys(entity.schema.properties)

  it('accepts a record with only an Id, and one with unknown fields', () => {
    const validator = Compile(entity.schema)
    expect(validator.Check({ Id: 'x' })).toBe(true)
    expect(validator.Check({ Id: 'x', NewToUs: { a: [1] }, Detail: { de: { NewToo: 1 } } })).toBe(
      true,
    )
  })

  it('accepts null for every field except the Id', () => {
    const empty = Object.fromEntries(members.map((name) => [name, null]))
    expect(Compile(entity.schema).Check({ ...empty, Id: 'x' })).toBe(true)
  })

  it('rejects a record without an Id', () => {
    expect(Compile(entity.schema).Check({ Shortname: 'x' })).toBe(false)
  })

  it('sorts by columns that its table has', () => {
    const columns = [...commonColumns, ...Object.keys(entity.columns)]
    expect(entity.order.filter((column) => !columns.includes(column))).toEqual([])
  })

  it('lists only fields of its schema as titles and closed fields', () => {
    const named = [...entity.titles, ...entity.closedFields].map(firstStep)
    expect(named.filter((name) => !members.includes(name))).toEqual([])
  })

  it('describes no field that the interface has removed', () => {
    const removed = new Set(entity.removedFields)
    expect(members.filter((name) => removed.has(name))).toEqual([])
  })
})
