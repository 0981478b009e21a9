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
  '/v2/tree/P/*/2026-11-19/2026-11-21?limit=-1',
  '/v1/Event?pagesize=2',
  '/v1/Event?fields=Shortname&searchfilter=one&format=geojson',
  '/v1/Event?rawfilter=ne(Shortname,"one 1")&rawsort=-Shortname&language=de',
  '/v1/Event?groupby=Shortname&agg=count',
  '/v1/Event?locfilter=mtaM',
  '/v1/Event?locfilter=tvsT1&explain=true',
  '/v1/Find?q=one',
  '/v1/Distinct?type=Event&fields=Shortname',
]

/** Headers that differ each time a response is sent. */
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
      // On-the-fly compression adds `accept-encoding` to Vary a second time.
      .map(([name, value]) => [name, String(value).replace(/, accept-encoding$/, '')])
      .sort(),
    body: (isPacked ? gunzipSync(rawPayload) : rawPayload).toString(),
  }
}

describeOn('postgresql', 'Cached responses', () => {
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

  it('equal newly computed ones after any write by any node, and so do plans', async () => {
    let seed = 11
    const dice = (sides: number) => (seed = (seed * 16_807) % 2_147_483_647) % sides
    const callers = [{}, await bearer(['BDP_A22']), await bearer(['ADMIN'])]
    const memory = hubs[1]?.app.answerMemory
    if (memory === undefined) throw new Error('This hub keeps no answers.')
    const find = vi.spyOn(memory, 'find')
    for (let step = 0; step < 300; step++) {
      const hub = hubs[dice(2)]
      if (hub !== undefined && dice(3) === 0) await write(hub, dice)
      const [url = '', headers = {}] = [urls[dice(urls.length)], callers[dice(callers.length)]]
      const asked = {
        url,
        headers: { ...headers, 'accept-encoding': dice(2) ? 'gzip' : 'identity' },
      }
      // The second and third response come from the cache.
      for (let time = 0; time < 3; time++) {
        // A unique request is never cached, so it is planned from scratch.
        const anew = {
          ...asked,
          headers: { ...asked.headers, prefer: `${String(step)}.${String(time)}` },
        }
        const [plain, kept] = await Promise.all([hubs[0]?.ask(anew), hubs[1]?.ask(asked)])
        expect({ step, url, ...shown(kept) }).toEqual({ step, url, ...shown(plain) })
      }
    }
    const hits = find.mock.results.filter(({ value }) => value !== undefined)
    expect(hits.length).toBeGreaterThan(200)
  })

  it('are streamed again if they were streamed, and no header reveals the cache', async () => {
    const [, hub] = hubs
    const memory = hub?.app.answerMemory
    const url = '/v2/tree/P/*/2026-11-01/2026-11-21?limit=-1'
    const ask = async () => (await hub?.ask({ url }))?.headers['content-length']
    const before = memory?.uses().hit ?? 0
    // The response is cached a moment after it has ended.
    await vi.waitFor(async () => {
      expect(await ask()).toBeUndefined()
      expect(memory?.uses().hit).toBeGreaterThan(before)
    }, 60_000)
  })

  it('are planned again if they depend on the current day', async () => {
    const [hub] = hubs
    // Tomorrow in UTC, because in the region's time zone today may already be over.
    const tomorrow = new Date((hub?.now().getTime() ?? 0) + 86_400_000).toISOString().slice(0, 10)
    const url = `/v1/Accommodation?arrival=${tomorrow}`
    const ask = async () => (await hub?.ask({ url }))?.statusCode
    expect([await ask(), await ask()]).toEqual([200, 200])
    hub?.moveClock(2 * 86_400_000)
    expect(await ask()).toBe(400)
  })

  it('are shuffled again if the seed is random', async () => {
    const seeds = new Set<string | undefined>()
    for (let time = 0; time < 40; time++) {
      const answer = await hubs[0]?.ask({ url: '/v1/Event?seed=0' })
      seeds.add(/"Seed": ?"?(\d+)/.exec(answer?.body ?? '')?.[1])
    }
    expect(seeds.size).toBeGreaterThan(1)
  })
})

/**
 * Writes something random: late and early values, open and closed stations and records, deletions.
 */
async function write({ store, now }: ComposedHub, dice: (sides: number) => number): Promise<void> {
  const { database, entities } = store
  const [event, metaRegion] = ['Event', 'MetaRegion'].map((wanted) =>
    entities.find(({ name }) => name === wanted),
  )
  if (event === undefined || metaRegion === undefined) throw new Error('no such entity')
  const code = `S${String(dice(5))}`
  const received = now()
  const saving = { stationType: 'P', received }
  const writing = { received, provider: 'demo', records: [], deletions: [] }
  await database.transaction(async (tx) => {
    switch (dice(7)) {
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
        const LocationInfo = { TvInfo: { Id: `T${String(dice(3))}` } }
        const records = [
          { Id: code, Shortname, LicenseInfo, LocationInfo, _Meta: { Source: 'a22' } },
        ]
        await storeRecords(tx, { ...writing, entity: event, records })
        break
      }
      case 4:
        await storeRecords(tx, { ...writing, entity: event, deletions: [code] })
        break
      case 5: {
        const records = [{ Id: 'M', TourismvereinIds: [`T${String(dice(3))}`] }]
        await storeRecords(tx, { ...writing, entity: metaRegion, records })
        break
      }
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
