import { describe, expect, it } from 'vitest'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { all, readXml, text } from '../../test/contract/datex/xml-tree.ts'
import { toPublication } from './publication.ts'

/** The record of an event with a tag and metadata. */
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

describe('a kind is said more exactly by metadata', () => {
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

  it('lets metadata change the type of the record', () => {
    expect(recordOf('weather-related', { weather: 'ice' }).type).toBe(
      'WeatherRelatedRoadConditions',
    )
  })
})
