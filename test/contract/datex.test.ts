import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Position } from 'geojson'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSchema } from '../../scripts/datex-schema.ts'
import printed from '../../src/datex/schema-2.json' with { type: 'json' }
import { recordTypes, version2 } from '../../src/datex/index.ts'
import { fuzzDatex } from '../fuzz/datex.ts'
import { anEvent, supplier } from './datex/an-event.ts'
import { toPublication } from '../../src/traffic/index.ts'
import { tagTypes } from '../../src/traffic/classify.ts'
import { all, readXml, text, texts } from './datex/xml-tree.ts'
import type { Tree } from './datex/xml-tree.ts'
import type { MobilityEvent } from '../../src/timeseries/index.ts'
import { readAnnouncements } from './datex/read-announcements.ts'
import { anyEvent, plainEvent } from './datex/arbitrary-events.ts'
import { everything, membersOf, readTypes } from './datex/schema-facts.ts'
import type { SchemaMember } from './datex/schema-facts.ts'

const shared = new URL('../../../shared/', import.meta.url)
const schemaFile = new URL('conformance/datex/DATEXIISchema_2_2_3.xsd', shared)
const eventFolder = new URL('data/timeseries/events/', shared)
const noSchema = !existsSync(schemaFile)
const noEvents = !existsSync(eventFolder)
const unless = (absent: boolean, name: string) => (absent ? `${name} [left out: ../shared is absent]` : name)

const now = new Date('2026-06-01T12:00:00Z')
const publish = (events: readonly MobilityEvent[]) => toPublication(events, { supplier, now })
const situationsOf = (xml: string) => all(readXml(xml), 'payloadPublication/situation')

function recordOf(situation: Tree | undefined): Tree {
  const [record] = situation === undefined ? [] : all(situation, 'situationRecord')
  if (record === undefined) throw new Error('There is no such situation.')
  return record
}

/** The part of a schema member on which tables and schema must agree. */
const toFact = ({ name, type, min, max }: SchemaMember) => ({ name, type, min, max })

/** Asserts every fact that a reader must be able to extract from the feed. */
function assertSays(situation: Tree | undefined, event: MobilityEvent) {
  const record = recordOf(situation)
  const identity = { id: event.series, version: String(event.version) }
  expect(situation?.attributes).toEqual(identity)
  expect(record.attributes).toMatchObject(identity)
  if (event.datex !== null) expect(record.attributes['xsi:type']).toBe(event.datex['type'])
  expect(text(record, 'situationRecordVersionTime')).toBe(event.recorded.toISOString())
  expect(text(record, 'situationRecordCreationTime')).toBe(event.firstRecorded.toISOString())
  expect(text(record, 'validity/**/overallStartTime')).toBe(event.start?.toISOString())
  expect(text(record, 'validity/**/overallEndTime')).toBe(event.end?.toISOString())
  assertLies(record, event)
  for (const language of new Set([...Object.keys(event.title), ...Object.keys(event.text)])) {
    const values = all(record, 'generalPublicComment/comment/values/value')
    const said = values.filter(({ attributes }) => attributes['lang'] === language)
    // A full stop separates title and text, unless the title has its own or there is only one of
    // the two.
    const [title = '', words = ''] = [event.title[language], event.text[language]]
    const expected = [' ', '. '].map((between) => `${title}${between}${words}`.trim())
    expect(expected).toContain(said.map((value) => value.text).join(''))
  }
}

/** Asserts that every position of a point or line is present, in order and in full precision. */
function assertLies(record: Tree, { geometry }: MobilityEvent) {
  const positions: readonly Position[] =
    geometry?.type === 'Point' ? [geometry.coordinates] : geometry?.type === 'LineString' ? geometry.coordinates : []
  const moved = positions.filter((here, index) => String(here) !== String(positions[index - 1]))
  const written = all(record, 'groupOfLocations/**/pointCoordinates')
  expect(written.map((point) => [Number(text(point, 'longitude')), Number(text(point, 'latitude'))])).toEqual(moved)
}

