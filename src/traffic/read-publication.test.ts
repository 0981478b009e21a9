import fc from 'fast-check'
import type { Geometry } from 'geojson'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { plainEvent } from '../../test/contract/datex/arbitrary-events.ts'
import { everything } from '../../test/contract/datex/schema-facts.ts'
import { describeWithSharedData, sharedPath } from '../../test/fixtures/shared-data.ts'
import { parseXml } from '../push/index.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import { recordTypes } from '../datex/index.ts'
import { toPublication } from './publication.ts'
import { readPublication } from './read-publication.ts'
import type { ReadSituation } from './read-publication.ts'

const now = new Date('2026-06-01T12:00:00Z')
const publish = (events: readonly MobilityEvent[]) => toPublication(events, { supplier, now }).xml
const read = (xml: string) => readPublication(parseXml(xml, 100))

const isGeometry = (value: unknown): value is Geometry => value !== null && value !== undefined

/** Returns the event that a push of a situation creates. */
function toEvent({ id, item }: ReadSituation): MobilityEvent {
  const { start, end, datex } = item
  return anEvent({
    ...{ series: id, name: item.name ?? '', description: item.description ?? null },
    ...{ severity: item.severity ?? null, cancelled: item.cancelled ?? false, tags: [] },
    ...{ title: item.title ?? {}, text: item.text ?? {}, datex: datex ?? null },
    start: start === null || start === undefined ? null : new Date(start),
    end: end === null || end === undefined ? null : new Date(end),
    geometry: isGeometry(item.geometry) ? item.geometry : null,
    locationDescription: item.locationDescription ?? null,
  })
}

/** Removes versions and their times, which each hub assigns anew. */
const withoutVersions = (xml: string) =>
  xml
    .replaceAll(/ version="\d+"/g, '')
    .replaceAll(
      /<(situationVersionTime|situationRecord\w*Time|commentDateTime|publicationTime)>[^<]*<\/\1>/g,
      '',
    )

/** Compares element by element, for readable differences. */
const assertSame = (after: string, before: string) => {
  expect(withoutVersions(after).split('<')).toEqual(withoutVersions(before).split('<'))
}

const again = (xml: string) => publish(read(xml).situations.map(toEvent))

describe('readPublication', () => {
  it('reads an event as it was pushed', () => {
    const xml = publish([anEvent({ end: new Date('2026-07-01T00:00:00Z'), severity: 'high' })])
    const { publicationTime, supplier: origin, situations } = read(xml)
    expect([publicationTime.toISOString(), origin]).toEqual([
      '2026-05-10T22:05:00.123Z',
      'PROVINCE_BZ',
    ])
    expect(situations).toHaveLength(1)
    expect(situations[0]).toMatchObject({
      id: anEvent().series,
      ...{ versionTime: '2026-05-10T22:05:00.123Z', isForwarded: false, phase: 'live' },
      item: {
        ...{ series: anEvent().series, name: '4711', severity: 'high' },
        ...{ start: '2026-05-10T22:00:00.000Z', end: '2026-07-01T00:00:00.000Z' },
        title: { de: 'Baustelle. Nördlich von Vahrn.', it: 'Cantiere. A nord di Varna.' },
        geometry: anEvent().geometry,
        datex: { type: 'MaintenanceWorks', roadMaintenanceType: ['roadworks'] },
      },
    })
  })

  it.each(Object.keys(recordTypes))('keeps every field of %s', (type) => {
    const { id: _id, version: _version, validity: _validity, ...members } = everything(type)
    const xml = publish([anEvent({ tags: [], datex: { type, ...members } })])
    assertSame(again(xml), xml)
  })

  it('reads namespace prefixes, lines and Alert-C locations', () => {
    const { situations } = read(foreign)
    expect(situations.map(({ id, phase, item }) => [id, phase, item.geometry])).toEqual([
      ['r1', 'live', { type: 'Point', coordinates: [11.5, 46.5] }],
      ['r2', 'ended', { type: 'LineString', coordinates: [[11, 46], [12, 47]] }], // oxfmt-ignore
    ])
    expect(situations[0]?.item).toMatchObject({
      ...{ name: 'r1', title: { de: 'Stau' }, description: 'No language' },
      datex: { type: 'AbnormalTraffic', abnormalTrafficType: 'queuingTraffic' },
    })
    // It ended, although the period does not state when.
    expect(situations[1]?.item.end).toBe('2026-06-01T10:00:00.000Z')
  })

  it('reads times without a zone as UTC, wherever it runs', () => {
    vi.stubEnv('TZ', 'America/New_York')
    const { publicationTime, situations } = read(foreign.replaceAll('+02:00', ''))
    vi.unstubAllEnvs()
    expect(publicationTime.toISOString()).toBe('2026-06-01T12:00:00.000Z')
    expect(situations[0]).toMatchObject({
      versionTime: '2026-06-01T11:00:00.000Z',
      item: { start: '2026-06-01T11:00:00.000Z' },
    })
  })

  it('reads 1 as true, which XML Schema allows', () => {
    const flagged = (flag: string, value: string) =>
      foreign
        .replaceAll(/(<\/?d2:)end>/g, `$1${flag}>`)
        .replace(`${flag}>true<`, `${flag}>${value}<`)
    const phases = (xml: string) => read(xml).situations.map(({ phase }) => phase)
    expect(phases(flagged('end', '1'))).toEqual(['live', 'ended'])
    expect(phases(flagged('cancel', '1'))).toEqual(['live', 'cancelled'])
    expect(phases(flagged('cancel', '0'))).toEqual(['live', 'live'])
  })

  it.each([
    ['<d2:payload xmlns:d2="x" xsi:type="SituationPublication"/>', 'found payload'],
    ['<d2LogicalModel/>', 'found d2LogicalModel'],
    [publish([]).replace(/<publicationTime>[^<]*/, '<publicationTime>'), 'publicationTime'],
  ])('refuses %s', (xml, words) => {
    expect(() => read(xml)).toThrow(words)
  })

  it('keeps any document the same when it is read and published again', () => {
    const distinct = { maxLength: 5, selector: ({ series }: MobilityEvent) => series }
    fc.assert(
      fc.property(fc.uniqueArray(plainEvent(), distinct), (events) => {
        const xml = publish(events.map(inKnownLanguages))
        assertSame(again(xml), xml)
      }),
      { numRuns: 200 },
    )
  })
})

