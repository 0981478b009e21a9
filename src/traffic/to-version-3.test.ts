import { describe, expect, it } from 'vitest'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { all, readXml, text, texts } from '../../test/contract/datex/xml-tree.ts'
import { recordTypes, version2, version3 } from '../datex/index.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import { atOnce } from '../async/index.ts'
import { document3Steps } from './feed-document.ts'
import { toPublication } from './publication.ts'
import { toVersion3 } from './to-version-3.ts'

const now = new Date('2026-06-01T12:00:00Z')

function write(given: Partial<MobilityEvent>) {
  const event = anEvent({ tags: [], start: new Date('2026-06-01T10:00:00Z'), ...given })
  const { xml, json, notes } = atOnce(
    document3Steps(toPublication([event], { supplier, now }), supplier),
  )
  const [situation] = all(readXml(xml), 'situation')
  const [record] = situation === undefined ? [] : all(situation, 'situationRecord')
  if (situation === undefined || record === undefined) throw new Error('There is no situation.')
  return { situation, record, json, notes: notes.map((note) => note.replace(/^[^:]*: /, '')) }
}

const datex = (type: string, fields = {}) => ({ datex: { type, ...fields } })

describe('A situation in DATEX II v3', () => {
  it('has the same content as in v2', () => {
    const { situation, record, json, notes } = write({
      ...datex('Accident', { accidentType: ['collision'] }),
      title: { de: 'Unfall' },
      text: {},
      geometry: { type: 'Point', coordinates: [11.35, 46.5] },
    })
    expect(record.attributes).toMatchObject({ 'xsi:type': 'sit:Accident', version: '1' })
    expect(text(situation, 'headerInformation/informationStatus')).toBe('real')
    expect(text(record, 'source/sourceCountry')).toBe('IT')
    expect(text(record, 'accidentType')).toBe('collision')
    expect(text(record, 'validity/validityStatus')).toBe('active')
    expect(text(record, 'generalPublicComment/comment/values/value')).toBe('Unfall')
    const [place] = all(record, 'locationReference')
    expect(place?.attributes['xsi:type']).toBe('loc:PointLocation')
    expect(place && text(place, '**/pointCoordinates/latitude')).toBe('46.5')
    expect(json).toContain('"situationRecord":[{"sitAccident":{"idG":')
    expect(notes).toEqual([])
  })

  it.each([
    [
      'LineString',
      [
        [11, 46],
        [11.1, 46.1],
        [11.2, 46],
      ],
      'loc:SingleRoadLinearLocation',
    ],
    [
      'Polygon',
      [
        [
          [11, 46],
          [11.1, 46.1],
          [1e-7, 46],
          [11, 46],
        ],
      ],
      'loc:AreaLocation',
    ],
    [
      'MultiPoint',
      [
        [11, 46],
        [11.1, 46.1],
      ],
      'loc:LocationGroupByList',
    ],
  ] as const)('keeps its location as %s', (type, coordinates, expected) => {
    const geometry = JSON.parse(JSON.stringify({ type, coordinates }))
    const { record, notes } = write({ ...datex('Accident'), geometry })
    expect(all(record, 'locationReference')[0]?.attributes['xsi:type']).toBe(expected)
    expect(notes).toEqual([])
    if (type === 'Polygon') {
      expect(texts(record, '**/posList')).toEqual(['46 11 46.1 11.1 46 0.000000100000000 46 11'])
    }
  })

  it('uses the names of v3 for kinds and values', () => {
    const service = write(
      datex('RoadsideServiceDisruption', { roadsideServiceDisruptionType: ['barClosed'] }),
    )
    expect(service.record.attributes['xsi:type']).toBe('sit:ServiceDisruption')
    expect(text(service.record, 'serviceDisruptionType')).toBe('barClosed')
    const crash = write(datex('Accident', { accidentType: ['headOnCollision'] }))
    expect(text(crash.record, 'accidentType')).toBe('collision')
    expect(text(crash.record, 'collisionType')).toBe('headOnCollision')
    const cause = { cause: { type: 'NonManagedCause', causeType: 'poorWeather' } }
    expect(text(write(datex('Accident', cause)).record, 'cause/causeType')).toBe('poorEnvironment')
    const wind = { wind: { windSpeed: { speed: 72 } } }
    const storm = write(datex('PoorEnvironmentConditions', wind))
    expect(Number(text(storm.record, 'wind/windSpeed/windSpeed'))).toBeCloseTo(20)
  })

  it('reports fields that v3 does not have and values that it has only in a wider sense', () => {
    const capacity = { impact: { originalNumberOfLanes: 2, numberOfLanesRestricted: 1 } }
    const { record, notes } = write(
      datex('VehicleObstruction', { ...capacity, vehicleObstructionType: 'snowplough' }),
    )
    expect(text(record, 'impact/numberOfLanesRestricted')).toBe('1')
    expect(notes).toEqual([
      'DATEX II v3 has no snowplough; slowVehicle is used instead.',
      'originalNumberOfLanes is not a field of sit:Impact.',
    ])
    const { record: generic, notes: lost } = write(datex('CarParks', { totalCapacity: 12 }))
    expect(text(generic, 'genericSituationRecordName')).toBe('CarParks')
    expect(lost).toContain('totalCapacity is not a field of sit:GenericSituationRecord.')
  })

  it.each([
    [{ cancelled: true }, 'suspended'],
    [{ end: new Date('2026-06-01T11:30:00Z') }, 'definedByValidityTimeSpec'],
  ])('has the validity status of an ended or cancelled event: %j', (given, status) => {
    const { record, notes } = write({ ...datex('Accident'), recorded: now, ...given })
    expect(text(record, 'validity/validityStatus')).toBe(status)
    expect(notes).toEqual([])
  })
})

describe('The translation to DATEX II v3', () => {
  it('covers every kind of record, and every value with another name in v3', () => {
    for (const type of Object.keys(recordTypes)) {
      const named = String(toVersion3({ type }, 'SituationRecord', () => undefined)['xsi:type'])
      expect(version3.types.get(named)?.abstract, type).toBe(false)
    }
    const unsaid = new Set<string>()
    for (const [name, values] of version2.enumerations) {
      const members = [...version2.types.values()].flatMap(({ name: of, members: all }) =>
        all.filter((each) => each.type === name).map((each) => [of, each.name] as const),
      )
      const [[of, field] = ['', '']] = members
      const target = version3.types.get(String(toVersion3({}, of, () => undefined)['xsi:type']))
      const allowed = version3.enumerations.get(
        target?.members.find((each) => each.name === field)?.type ?? '',
      )
      for (const value of allowed === undefined ? [] : values) {
        const said = toVersion3({ [field]: value }, of, () => undefined)[field]
        if (!allowed?.has(String(said))) unsaid.add(`${name} ${value}`)
      }
    }
    expect([...unsaid]).toEqual([])
  })
})
