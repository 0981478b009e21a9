import type { LightMyRequestResponse } from 'fastify'
import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { storeRecords } from '../../src/content/index.ts'
import { deleteTimeseries } from '../../src/timeseries/write/delete-timeseries.ts'
import { storeDataTypes, storeMeasurements } from '../../src/timeseries/write/store-measurements.ts'
import { storeStations } from '../../src/timeseries/write/store-stations.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const urls = [
  '/v2/flat/P/*/latest',
  '/v2/tree/P/free/latest?limit=2',
  '/v2/flat/P/free/latest?where=mvalue.gt.5&select=scode,mvalue&format=csv',
  '/v2/flat/P/free/latest?format=ndjson',
  '/v2/flat/P',
  '/v2/flat/P/free',
  '/v2/flat/P/free/2026-11-19/2026-11-21?limit=-1',
  '/v1/Event?pagesize=2',
  '/v1/Event?fields=Shortname&searchfilter=one&format=geojson',
  '/v1/Find?q=one',
  '/v1/Distinct?type=Event&fields=Shortname',
]

/** Headers that belong to one sending and not to the next. */
const passing = [
  'date',
  'x-request-id',
  'content-length',
  'transfer-encoding',
  'connection',
  'server-timing',
]

function shown(answer: LightMyRequestResponse | undefined) {
  const { statusCode, headers = {}, rawPayload = Buffer.of() } = answer ?? {}
  const isPacked = headers['content-encoding'] === 'gzip'
  return {
    statusCode,
    headers: Object.entries(headers)
      .filter(([name]) => !passing.includes(name))
      // What packs an answer on its way names what it goes by once more.
      .map(([name, value]) => [name, String(value).replace(/, accept-encoding$/, '')])
      .sort(),
    body: (isPacked ? gunzipSync(rawPayload) : rawPayload).toString(),
  }
}

describeOn('postgresql', 'Answers that are kept', () => {
  let clone: TestDatabase
  let hubs: readonly ComposedHub[] = []
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    hubs = [
      await openComposedHub(clone.settings, { HUB_ANSWER_MEMORY: '0' }),
      await openComposedHub(clone.settings),
    ]
  })
  afterAll(async () => {
    await Promise.all(hubs.map((hub) => hub.close()))
    await clone.drop()
  })

  it('are those that would be made anew, whatever is written and by whichever node', async () => {
    let seed = 11
    const dice = (sides: number) => (seed = (seed * 16_807) % 2_147_483_647) % sides
    const callers = [{}, await bearer(['BDP_A22']), await bearer(['ADMIN'])]
    const memory = hubs[1]?.app.answerMemory
    if (memory === undefined) throw new Error('This hub keeps no answers.')
    const find = vi.spyOn(memory, 'find')
    for (let step = 0; step < 250; step++) {
      const hub = hubs[dice(2)]
      if (hub !== undefined && dice(3) === 0) await write(hub, dice)
      const [url = '', headers = {}] = [urls[dice(urls.length)], callers[dice(callers.length)]]
      const asked = {
        url,
        headers: { ...headers, 'accept-encoding': dice(2) ? 'gzip' : 'identity' },
      }
      // The second and third time the answer comes from memory.
      for (let time = 0; time < 3; time++) {
        const [plain, kept] = await Promise.all(hubs.map(({ ask }) => ask(asked)))
        expect({ step, url, ...shown(kept) }).toEqual({ step, url, ...shown(plain) })
      }
    }
    const hits = find.mock.results.filter(({ value }) => value !== undefined)
    expect(hits.length).toBeGreaterThan(200)
  })
})

/** Writes something: values late and early, stations and records open and closed, deletions. */
async function write({ store, now }: ComposedHub, dice: (sides: number) => number): Promise<void> {
  const { database, entities } = store
  const entity = entities.find(({ name }) => name === 'Event')
  if (entity === undefined) throw new Error('no Event')
  const code = `S${String(dice(5))}`
  const received = now()
  const saving = { stationType: 'P', received }
  await database.transaction(async (tx) => {
    switch (dice(6)) {
      case 0: {
        const closed = dice(2) === 0
        await storeStations(tx, {
          ...saving,
          origin: closed ? 'a22' : 'O',
          closed,
          items: [{ code }],
        })
        await storeDataTypes(tx, { received, items: [{ name: 'free' }] })
        break
      }
      case 1:
      case 2: {
        const time = `2026-11-20T10:${String(10 + dice(40))}:00Z`
        const items = [[code, 'free', time, dice(10)]] as const
        await storeMeasurements(tx, { ...saving, period: 60, items })
        break
      }
      case 3: {
        const Shortname = `one ${String(dice(100))}`
        const LicenseInfo = { ClosedData: dice(2) === 0 }
        const records = [{ Id: code, Shortname, LicenseInfo, _Meta: { Source: 'a22' } }]
        await storeRecords(tx, { entity, records, deletions: [], received, provider: 'demo' })
        break
      }
      case 4:
        await storeRecords(tx, {
          entity,
          records: [],
          deletions: [code],
          received,
          provider: 'demo',
        })
        break
      default:
        await deleteTimeseries(tx, {
          ...saving,
          what: 'measurements',
          items: [{ code }],
          by: { subject: 's', name: 'n', client: 'c', request: randomUUID() },
        })
    }
  })
}
