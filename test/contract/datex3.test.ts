import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSchema3 } from '../../scripts/datex-schema.ts'
import { fieldsOf, objectsOf } from '../../src/lang/json.ts'
import type { Members } from '../../src/lang/json.ts'
import type { CurrentStation } from '../../src/timeseries/index.ts'
import { readShared } from '../fixtures/shared-data.ts'
import { recordTypes, toElement, toXml, version3 } from '../../src/datex/index.ts'
import printed from '../../src/datex/schema-3.json' with { type: 'json' }
import { atOnce } from '../../src/async/index.ts'
import { document3Steps } from '../../src/traffic/feed-document.ts'
import { toPublication } from '../../src/traffic/index.ts'
import { buildExit, exits, fuzzDatex3Events, fuzzDatex3Stations } from '../fuzz/datex3.ts'
import { assertValidDatex3, datex3Folder, hasDatex3Schema } from '../fixtures/datex3-schema.ts'
import { anEvent, supplier } from './datex/an-event.ts'
import { aStation, current } from './datex/a-station.ts'
import { everything3 } from './datex/everything-3.ts'
import { everything } from './datex/schema-facts.ts'

/** Reads stations from a response of the public system. */
function readStations(path: string): readonly CurrentStation[] {
  const byType = objectIn(objectIn(readShared(path), 'data'))
  return Object.entries(byType).flatMap(([type, of]) =>
    Object.values(objectIn(of, 'stations')).map((found) => toStation(type, fieldsOf(found))),
  )
}

function objectIn(value: unknown, field?: string): Members {
  return fieldsOf(field === undefined ? value : fieldsOf(value)[field])
}

function toStation(type: string, { scode, sname, sorigin, scoordinate, smetadata, sdatatypes }: Members): CurrentStation {
  const { x, y } = fieldsOf(scoordinate)
  const values = Object.entries(fieldsOf(sdatatypes)).map(([name, of]) => {
    const [latest] = objectsOf(fieldsOf(of)['tmeasurements'])
    return [name, latest?.['mvalue']] as const
  })
  return aStation({
    type,
    code: String(scode),
    name: String(sname),
    origin: String(sorigin),
    position: { longitude: Number(x), latitude: Number(y) },
    metadata: fieldsOf(smetadata),
    values: Object.fromEntries(values),
  })
}

const title = 'DATEX II v3 against its schemas'
const publications = Object.keys(printed.types).filter((name) => /Publication$/.test(name) && name !== 'com:PayloadPublication')

describe.skipIf(!hasDatex3Schema)(
  hasDatex3Schema ? title : `${title} [left out: ../shared is absent]`,
  () => {
    const toPayload = (value: object) => {
      const notes: string[] = []
      const slot = { name: 'payload', element: 'd2:payload', type: 'com:PayloadPublication' }
      const element = toElement(slot, value, { model: version3, note: (note) => notes.push(note) })
      const declared = Object.entries(version3.namespaces ?? {}).map(([prefix, name]) => [`xmlns:${prefix}`, name])
      const attributes = {
        ...Object.fromEntries(declared),
        'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
        ...element?.attributes,
      }
      return { xml: element === undefined ? '' : toXml({ ...element, attributes }), notes }
    }

    it('has tables that match the output of the script', () => {
      const files = readdirSync(datex3Folder).sort().map((name) => readFileSync(join(datex3Folder, name), 'utf8'))
      expect(readSchema3(files)).toEqual(printed)
    })

    it('names only types that can be written', () => {
      const members = [...version3.types.values()].flatMap((type) => type.members)
      const unknown = members.filter(
        ({ type }) => !version3.types.has(type) && !version3.converterOf(type) && type !== version3.texts,
      )
      expect(unknown).toEqual([])
    })

    it.each(publications)('%s is valid with every element that the tables contain', (type) => {
      for (const choice of [0, 1, 2, 3, 4, 5]) {
        const { xml, notes } = toPayload({ 'xsi:type': type, ...everything3(type, choice) })
        expect(notes).toEqual([])
        assertValidDatex3(xml)
      }
    })

    it('is actually checked: a wrong order of elements is rejected', () => {
      const [exit] = exits
      const built = exit && buildExit(exit, current(aStation({ metadata: { capacity: 1 } })))
      const [xml = ''] = [...(built?.documents ?? [])].filter(([key]) => key.endsWith('#xml')).map(([, { body }]) => body)
      assertValidDatex3(xml)
      const swapped = xml.replace(/(<loc:latitude>[^<]*<\/loc:latitude>)(<loc:longitude>[^<]*<\/loc:longitude>)/, '$2$1')
      expect(swapped).not.toBe(xml)
      expect(() => {
        assertValidDatex3(swapped)
      }).toThrow()
    })

    it.each(Object.keys(recordTypes))('%s of v2 is valid with every supported field', (type) => {
      const { id: _id, version: _version, ...members } = everything(type)
      const now = new Date('2026-06-01T12:00:00Z')
      const event = anEvent({ tags: [], start: now, datex: { type, ...members } })
      const { xml } = atOnce(document3Steps(toPublication([event], { supplier, now }), supplier))
      assertValidDatex3(xml)
      expect(xml.split('<sit:situationRecord ')).toHaveLength(2)
    })

    it('is valid for real charging stations and car parks', () => {
      const stations = [
        ...readStations('data/timeseries/echarging/tree-EChargingStation-number-available-latest.json'),
        ...readStations('data/timeseries/parking/tree-ParkingStation-latest-1.json'),
      ]
      const built = exits.map((exit) => buildExit(exit, current(...stations)))
      for (const { documents } of built) {
        for (const [key, { body }] of documents) if (key.endsWith('#xml')) assertValidDatex3(body)
      }
      // Eight of the 200 stations state no capacity, and have no plugs there.
      expect(built.map(({ published, leftOut }) => [published, leftOut.length])).toEqual([
        [192, 8],
        [192, 8],
        [1, 0],
        [1, 0],
      ])
    })

    it('is valid for 1,000 random events', { timeout: 120_000 }, () => {
      expect(fuzzDatex3Events(1000)).toBeGreaterThan(200)
    })

    it('is valid for 1,000 random stations', { timeout: 120_000 }, () => {
      expect(fuzzDatex3Stations(1000)).toBeGreaterThan(300)
    })
  },
)
