import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { describeWithSharedData, sharedPath } from '../../../test/fixtures/shared-data.ts'
import { silentLog } from '../../../test/fixtures/silent-log.ts'
import { entitiesOf, toNaming } from '../../content/index.ts'
import { canonicalKinds, canonicalPipeline } from '../canonical/pipeline.ts'
import { tryOut } from '../try-out.ts'
import { loadMappings } from './definition/load-mappings.ts'
import type { LoadedMapping } from './definition/definition.ts'
import { mappingsOf } from './mappings.ts'
import { previewer } from './preview.ts'
import type { Previewer } from './preview.ts'

const folder = fileURLToPath(new URL('../../../mappings/', import.meta.url))

type Payload = {
  readonly mapping: string
  readonly file: string
  /** Expected number of items by canonical kind. */
  readonly items: Readonly<Record<string, number>>
  /** Some of the items, by the fields that show whether they were understood. */
  readonly samples: readonly unknown[]
}

const payloads: readonly Payload[] = [
  {
    mapping: 'parking-famas',
    file: 'push/famas-occupancyresponse.xml',
    items: { stations: 1, measurements: 2 },
    samples: [
      expect.objectContaining({ code: '105', name: 'P5 - Laurin', available: true }),
      ['105', 'free', '2025-12-10T10:34:00.000Z', 54],
      ['105', 'occupied', '2025-12-10T10:34:00.000Z', 41],
    ],
  },
  {
    mapping: 'car-parks-csv',
    file: 'timeseries/parking/stations-skidata.csv',
    items: { stations: 65 },
    samples: [
      expect.objectContaining({
        code: '0607440_1',
        name: 'Parcheggio Priel',
        coordinate: [11.6570903904947, 46.7205684127695],
        parent: { type: 'ParkingFacility', code: '0607440' },
        metadata: expect.objectContaining({ name_de: 'Parkplatz Priel' }),
      }),
    ],
  },
  {
    mapping: 'parking-sensors-mqtt',
    file: 'timeseries/parking/mqtt-in-onstreet-merano.json',
    items: { stations: 1, measurements: 2 },
    samples: [
      expect.objectContaining({ name: 'Ospedale 7 (Sensor 20)' }),
      ['0bd4106a-ae26-4284-ae05-ff19ae202749', 'free', '2025-12-02T08:13:24.597Z', 1],
    ],
  },
  {
    mapping: 'bike-counters',
    file: 'timeseries/bikecounter/ecocounter-in.json',
    // 19 sites with 89 flows; 201 of 5,031 hours have no count.
    items: { stations: 108, measurements: 4830 },
    samples: [
      expect.objectContaining({
        code: 'urn:bikecounter:ecocounter:100024999:103024999',
        name: 'Sterzing / Vipiteno - Sterzing Radweg Richtung Brixen',
        parent: { type: 'BikeCounter', code: 'urn:bikecounter:ecocounter:100024999' },
      }),
      [
        'urn:bikecounter:ecocounter:100024999:101024999',
        'count-people',
        '2026-01-09T10:00:00.000Z',
        2,
      ],
    ],
  },
  {
    mapping: 'weather-stations',
    file: 'timeseries/weather/tn-meteostations.xml',
    items: { stations: 208 },
    samples: [
      expect.objectContaining({
        code: 'T0154',
        name: 'Ala (Convento)',
        coordinate: [10.999871, 45.757117],
        active: false,
        metadata: expect.objectContaining({ elevation: 165, until: '2005-06-22' }),
      }),
    ],
  },
  {
    mapping: 'weather-values',
    file: 'timeseries/weather/tn-measurements.xml',
    // Temperature, precipitation, radiation and humidity 137 times, speed and direction of the wind
    // 125 times.
    items: { stations: 1, measurements: 798 },
    samples: [
      ['T0407', 'air-temperature', '2018-12-18T23:00:00.000Z', -7.9],
      ['T0407', 'wind-direction', '2018-12-18T23:00:00.000Z', 108],
      ['T0407', 'air-humidity', '2018-12-20T09:00:00.000Z', 80],
    ],
  },
  {
    mapping: 'museums',
    file: 'upstream/siag-museum-in.json.gz',
    items: { content: 160 },
    samples: [
      expect.objectContaining({
        Id: 'smgpoi1564siag',
        GpsInfo: [{ Gpstype: 'position', Longitude: 12.033979, Latitude: 46.6377536 }],
        TagIds: expect.arrayContaining(['museums art', 'siag:museum:parking']),
        Detail: {
          de: expect.objectContaining({ BaseText: expect.stringContaining('Wanduhren') }),
          it: expect.objectContaining({ BaseText: expect.stringContaining('Orologi a muro') }),
          en: expect.objectContaining({ BaseText: expect.stringContaining('Wall clocks') }),
        },
      }),
    ],
  },
  ...['province-bz-traffic-in-2.json', 'province-bz-traffic-in-legacy-2.json'].map((file) => ({
    mapping: 'traffic-province-bz',
    file: `timeseries/events/${file}`,
    items: { events: 2 },
    samples: [
      expect.objectContaining({
        series: 'urn:announcements:provincebz:3079201',
        tags: ['announcement:traffic-event', 'traffic-event:hindrance', 'traffic-event:road-work'],
        start: '2026-05-10T22:00:00.000Z',
        end: '2026-10-09T21:59:59.000Z',
        geometry: { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] },
        text: {
          de: expect.stringMatching(/^Nördlich von Vahrn/),
          it: expect.stringMatching(/^A nord di Varna/),
        },
      }),
    ],
  })),
]

