import { describe, expect, it } from 'vitest'
import { toXml } from '../datex/index.ts'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { toCandidate, toSituation } from './situation.ts'
import { all, readXml, text, texts } from '../../test/contract/datex/xml-tree.ts'

const now = new Date('2026-06-01T12:00:00Z')

/** Returns the situation of an event at noon of 1 June 2026, parsed from its XML, and the notes. */
function situationOf(differences: object = {}) {
  const notes: string[] = []
  const note = (detail: string) => notes.push(detail)
  const candidate = toCandidate(anEvent(differences), now.getTime(), note)
  if (typeof candidate !== 'object') throw new Error(`left out: ${String(candidate)}`)
  const written = toSituation(candidate, { supplier, now: now.getTime() }, note)
  if (written === undefined) throw new Error('gone')
  const tree = readXml(toXml(written).replaceAll('xsi:type', 'type'))
  const [record] = all(tree, 'situationRecord')
  if (record === undefined) throw new Error('no record')
  return { tree, record, notes }
}

describe('toSituation', () => {
  it('uses series and version as id and version of situation and record', () => {
    const { tree, record } = situationOf({ series: 'a-1', version: 3 })
    expect(tree.attributes).toEqual({ id: 'a-1', version: '3' })
    expect(record.attributes).toEqual({ type: 'MaintenanceWorks', id: 'a-1', version: '3' })
  })

  it('has the times of the first and the newest state, and the reference of the provider', () => {
    const { tree, record } = situationOf({
      name: '3079201',
      firstRecorded: new Date('2026-05-01T00:00:00Z'),
      recorded: new Date('2026-05-26T10:00:00.123Z'),
    })
    expect(text(tree, 'situationVersionTime')).toBe('2026-05-26T10:00:00.123Z')
    expect(text(record, 'situationRecordCreationTime')).toBe('2026-05-01T00:00:00.000Z')
    expect(text(record, 'situationRecordVersionTime')).toBe('2026-05-26T10:00:00.123Z')
    expect(text(record, 'situationRecordCreationReference')).toBe('3079201')
  })

  it('names the source', () => {
    const [source] = all(situationOf().record, 'source')
    expect(source && texts(source, 'sourceIdentification')).toEqual(['PROVINCE_BZ'])
    expect(source && text(source, 'sourceName/values/value')).toBe('PROVINCE_BZ')
    expect(source && text(source, 'sourceCountry')).toBe('it')
  })

  it.each([
    ['active', { end: null }, 'active', 'certain'],
    [
      'planned',
      { start: new Date('2026-07-01T00:00:00Z') },
      'definedByValidityTimeSpec',
      'probable',
    ],
    ['ended', { end: new Date('2026-06-01T11:30:00Z') }, 'definedByValidityTimeSpec', 'certain'],
    ['cancelled', { cancelled: true, recorded: now }, 'suspended', 'certain'],
  ])('writes an event that is %s', (_phase, differences, status, probability) => {
    const { record } = situationOf(differences)
    expect(text(record, 'validity/validityStatus')).toBe(status)
    expect(text(record, 'probabilityOfOccurrence')).toBe(probability)
  })

  it('writes a life cycle only for an event that has ended or is cancelled', () => {
    const lifeCycle = (differences: object) =>
      all(situationOf(differences).record, 'management/lifeCycleManagement')
        .flatMap(({ children }) => children)
        .map(({ name, text: value }) => `${name}=${value}`)
    expect(lifeCycle({ end: new Date('2026-06-01T11:30:00Z') })).toEqual(['end=true'])
    expect(lifeCycle({ cancelled: true, recorded: now })).toEqual(['cancel=true'])
    expect(lifeCycle({})).toEqual([])
  })

  it('leaves out an unknown end, and starts with the first state if the start is missing', () => {
    const { record } = situationOf({ start: null, firstRecorded: new Date('2026-05-02T00:00:00Z') })
    const [period] = all(record, 'validity/validityTimeSpecification')
    expect(period?.children.map(({ name, text: value }) => [name, value])).toEqual([
      ['overallStartTime', '2026-05-02T00:00:00.000Z'],
    ])
  })

  it('is urgent only at the highest severity', () => {
    const urgency = (severity: string) =>
      text(situationOf({ severity }).tree, 'headerInformation/urgency')
    expect([urgency('highest'), urgency('high')]).toEqual(['urgent', 'normalUrgency'])
  })
})

