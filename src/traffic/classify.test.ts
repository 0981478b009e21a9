import { describe, expect, it } from 'vitest'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { all, readXml, text } from '../../test/contract/datex/xml-tree.ts'
import { classify } from './classify.ts'
import { toPublication } from './publication.ts'

/** Returns the published record of an event with a tag and metadata. */
function recordOf(tag: string, metadata: Readonly<Record<string, unknown>>) {
  const now = new Date('2026-06-01T12:00:00Z')
  const event = anEvent({ tags: [`traffic-event:${tag}`], start: now, metadata })
  const { xml, notes } = toPublication([event], { supplier, now })
  expect(notes).toEqual([])
  const [record] = all(readXml(xml), 'payloadPublication/situation/situationRecord')
  if (record === undefined) throw new Error('There is no record.')
  return { type: record.attributes['xsi:type'], of: (path: string) => text(record, path) }
}

const lanes = 'roadOrCarriagewayOrLaneManagementType'

describe('classification by metadata', () => {
  it.each([
    ['weather-related', { weather: 'snow' }, 'poorEnvironmentType', 'snowfall'],
    ['weather-related', { Weather_Type: 'Heavy rain' }, 'poorEnvironmentType', 'heavyRain'],
    ['weather-related', { weather: 'ice' }, 'weatherRelatedRoadConditionType', 'ice'],
    ['weather-related', { weather: 'locusts' }, 'poorEnvironmentType', 'fog'],
    ['weather-related', { a: { Idsottotipoevento: '30' } }, 'poorEnvironmentType', 'strongWinds'],
    ['congestion', { traffic: 'blocked' }, 'abnormalTrafficType', 'stationaryTraffic'],
    ['congestion', { queueLength: 1500 }, 'queueLength', '1500'],
    ['speed-limit', { Limite: '110' }, 'temporarySpeedLimit', '110'],
    ['speed-limit', { limite: 'none' }, 'temporarySpeedLimit', undefined],
    ['speed-limit', { speedLimit: 9999 }, 'temporarySpeedLimit', undefined],
    ['closure', { closure: 'lane' }, lanes, 'laneClosures'],
    ['closure', { closureType: 'carriageway' }, lanes, 'carriagewayClosures'],
    ['closure', { closure: 'winter' }, lanes, 'closedPermanentlyForTheWinter'],
    ['hindrance', { lanesClosed: 2 }, 'impact/numberOfLanesRestricted', '2'],
    ['restriction', { maxWeight: '7,5' }, '**/grossVehicleWeight', '7.5'],
    ['prohibition', { maxHeight: 3.2 }, '**/vehicleHeight', '3.2'],
    [
      'road-condition',
      { winterEquipment: 'snow chains' },
      'winterEquipmentManagementType',
      'useSnowChains',
    ],
    ['diversion', { diversion: 'local' }, 'reroutingManagementType', 'followLocalDiversion'],
  ])('%s with %o has %s %s', (tag, metadata, member, value) => {
    expect(recordOf(tag, metadata).of(member)).toBe(value)
  })

  it('can change the type of the record', () => {
    expect(recordOf('weather-related', { weather: 'ice' }).type).toBe(
      'WeatherRelatedRoadConditions',
    )
  })
})

const ignore = () => undefined
const kindOf = (tags: readonly string[], differences = {}) =>
  classify(anEvent({ tags, ...differences }), ignore)

describe('classify', () => {
  it('uses the most severe tag, in any order', () => {
    const closure = { roadOrCarriagewayOrLaneManagementType: 'roadClosed' }
    expect(kindOf(['traffic-event:hindrance', 'traffic-event:closure']).members).toMatchObject(
      closure,
    )
    expect(kindOf(['traffic-event:closure', 'traffic-event:hindrance']).members).toMatchObject(
      closure,
    )
  })

  it('uses the later, more specific one of equally severe tags', () => {
    expect(kindOf(['traffic-event:hindrance', 'traffic-event:road-work']).type).toBe(
      'MaintenanceWorks',
    )
  })

  it('ignores tags that do not identify the kind', () => {
    const tags = ['announcement:traffic-event', 'traffic-event:current', 'traffic-event:accident']
    expect(kindOf(tags).type).toBe('Accident')
  })

  it('uses the category if no tag is more specific', () => {
    expect(kindOf([], { category: 'closure' }).severity).toBe('high')
    expect(kindOf(['speed-camera'], { category: 'avvenimenti attuali' }).type).toBe(
      'SpeedManagement',
    )
  })

  it('publishes an event of unknown kind as a message of unknown severity', () => {
    const kind = kindOf(['traffic-event:current'])
    expect(kind.type).toBe('GeneralInstructionOrMessageToRoadUsers')
    expect(kind.severity).toBe('unknown')
  })

  it('keeps the severity of the event if DATEX II defines it', () => {
    expect(kindOf(['closure'], { severity: 'Highest' }).severity).toBe('highest')
    expect(kindOf(['closure'], { severity: '3' }).severity).toBe('high')
  })

  it('prefers datex.type, and reports a type that does not exist', () => {
    expect(kindOf(['closure'], { datex: { type: 'PublicEvent' } })).toMatchObject({
      type: 'PublicEvent',
      members: {},
      severity: 'high',
    })
    const notes: string[] = []
    const event = anEvent({ datex: { type: 'Roadworks' } })
    expect(classify(event, (detail) => notes.push(detail)).type).toBe('MaintenanceWorks')
    expect(notes).toEqual(['datex.type: "Roadworks" is not a situation record type of DATEX II.'])
  })

  it('determines from the deciding tag whether a kind is short-lived', () => {
    const passing = [
      'speed-camera',
      'congestion',
      'accident',
      'event',
      'animal-on-road',
      'weather-related',
    ]
    expect(passing.filter((tag) => !kindOf([tag]).shortLived)).toEqual([])
    expect(kindOf(['hindrance', 'event']).shortLived).toBe(true)
    expect(kindOf(['weather-related', 'closure']).shortLived).toBe(false)
    expect(kindOf([], { datex: { type: 'Accident' } }).shortLived).toBe(true)
    expect(kindOf([], { datex: { type: 'SpeedManagement' } }).shortLived).toBe(false)
    expect(kindOf(['accident'], { datex: { type: 'VehicleObstruction' } }).shortLived).toBe(true)
  })
})