const received = new Date('2026-11-22T10:00:00Z')
const kinds = canonicalKinds(entitiesOf(toNaming('Hub')))
const options = { memory: 256, maxBytes: 20_000_000, log: silentLog }

function read(file: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(sharedPath(`data/${file}`))
  return new Uint8Array(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
}

type Outcome = Awaited<ReturnType<Previewer['preview']>>

const itemsOf = (object: object): readonly unknown[] =>
  'items' in object && Array.isArray(object.items) ? object.items : []

function countItems({ objects }: Outcome): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const object of objects) {
    const kind = 'kind' in object ? String(object.kind) : ''
    counts.set(kind, (counts.get(kind) ?? 0) + itemsOf(object).length)
  }
  return Object.fromEntries([...counts].filter(([, count]) => count > 0))
}

describeWithSharedData('payloads of real providers', () => {
  describeWithDatabase('with the mappings included with the hub', (database) => {
    let mappings: readonly LoadedMapping[]
    let made: Previewer
    let stored: ReturnType<typeof mappingsOf>
    beforeAll(async () => {
      mappings = await loadMappings(folder)
      made = previewer(mappings, { ...options, kinds })
      stored = mappingsOf({ ...options, mappings }, kinds)
    })
    afterAll(() => Promise.all([made.close(), stored.close()]))

    it.each(payloads)('$file is mapped completely and can be stored', async (payload) => {
      const mapping = mappings.find(({ name }) => name === payload.mapping)
      if (mapping === undefined) throw new Error(`There is no mapping ${payload.mapping}`)
      const message = { body: read(payload.file), received, contentType: null }

      const outcome = await made.preview(mapping, message)
      expect(outcome.rejected).toEqual([])
      expect(countItems(outcome)).toEqual(payload.items)
      expect(outcome.objects.flatMap(itemsOf)).toEqual(expect.arrayContaining([...payload.samples]))

      const trial = await tryOut(
        { database: database(), pipelines: [canonicalPipeline(kinds)], mappings: stored },
        { ...message, stream: mapping.stream, sender: '', mayBackdate: false },
      )
      const count = Object.values(payload.items).reduce((sum, items) => sum + items, 0)
      expect(trial).toMatchObject({
        stored: count,
        rejected: [],
        mapping: { name: payload.mapping, version: '1.0' },
      })
    })
  })
})