describeWithSharedData('the sample of the organisation that publishes DATEX II', () => {
  const sample = sharedPath('conformance/datex/sample-situation-publication.xml')

  it('keeps its live situations when it is published again', () => {
    const { situations } = read(readFileSync(sample, 'utf8'))
    expect(situations.length).toBeGreaterThan(0)
    // Soon enough: without an end, kinds such as fog leave a feed after a day.
    const when = new Date('2031-01-02T12:00:00Z')
    const { xml, leftOut } = toPublication(situations.map(toEvent), { supplier, now: when })
    const live = situations.filter(({ phase }) => phase === 'live').map(({ id }) => id)
    expect(leftOut).toEqual({ position: 0, time: 0 })
    const found = read(xml).situations
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(live))
    for (const { id, item } of found)
      expect(item.datex).toMatchObject({
        type: situations.find((one) => one.id === id)?.item.datex?.['type'],
      })
  })
})

/** Removes regional languages, which a push does not support. */
function inKnownLanguages({ title, text, ...event }: MobilityEvent): MobilityEvent {
  const { 'de-AT': _title, ...titles } = title
  const { 'de-AT': _text, ...texts } = text
  return { ...event, title: titles, text: texts }
}

/** A document as another publisher writes it: prefixes, two records in a situation, Alert-C. */
const foreign = `<?xml version="1.0"?>
<d2:d2LogicalModel xmlns:d2="http://datex2.eu/schema/2/2_0" xmlns:x="http://www.w3.org/2001/XMLSchema-instance">
 <d2:payloadPublication x:type="d2:SituationPublication" lang="de">
  <d2:publicationTime>2026-06-01T12:00:00+02:00</d2:publicationTime>
  <d2:situation id="s" version="1">
   <d2:situationRecord x:type="d2:AbnormalTraffic" id="r1" version="1">
    <d2:situationRecordVersionTime>2026-06-01T11:00:00+02:00</d2:situationRecordVersionTime>
    <d2:validity><d2:validityTimeSpecification>
     <d2:overallStartTime>2026-06-01T11:00:00+02:00</d2:overallStartTime>
    </d2:validityTimeSpecification></d2:validity>
    <d2:generalPublicComment><d2:comment><d2:values>
     <d2:value lang="de">Stau</d2:value><d2:value>No language</d2:value>
    </d2:values></d2:comment></d2:generalPublicComment>
    <d2:groupOfLocations x:type="d2:Point">
     <d2:locationForDisplay><d2:latitude>46.5</d2:latitude><d2:longitude>11.5</d2:longitude></d2:locationForDisplay>
     <d2:alertCPoint><d2:alertCLocationCountryCode>1</d2:alertCLocationCountryCode></d2:alertCPoint>
    </d2:groupOfLocations>
    <d2:abnormalTrafficType>queuingTraffic</d2:abnormalTrafficType>
   </d2:situationRecord>
   <d2:situationRecord x:type="d2:MaintenanceWorks" id="r2" version="1">
    <d2:groupOfLocations x:type="d2:Linear"><d2:tpegLinearLocation>
     <d2:to><d2:pointCoordinates><d2:latitude>46</d2:latitude><d2:longitude>11</d2:longitude></d2:pointCoordinates></d2:to>
     <d2:from><d2:pointCoordinates><d2:latitude>47</d2:latitude><d2:longitude>12</d2:longitude></d2:pointCoordinates></d2:from>
    </d2:tpegLinearLocation></d2:groupOfLocations>
    <d2:management><d2:lifeCycleManagement><d2:end>true</d2:end></d2:lifeCycleManagement></d2:management>
   </d2:situationRecord>
  </d2:situation>
 </d2:payloadPublication>
</d2:d2LogicalModel>`
