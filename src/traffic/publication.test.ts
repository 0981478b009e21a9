import { describe, expect, it } from 'vitest'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { toPublication } from './publication.ts'
import { all, readXml, text, texts } from '../../test/contract/datex/xml-tree.ts'

const at = (time: string) => new Date(`2026-06-01T${time}:00Z`)
const told = { recorded: at('08:00'), firstRecorded: at('08:00'), start: at('08:00') }

describe('toPublication', () => {
  it('writes the frame that the interface requires', () => {
    const root = readXml(toPublication([anEvent()], { supplier, now: at('12:00') }).xml)
    expect(root.name).toBe('d2LogicalModel')
    expect(root.attributes).toEqual({
      xmlns: 'http://datex2.eu/schema/2/2_0',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      modelBaseVersion: '2',
    })
    const [payload] = all(root, 'payloadPublication')
    expect(payload?.attributes).toEqual({ 'xsi:type': 'SituationPublication', lang: 'it' })
    expect(text(root, 'exchange/supplierIdentification/nationalIdentifier')).toBe('PROVINCE_BZ')
    expect(text(root, 'payloadPublication/publicationCreator/country')).toBe('it')
  })

  it('orders situations by id and keeps the newest state of each series', () => {
    const events = [
      anEvent({ series: 'b', version: 2, name: 'new' }),
      anEvent({ series: 'c' }),
      anEvent({ series: 'a' }),
      anEvent({ series: 'b', version: 1, name: 'old' }),
    ]
    const { xml, situations } = toPublication(events, { supplier, now: at('12:00') })
    const written = all(readXml(xml), 'payloadPublication/situation')
    expect(written.map(({ attributes }) => attributes['id'])).toEqual(['a', 'b', 'c'])
    expect(texts(readXml(xml), '**/situationRecordCreationReference')).toContain('new')
    expect(situations).toBe(3)
  })

  it('treats ids as equal if they are equal in XML', () => {
    const events = [anEvent({ series: 'a\u0001' }), anEvent({ series: 'a\u0002', version: 2 })]
    expect(toPublication(events, { supplier, now: at('12:00') }).situations).toBe(1)
  })

  it('writes the same bytes for any order of events and any time between boundaries', () => {
    const events = ['a', 'b', 'c'].map((series) => anEvent({ series, ...told, end: at('18:00') }))
    const first = toPublication(events, { supplier, now: at('12:00') })
    const second = toPublication([...events].reverse(), { supplier, now: at('17:59') })
    expect(second.xml).toBe(first.xml)
  })

  it('uses the newest change as the publication time, not the clock', () => {
    const event = anEvent({ ...told, start: at('10:00'), end: at('12:00') })
    const dated = (time: string) =>
      toPublication([event], { supplier, now: at(time) })
        .publicationTime.toISOString()
        .slice(11, 16)
    expect(['09:00', '10:00', '11:59', '12:30', '15:00'].map(dated)).toEqual([
      '08:00',
      '10:00',
      '10:00',
      '12:00',
      '13:00',
    ])
  })

  it('dates changed content after the previous document, for any times of its events', () => {
    const gone = anEvent({ series: 'gone', recorded: at('11:00') })
    const previous = toPublication([anEvent(told), gone], { supplier, now: at('12:00') })
    const without = (time: string) =>
      toPublication([anEvent(told)], { supplier, now: at(time), previous }).publicationTime
    expect(previous.publicationTime).toEqual(at('11:00'))
    expect(without('12:30')).toEqual(at('12:30'))
    // The clock went back.
    expect(without('10:00').toISOString()).toBe('2026-06-01T11:00:00.001Z')
    const late = anEvent({ series: 'late', ...told, recorded: at('10:59') })
    const withLate = [anEvent(told), gone, late]
    const next = toPublication(withLate, { supplier, now: at('12:30'), previous })
    expect(next.publicationTime).toEqual(at('12:30'))
  })

  it('ignores the times of events that it leaves out', () => {
    const [nowhere, past] = [
      anEvent({ series: 'nowhere', geometry: null, recorded: at('11:00') }),
      anEvent({ series: 'past', recorded: at('11:30'), end: at('09:00') }),
    ]
    const before = toPublication([anEvent(told)], { supplier, now: at('12:00') })
    for (const context of [{}, { previous: before }]) {
      const given = { supplier, now: at('12:00'), ...context }
      expect(toPublication([anEvent(told), nowhere, past], given).xml).toBe(before.xml)
    }
  })

  it('writes the same after a change with and without the previous document', () => {
    const events = ['a', 'b', 'c', 'd'].map((series) =>
      anEvent({ ...told, series, end: at('18:00'), datex: { speed: 50 } }),
    )
    const previous = toPublication(events, { supplier, now: at('12:00') })
    const changed = events.map((event, index) =>
      index === 1 ? { ...event, name: 'other', recorded: at('12:30') } : event,
    )
    for (const time of ['13:00', '18:30', '20:00']) {
      const now = at(time)
      const { xml, notes, leftOut } = toPublication(changed, { supplier, now, previous })
      expect({ xml, notes, leftOut }).toEqual(
        (({ xml, notes, leftOut }) => ({ xml, notes, leftOut }))(
          toPublication(changed, { supplier, now }),
        ),
      )
    }
  })

  it('returns the time at which it will change without new events', () => {
    const events = [
      anEvent({ ...told, series: 'a', end: at('18:00') }),
      anEvent({ ...told, series: 'b', start: at('16:00') }),
    ]
    const next = (time: string) => toPublication(events, { supplier, now: at(time) }).nextBoundary
    expect(next('12:00')).toEqual(at('16:00'))
    expect(next('16:00')).toEqual(at('18:00'))
    expect(next('18:00')).toEqual(at('19:00'))
    expect(next('19:00')).toBeUndefined()
  })

  it('counts the events that it leaves out, and reports fields that it cannot write', () => {
    const events = [
      anEvent({ series: 'a', geometry: null }),
      anEvent({ series: 'b', geometry: { type: 'Point', coordinates: [0, 0] } }),
      anEvent({ series: 'c', datex: { speed: 50 } }),
    ]
    const { leftOut, situations, notes, xml } = toPublication(events, {
      supplier,
      now: at('12:00'),
    })
    expect(leftOut).toEqual({ position: 2, time: 0 })
    expect(situations).toBe(1)
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('c: datex.speed is not a field of')
    expect(texts(readXml(xml), '**/latitude')).not.toContain('0')
  })

  it('is a complete document even without events', () => {
    const { xml, nextBoundary } = toPublication([], { supplier, now: at('12:00') })
    expect(all(readXml(xml), 'payloadPublication/situation')).toEqual([])
    expect(nextBoundary).toBeUndefined()
  })

  it('refuses a country that DATEX II does not define', () => {
    const elsewhere = { ...supplier, country: 'atlantis' }
    expect(() => toPublication([], { supplier: elsewhere, now: at('12:00') })).toThrow('atlantis')
  })
})