describe.skipIf(noSchema)(unless(noSchema, 'validity against the DATEX II schema'), () => {
  let validator: XsdValidator
  let xsd: XmlDocument
  const xsdText = noSchema ? '' : readFileSync(schemaFile, 'utf8')

  beforeAll(() => {
    xsd = XmlDocument.fromString(xsdText)
    validator = XsdValidator.fromDoc(xsd)
  })
  afterAll(() => {
    validator.dispose()
    xsd.dispose()
  })

  /** Throws with the line and reason of the first error. */
  function assertValid(xml: string) {
    const document = XmlDocument.fromString(xml)
    try {
      validator.validate(document)
    } finally {
      document.dispose()
    }
  }

  it('is actually checked: a wrong order of elements is rejected', () => {
    const { xml } = publish([anEvent()])
    expect(() => assertValid(xml.replace('<feedType>situation-publication</feedType>', ''))).not.toThrow()
    const swapped = xml.replace(/(<validityStatus>.*<\/validityStatus>)(<validityTime.*<\/validityTimeSpecification>)/, '$2$1')
    expect(swapped).not.toBe(xml)
    expect(() => assertValid(swapped)).toThrow()
  })

  it('tables and schema agree on fields, their order, type and number', () => {
    const schema = readTypes(xsdText)
    for (const type of version2.types.values()) {
      const expected = membersOf(type.name, schema)
      const names = type.members.map(({ name }) => name)
      const inOrder = expected.filter(({ name }) => names.includes(name))
      expect.soft(type.members.map(toFact), type.name).toEqual(inOrder.map(toFact))
      const missing = expected.filter(({ name, min }) => min > 0 && !names.includes(name))
      expect.soft(missing, `${type.name} lacks required members`).toEqual([])
      expect.soft(type.abstract, type.name).toBe(schema.get(type.name)?.abstract)
    }
    expect(readSchema(xsdText)).toEqual(printed)
  })

  it.each(Object.keys(recordTypes))('%s is selected by datex.type and valid on its own', (type) => {
    const { xml, notes } = publish([anEvent({ tags: [], start: now, datex: { type } })])
    assertValid(xml)
    expect(notes).toEqual([])
    expect(recordOf(situationsOf(xml)[0]).attributes['xsi:type']).toBe(type)
  })

  it.each(Object.keys(recordTypes))('%s is valid with every field that it supports', (type) => {
    const { id: _id, version: _version, ...members } = everything(type)
    const datex = { type, ...members }
    const { xml, notes } = publish([anEvent({ tags: [], start: now, datex })])
    assertValid(xml)
    expect(notes).toEqual([])
    const written = new Set(recordOf(situationsOf(xml)[0]).children.map(({ name }) => name))
    const absent = version2.types.get(type)?.members.filter(({ name }) => !written.has(name))
    expect(absent?.map(({ name }) => name)).toEqual(['management'])
  })

  it.each([...tagTypes])('the tag %s becomes a valid record', (tag, kind) => {
    const { xml } = publish([anEvent({ tags: [`traffic-event:${tag}`], start: now })])
    assertValid(xml)
    const [situation] = situationsOf(xml)
    const record = recordOf(situation)
    expect(record.attributes['xsi:type']).toBe(kind.type)
    expect(situation && text(situation, 'overallSeverity')).toBe(kind.severity)
    for (const [name, value] of Object.entries(kind.members)) expect(texts(record, name)).toEqual([value])
  })

  it('holds for arbitrary events', () => {
    let written = 0
    fc.assert(
      fc.property(fc.array(anyEvent(), { minLength: 1, maxLength: 10 }), (events) => {
        const { xml, situations } = publish(events)
        assertValid(xml)
        expect(situationsOf(xml)).toHaveLength(situations)
        written += situations
      }),
      { numRuns: 60 },
    )
    expect(written, 'situations in about 300 events').toBeGreaterThan(60)
  })

  it('holds for 2,000 random events', { timeout: 120_000 }, () => {
    fuzzDatex(2000)
  })
})

describe('reading back', () => {
  it('finds each event with id, type, times, position and every language', () => {
    fc.assert(
      fc.property(fc.uniqueArray(plainEvent(), { maxLength: 10, selector: ({ series }) => series }), (events) => {
        const { xml } = publish(events)
        const byId = new Map(situationsOf(xml).map((tree) => [tree.attributes['id'], tree]))
        expect([...byId.keys()].sort()).toEqual(events.map(({ series }) => series).sort())
        for (const event of events) assertSays(byId.get(event.series), event)
      }),
      { numRuns: 100 },
    )
  })

  it('keeps the twelve categories of the public system unchanged (reference 2.5)', () => {
    const types = (tag: string) => {
      const { xml } = publish([anEvent({ tags: [`traffic-event:${tag}`], start: now })])
      const [situation] = situationsOf(xml)
      const { attributes, children } = recordOf(situation)
      const specific = children.slice(children.findIndex(({ name }) => name === 'groupOfLocations') + 1)
      return [attributes['xsi:type'], ...specific.map((child) => child.text), situation && text(situation, 'overallSeverity')]
    }
    const lanes = 'RoadOrCarriagewayOrLaneManagement'
    expect(types('congestion')).toEqual(['AbnormalTraffic', 'slowTraffic', 'high'])
    expect(types('accident')).toEqual(['Accident', 'accident', 'high'])
    expect(types('animal-on-road')).toEqual(['AnimalPresenceObstruction', 'animalsOnTheRoad', 'high'])
    expect(types('caution')).toEqual([lanes, 'mandatory', 'other', 'medium'])
    expect(types('road-work')).toEqual(['MaintenanceWorks', 'roadworks', 'medium'])
    expect(types('weather-related')).toEqual(['PoorEnvironmentConditions', 'fog', 'high'])
    expect(types('event')).toEqual(['PublicEvent', 'majorEvent', 'medium'])
    expect(types('prohibition')).toEqual([lanes, 'mandatory', 'other', 'high'])
    expect(types('closure')).toEqual([lanes, 'mandatory', 'roadClosed', 'high'])
    expect(types('hindrance')).toEqual([lanes, 'mandatory', 'singleAlternateLineTraffic', 'medium'])
    expect(types('speed-camera')).toEqual(['SpeedManagement', 'mandatory', 'policeSpeedChecksInOperation', 'low'])
    expect(types('road-condition')).toEqual(['WinterDrivingManagement', 'mandatory', 'winterEquipmentOnBoardRequired', 'medium'])
  })
})

const sampleTime = new Date('2026-01-20T12:00:00Z')

describe.skipIf(noEvents)(unless(noEvents, 'real events'), () => {
  it.each(['province-bz-traffic-out.json', 'a22-opendata-out.json', 'a22-events-announcements-out.json', 'a22-brennerlec-out.json'])(
    '%s: every announcement with a position is in the feed with all its details',
    (file) => {
      const events = readAnnouncements(new URL(file, eventFolder))
      expect(events.length).toBeGreaterThan(0)
      const { xml, leftOut, notes } = toPublication(events, { supplier, now: sampleTime })
      expect(leftOut.time).toBe(0)
      expect(notes).toEqual([])
      const byId = new Map(situationsOf(xml).map((tree) => [tree.attributes['id'], tree]))
      const due = events.filter(({ end, geometry }) => geometry !== null && (end === null || end > sampleTime))
      for (const event of due) assertSays(byId.get(event.series), event)
    },
  )
})