describe('datex fields of an event', () => {
  it('are written to the situation, header or record by their names alone', () => {
    const { tree, record, notes } = situationOf({
      datex: {
        type: 'SpeedManagement',
        overallSeverity: 'lowest',
        relatedSituation: [{ id: 'b-2', version: '1' }],
        urgency: 'extremelyUrgent',
        temporarySpeedLimit: 60,
        complianceOption: 'mandatory',
        cause: { type: 'NonManagedCause', causeType: 'poorWeather' },
        impact: { delays: { delayBand: 'betweenTenMinutesAndThirtyMinutes' } },
        forVehiclesWithCharacteristicsOf: {
          grossWeightCharacteristic: { comparisonOperator: 'greaterThan', grossVehicleWeight: 7.5 },
        },
      },
    })
    expect(notes).toEqual([])
    expect(text(tree, 'overallSeverity')).toBe('lowest')
    expect(all(tree, 'relatedSituation')[0]?.attributes['targetClass']).toBe('Situation')
    expect(text(tree, 'headerInformation/urgency')).toBe('extremelyUrgent')
    expect(record.attributes['type']).toBe('SpeedManagement')
    expect(text(record, 'temporarySpeedLimit')).toBe('60')
    expect(text(record, 'cause/causeType')).toBe('poorWeather')
    expect(text(record, '**/grossVehicleWeight')).toBe('7.5')
  })

  it('are merged into computed structures such as periods and carriageways', () => {
    const { record, notes } = situationOf({
      datex: {
        validity: {
          validityTimeSpecification: {
            validPeriod: {
              recurringTimePeriodOfDay: {
                type: 'TimePeriodByHour',
                startTimeOfPeriod: '22:00:00',
                endTimeOfPeriod: '06:00:00',
              },
              recurringDayWeekMonthPeriod: { applicableDay: ['saturday', 'sunday'] },
            },
          },
        },
        groupOfLocations: {
          supplementaryPositionalDescription: {
            affectedCarriagewayAndLanes: { carriageway: 'mainCarriageway', lane: ['rightLane'] },
          },
        },
      },
    })
    expect(notes).toEqual([])
    expect(text(record, 'validity/**/overallStartTime')).toBe('2026-05-10T22:00:00.000Z')
    expect(texts(record, 'validity/**/applicableDay')).toEqual(['saturday', 'sunday'])
    expect(text(record, '**/lane')).toBe('rightLane')
    expect(text(record, '**/latitude')).toBe('46.7459449772936')
  })

  it('that do not match the schema are reported, and the computed value is kept', () => {
    const { tree, record, notes } = situationOf({
      datex: {
        roadMaintenanceType: 'magic',
        overallSeverity: 'huge',
        validity: { validityTimeSpecification: { overallStartTime: 'some day' } },
        groupOfLocations: 7,
      },
    })
    expect(text(record, 'roadMaintenanceType')).toBe('roadworks')
    expect(text(tree, 'overallSeverity')).toBe('medium')
    expect(text(record, 'validity/**/overallStartTime')).toBe('2026-05-10T22:00:00.000Z')
    expect(text(record, '**/latitude')).toBe('46.7459449772936')
    expect(notes).toEqual(
      expect.arrayContaining([
        'roadMaintenanceType: magic cannot be a RoadMaintenanceTypeEnum.',
        'overallSeverity: huge cannot be a SeverityEnum.',
        'groupOfLocations: 7 cannot be a GroupOfLocations.',
      ]),
    )
  })

  it('inside of computed structures are taken one by one, and a location only with coordinates', () => {
    const end = new Date('2026-12-01T00:00:00Z')
    const { record, notes } = situationOf({
      end,
      datex: {
        groupOfLocations: { type: 'Linear' },
        source: { sourceType: 'police', sourceName: { de: 'Amt' }, reliable: null, sourceTyp: 'x' },
        validity: {
          validityTimeSpecification: { overallEndTime: '30.11.2026' },
          overrunning: true,
        },
      },
    })
    expect(text(record, '**/latitude')).toBe('46.7459449772936')
    expect(text(record, 'source/sourceType')).toBe('roadAuthorities')
    expect(texts(record, 'source/sourceName/values/value')).toEqual(['PROVINCE_BZ', 'Amt'])
    expect(text(record, 'source/reliable')).toBe('true')
    expect(text(record, 'validity/overrunning')).toBe('true')
    expect(text(record, 'validity/**/overallEndTime')).toBe(end.toISOString())
    expect(notes).toEqual(
      expect.arrayContaining([
        'datex.groupOfLocations has no coordinates, so it is not used.',
        'sourceType: police cannot be a SourceTypeEnum.',
        'sourceTyp is not a field of Source. Did you mean sourceType?',
        'overallEndTime: 30.11.2026 cannot be a DateTime.',
      ]),
    )
  })

  it('that do not exist or that follow from the event are reported', () => {
    const management = { lifeCycleManagement: { end: true } }
    const datex = { roadMaintenanceTyp: 'roadworks', version: '9', source: null, management }
    const { record, notes } = situationOf({ datex })
    expect(record.attributes['version']).toBe('1')
    expect(all(record, 'management')).toEqual([])
    expect(text(record, 'source/reliable')).toBe('true')
    expect(notes).toEqual([
      'datex.roadMaintenanceTyp is not a field of Situation, HeaderInformation, MaintenanceWorks. Did you mean roadMaintenanceType?',
      'datex.version follows from the event and cannot be set.',
      'datex.management follows from the event and cannot be set.',
    ])
  })
})

describe('toCandidate', () => {
  const judge = (differences: object) =>
    toCandidate(anEvent(differences), now.getTime(), () => undefined)

  it('leaves out an event without a position or a valid time', () => {
    expect(judge({ geometry: null })).toBe('position')
    expect(judge({ recorded: new Date(Number.NaN) })).toBe('time')
  })

  it('does not count a past event without a position', () => {
    expect(judge({ geometry: null, end: new Date('2026-05-20T00:00:00Z') })).toBeUndefined()
  })
})
