import { describe, expect, it } from 'vitest'
import { entitiesOf } from '../entities/index.ts'
import { parseFields } from '../representation.ts'
import { toNaming } from '../naming.ts'
import { deprecationsOf } from './table.ts'
import { deprecatedUses, fieldsOnTheWay, typeNameAt } from './uses.ts'

const naming = toNaming('Hub')
const entities = entitiesOf(naming)

function entityNamed(name: string) {
  const entity = entities.find((candidate) => candidate.name === name)
  if (entity === undefined) throw new Error(`no entity ${name}`)
  return entity
}

const fieldNames = (entity: string, state: 'deprecated' | 'removed') =>
  entityNamed(entity)
    .deprecations.filter((row) => row.kind === 'member' && row.state === state)
    .map(({ name }) => name)

describe('the table of deprecations', () => {
  it('has a row for every field that interface 9.1 removes or replaces', () => {
    expect(fieldNames('Event', 'removed')).toEqual(
      expect.arrayContaining(['Pdf', 'LTSTags', 'EventDate.GpsEast', 'NextBeginDate']),
    )
    expect(fieldNames('Event', 'removed')).toHaveLength(17)
    expect(fieldNames('Event', 'deprecated')).toEqual(
      expect.arrayContaining([
        'EventDate.EventCalculatedDay',
        'EventPrice',
        'HubTags',
        'HubActive',
        'EventBooking.BookableTo',
        'EventBooking.BookableFrom',
        'EventBooking.AccommodationAssignment',
        'ClassificationRID',
        'Topics',
        'TopicRIDs',
        'Gpstype',
        'Latitude',
        'Longitude',
        'Altitude',
        'AltitudeUnitofMeasure',
        'EventAdditionalInfos.Mplace',
        'EventAdditionalInfos.Reg',
      ]),
    )
  })

  it('lists fields that interface 9.2 calls "to be removed" as deprecated, not removed', () => {
    expect(fieldNames('HubActivityPoi', 'removed')).toEqual([])
    expect(fieldNames('HubActivityPoi', 'deprecated')).toEqual(
      expect.arrayContaining([
        ...['CustomId', 'SmgId', 'Type', 'SubType', 'PoiType', 'AdditionalPoiInfos.MainType'],
        ...['AdditionalPoiInfos.SubType', 'AdditionalPoiInfos.PoiType', 'Highlight', 'OwnerRid'],
        ...['ChildPoiIds', 'MasterPoiIds', 'PoiServices', 'HubActivityPoiTypes'],
        ...['LocationInfo.AreaInfo', 'PoiProperty', 'SyncSourceInterface', 'SyncUpdateMode'],
        ...['GpsPoints', 'OutdooractiveID', 'Difficulty', 'LTSTags', 'SmgTags', 'SmgActive'],
        ...['AgeFrom', 'IsOpen', 'DistanceLength', 'CategoryCodes'],
      ]),
    )
  })

  it('has each field once, and only fields that the schemas have', () => {
    for (const { name, schema, deprecations } of entities) {
      const members = deprecations.filter(({ kind }) => kind === 'member')
      const names = members.map((row) => row.name)
      expect([name, names]).toEqual([name, [...new Set(names)]])
      const served = members.filter(({ state }) => state === 'deprecated')
      const annotated = JSON.stringify(schema).match(/"deprecated":true/g) ?? []
      expect([name, annotated.length]).toEqual([name, served.length])
    }
  })

  it('copies only from fields that the schemas have', () => {
    for (const { name, schema, deprecations } of entities) {
      const sources = deprecations.flatMap(({ copyOf = [] }) => copyOf)
      const reached = (path: string) => {
        const names = path.split('.')
        // The table leaves out language keys, but not keys such as `trustyou`.
        if (typeNameAt(schema, names) !== 'Any') return true
        return (
          fieldsOnTheWay(schema, names)
            .at(-1)
            ?.endsWith(`.${names.at(-1) ?? ''}`) === true
        )
      }
      expect([name, sources.filter((path) => !reached(path))]).toEqual([name, []])
    }
  })

  it('has only rows of existing entities', () => {
    const known = new Set(['*', 'Deprecated', ...entities.map(({ name }) => name)])
    expect(deprecationsOf(naming).filter(({ entity }) => !known.has(entity))).toEqual([])
  })

  it('removes nothing until after its deprecation date', () => {
    const wrong = deprecationsOf(naming).filter((row) => row.removedAfter <= row.deprecated)
    expect(wrong).toEqual([])
  })
})

describe('the schemas', () => {
  it('mark every deprecated field, also within arrays and below keys', () => {
    const text = JSON.stringify(entityNamed('HubActivityPoi').schema.properties)
    const { GpsPoints, GpsInfo, AdditionalPoiInfos } = JSON.parse(text)
    expect(GpsPoints).toMatchObject({
      deprecated: true,
      description: 'Keyed by Gpstype. Use GpsInfo',
    })
    expect(GpsInfo).not.toHaveProperty('deprecated')
    const [infos] = Object.values<{ properties: object }>(AdditionalPoiInfos.patternProperties)
    expect(infos?.properties).toMatchObject({ MainType: { deprecated: true } })
    expect(infos?.properties).toHaveProperty(
      'Categories',
      expect.not.objectContaining({ deprecated: true }),
    )
  })

  it('name the type of a field', () => {
    const { schema } = entityNamed('Event')
    const typeAt = (path: string) => typeNameAt(schema, path.split('.'))
    expect(typeAt('SmgTags')).toBe('List<String>')
    expect(typeAt('EventPrice')).toBe('Map<Object>')
    expect(typeAt('EventDate.EventCalculatedDay')).toBe('Object')
    expect(typeAt('EventAdditionalInfos.Mplace')).toBe('String')
    expect(typeAt('Nothing')).toBe('Any')
  })
})

describe('a request', () => {
  const uses = (entity: string, fields: readonly string[], query: object = {}) =>
    deprecatedUses(entityNamed(entity), { fields: parseFields(fields), query: { ...query } }).map(
      ({ name }) => name,
    )

  it.each([
    ['a field', ['GpsPoints.position.Latitude'], {}, ['GpsPoints']],
    [
      'a field of a language',
      ['AdditionalPoiInfos.de.MainType'],
      {},
      ['AdditionalPoiInfos.MainType'],
    ],
    [
      'a filter',
      [],
      { rawfilter: "or(eq(Type,'x'),not(in(SmgTags.[*],'y')))" },
      ['SmgTags', 'Type'],
    ],
    ['an order', [], { rawsort: '-Difficulty,Id' }, ['Difficulty']],
    [
      'another spelling',
      [],
      { rawfilter: 'isnotnull(ODHActivityPoiTypes)' },
      ['HubActivityPoiTypes'],
    ],
    ['nothing of it', ['Id', 'GpsInfo', 'LocationInfo'], { rawsort: 'Shortname' }, []],
    ['the whole record', [], {}, []],
  ] as const)('with %s uses exactly its deprecated fields', (_what, fields, query, expected) => {
    expect([...uses('HubActivityPoi', fields, query)].sort()).toEqual([...expected].sort())
  })

  it('uses a deprecated parameter only of an entity that deprecates it', () => {
    expect(uses('Event', [], { hubtagfilter: ['x'] })).toEqual(['hubtagfilter'])
    expect(uses('Article', [], { hubtagfilter: ['x'] })).toEqual([])
  })
})
