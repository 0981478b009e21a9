import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'
import { anEvent } from '../../test/contract/datex/an-event.ts'

const ignore = () => undefined
const kindOf = (tags: readonly string[], differences = {}) =>
  classify(anEvent({ tags, ...differences }), ignore)

describe('classify', () => {
  it('takes the most severe tag, whatever the order', () => {
    const closure = { roadOrCarriagewayOrLaneManagementType: 'roadClosed' }
    expect(kindOf(['traffic-event:hindrance', 'traffic-event:closure']).members).toMatchObject(
      closure,
    )
    expect(kindOf(['traffic-event:closure', 'traffic-event:hindrance']).members).toMatchObject(
      closure,
    )
  })

  it('takes the more specific of equally severe tags, which is the later one', () => {
    expect(kindOf(['traffic-event:hindrance', 'traffic-event:road-work']).type).toBe(
      'MaintenanceWorks',
    )
  })

  it('ignores tags that do not tell the kind', () => {
    const tags = ['announcement:traffic-event', 'traffic-event:current', 'traffic-event:accident']
    expect(kindOf(tags).type).toBe('Accident')
  })

  it('takes the category when no tag tells more', () => {
    expect(kindOf([], { category: 'closure' }).severity).toBe('high')
    expect(kindOf(['speed-camera'], { category: 'avvenimenti attuali' }).type).toBe(
      'SpeedManagement',
    )
  })

  it('publishes an event that nothing explains as a message of unknown severity', () => {
    const kind = kindOf(['traffic-event:current'])
    expect(kind.type).toBe('GeneralInstructionOrMessageToRoadUsers')
    expect(kind.severity).toBe('unknown')
  })

  it('lets the event’s own severity stand, when DATEX II knows it', () => {
    expect(kindOf(['closure'], { severity: 'Highest' }).severity).toBe('highest')
    expect(kindOf(['closure'], { severity: '3' }).severity).toBe('high')
  })

  it('lets datex.type decide, and reports a type that does not exist', () => {
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

  it('knows which kinds are short-lived, by the tag that decides', () => {
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
