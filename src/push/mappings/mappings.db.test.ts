import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { loaded } from '../../../test/fixtures/loaded-mapping.ts'
import { silentLog } from '../../../test/fixtures/silent-log.ts'
import { entitiesOf, toNaming } from '../../content/index.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { storeMessage } from '../accept/store-message.ts'
import { canonicalKinds, canonicalPipeline } from '../canonical/pipeline.ts'
import { listMessages, replayMessages, replayParked } from '../messages.ts'
import type { Mappings } from '../pipeline.ts'
import type { Settled } from '../queue/process-messages.ts'
import { PushWorker } from '../queue/push-thread.ts'
import { loadReceipt } from '../routes.ts'
import { listStreams, registerStreams, storeStream } from '../streams.ts'
import { tryOut } from '../try-out.ts'
import { mappingsOf } from './mappings.ts'

const kinds = canonicalKinds(entitiesOf(toNaming('Hub')))
const noon = Date.UTC(2026, 10, 20, 12)

const parking = loaded({
  version: '1.2',
  stream: 'acme/parking',
  lineage: 'ACME',
  dataTypes: [{ name: 'mapped-free', unit: '', type: 'Instantaneous' }],
  items: 'sites',
  each: `[
    {"kind": "stations", "stationType": "MappedParking", "origin": "ACME", "items": [{
      "code": "acme:" & id, "name": name }]},
    {"kind": "measurements", "stationType": "MappedParking", "period": 300, "items": [[
      "acme:" & id, "mapped-free", $time(at), $num(free)]]}
  ]`,
})

const articles = loaded({
  version: '7',
  stream: 'acme/articles',
  decode: [{ csv: {} }],
  each: `{"kind": "content", "entity": "Article", "items": [{"Id": id, "Shortname": title}]}`,
})

/** One mapping for two payloads of a provider, as in GBFS. */
const bikes = loaded({
  version: '1',
  stream: 'acme/information',
  otherStreams: ['acme/status'],
  dataTypes: [{ name: 'mapped-bikes', unit: '', type: 'Instantaneous' }],
  each: `[
    $exists(name) ? {"kind": "stations", "stationType": "MappedBikes", "origin": "ACME", "items": [{
      "code": "bikes:" & id, "name": name }]},
    $exists(bikes) ? {"kind": "measurements", "stationType": "MappedBikes", "period": 300, "items": [[
      "bikes:" & id, "mapped-bikes", $time(at), bikes]]}
  ]`,
})

const hanging = loaded({
  stream: 'acme/hanging',
  each: '$match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", /^(a+)+$/)',
  limits: { itemSeconds: 0.2, seconds: 5 },
})

const picky = loaded({ stream: 'acme/picky', each: '$num("none")' })

const site = (id: number, free: string | null, at = '2026-11-20T10:15:00Z') => ({
  ...{ id, name: `Site ${String(id)}`, at },
  free,
})

describeWithDatabase('A stream with a mapping', (database) => {
  let mappings: Mappings
  let time = noon
  const now = () => new Date(time)

  beforeAll(() => {
    const options = { memory: 128, maxBytes: 10_000_000, log: silentLog }
    mappings = mappingsOf(
      { ...options, mappings: [parking, articles, bikes, hanging, picky] },
      kinds,
    )
  })
  afterAll(() => mappings.close())

  const send = async (stream: string, body: unknown) => {
    const id = randomUUID()
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const as = {
      sender: 's',
      mayBackdate: false,
      contentType: 'x/y',
      headers: {},
      packed: undefined,
    }
    time += 1000
    await storeMessage(database(), {
      id,
      stream,
      received: now(),
      ...as,
      body: bytes,
      sha256: bytes,
    })
    return id
  }

  /** Runs a worker until so many messages are done. */
  const work = async (expected: number, given: Mappings = mappings) => {
    const settled: Settled[] = []
    const worker = new PushWorker({
      database: database(),
      pipelines: [canonicalPipeline(kinds)],
      mappings: given,
      now,
      log: silentLog,
      onSettled: (one) => settled.push(one),
    })
    worker.start()
    await expect.poll(() => settled.length).toBeGreaterThanOrEqual(expected)
    await worker.stop()
    return settled
  }

  const workWithout = async (expected: number) => {
    const none: Mappings = { ...mappings, secondsFor: () => undefined }
    return work(expected, none)
  }

  const receiptOf = (id: string, stream = 'acme/parking') => loadReceipt(database(), stream, id)

  it('can share its mapping: stations in one stream, values in the other', async () => {
    await send('acme/information', [{ id: 1, name: 'Square' }])
    await work(1)
    const body = [{ id: 1, bikes: 3, at: '2026-11-20T10:15:00Z' }]
    const status = await send('acme/status', body)
    expect(await work(1)).toMatchObject([{ state: 'visible' }])
    expect(await receiptOf(status, 'acme/status')).toMatchObject({ stored: 1, rejected: [] })
    const renamed = await send('acme/status', [{ id: 1, name: 'Market' }])
    await work(1)
    expect(await receiptOf(renamed, 'acme/status')).toMatchObject({ stored: 1, rejected: [] })
  })

  it('stores valid items, and reports the mapping and the positions of invalid ones', async () => {
    const sites = [site(1, '12'), site(2, 'many'), site(3, '7,5'), { id: 4, name: 'X', at: 'x' }]
    const id = await send('acme/parking', { sites })
    expect(await work(1)).toMatchObject([{ state: 'visible' }])
    expect(await receiptOf(id)).toMatchObject({
      state: 'visible',
      stored: 4,
      mapping: { name: parking.name, version: '1.2' },
      rejected: [
        { index: 1, reason: expect.stringContaining('is not a valid number') },
        { index: 3, reason: expect.stringContaining('is not a valid time') },
      ],
    })
    expect(await valuesOf(database())).toEqual([
      { code: 'acme:1', value: 12, name: parking.name, version: '1.2', lineage: 'ACME' },
      { code: 'acme:3', value: 7.5, name: parking.name, version: '1.2', lineage: 'ACME' },
    ])
  })

  it('rejects violations of the canonical formats, with the position in the payload', async () => {
    const sites = [site(1, null), { ...site(5, '1'), name: '' }]
    const id = await send('acme/parking', { sites })
    await work(1)
    const found = await receiptOf(id)
    expect(found?.rejected).toMatchObject([
      { index: 1, kind: 'stations', pointer: '/items/0/name' },
      { index: 0, kind: 'measurements', pointer: '/items/0' },
      { index: 1, kind: 'measurements', reason: expect.any(String) },
    ])
  })

  it('counts all rejections of a message, even those that the mapper does not keep', async () => {
    const id = await send('acme/picky', new Array(100_500).fill(0))
    expect(await work(1)).toMatchObject([{ rejected: 100_500 }])
    const listed = await listMessages(database(), { stream: 'acme/picky' }, 1)
    expect(listed).toMatchObject([{ id, rejected: 100_500 }])
    const rejected = (await receiptOf(id, 'acme/picky'))?.rejected
    expect(rejected).toHaveLength(1001)
    expect(rejected).toContainEqual({ index: null, reason: '99500 more rejections are not listed' })
  })

  it('rejects a whole payload that cannot be decoded', async () => {
    const id = await send('acme/parking', '{"sites":')
    expect(await work(1)).toMatchObject([{ state: 'rejected' }])
    expect(await receiptOf(id)).toMatchObject({
      mapping: { name: parking.name },
      rejected: [{ index: null, reason: expect.stringContaining('cannot be decoded') }],
    })
  })

  it('applies the mapping even to a canonical body', async () => {
    await send('acme/parking', { kind: 'dataTypes', items: [{ name: 'never' }] })
    expect(await work(1)).toMatchObject([{ state: 'empty', stored: 0 }])
  })

  it('stores which mapping and which item of the payload created a record', async () => {
    await send('acme/articles', 'id,title\nmapped-1,One\nmapped-2,Two\n')
    expect(await work(1)).toMatchObject([{ state: 'visible', stored: 2 }])
    const rows = await database().query(sql`
      select item, mapping, mapping_version as version from content_origin order by item`)
    expect(rows).toEqual([
      { item: 0, mapping: articles.name, version: '7' },
      { item: 1, mapping: articles.name, version: '7' },
    ])
  })

  it('rejects an item that makes an expression hang, and processes the next message', async () => {
    const id = await send('acme/hanging', [1])
    await send('acme/parking', { sites: [site(6, '1')] })
    expect(await work(2)).toHaveLength(2)
    expect(await receiptOf(id, 'acme/hanging')).toMatchObject({
      state: 'rejected',
      rejected: [{ index: 0, reason: expect.stringContaining('0.2 s') }],
    })
  })

  it('replays messages from before its mapping once, never over newer values', async () => {
    const at = '2026-11-20T11:00:00Z'
    await database().transaction(async (tx) => {
      await tx.execute(sql`truncate message`)
    })
    const older = await send('acme/parking', { sites: [site(1, '1', at)] })
    const younger = await send('acme/parking', { sites: [site(1, '2', at)] })
    const other = await send('acme/unmapped', '?')
    expect(await workWithout(3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ state: 'parked' })),
    )
    const parked = { streams: ['acme/parking'], backlog: { waiting: 0, limit: 50_000 } }
    const replayWith = (waiting: number, limit = 50_000) =>
      replayParked(database(), { ...parked, backlog: { waiting, limit } })
    expect(await replayWith(1000)).toBe(0)
    expect(await replayWith(25, 50)).toBe(0)
    expect(await replayWith(24, 50)).toBe(1)
    expect(await work(1)).toMatchObject([{ id: older }])
    expect(await replayParked(database(), parked)).toBe(1)
    expect(await work(1)).toMatchObject([{ id: younger }])
    expect(await replayParked(database(), parked)).toBe(0)
    expect(await receiptOf(other, 'acme/unmapped')).toMatchObject({ reason: 'no pipeline' })
    await replayMessages(database(), { ids: [older] })
    expect(await receiptOf(older)).toMatchObject({ state: 'accepted', mapping: null })
    await work(1)
    const values = await valuesOf(database())
    expect(values.filter(({ value }) => value === 2)).toHaveLength(1)
    expect(values.filter(({ value }) => value === 1)).toMatchObject([{ code: 'acme:6' }])
  })

  it('previews a push without storing anything', async () => {
    const body = Buffer.from(JSON.stringify({ sites: [site(9, '1'), site(10, 'x')] }))
    const sent = { stream: 'acme/parking', sender: '', received: now(), contentType: null }
    const trial = { ...sent, mayBackdate: false }
    const deps = { database: database(), pipelines: [canonicalPipeline(kinds)], mappings }
    expect(await tryOut(deps, { ...trial, body })).toMatchObject({
      stored: 2,
      rejected: [{ index: 1 }],
      mapping: { name: parking.name, version: '1.2' },
    })
    expect(await valuesOf(database())).not.toContainEqual(
      expect.objectContaining({ code: 'acme:9' }),
    )
  })

  it('uses the settings of its mapping, and otherwise those of the operator', async () => {
    const { stream } = parking
    const before = { stream, isOrdered: true, keepDays: 5, mediaTypes: null }
    await database().transaction(async (tx) => {
      await storeStream(tx, before)
      const definition = { ...parking.definition, keepDays: 9, mediaTypes: ['Text/CSV'] }
      await registerStreams(tx, [{ stream, definition }, articles])
    })
    expect(await listStreams(database())).toEqual([
      { stream, isOrdered: true, keepDays: 9, mediaTypes: ['text/csv'] },
    ])
  })
})

function valuesOf(database: Database) {
  return database.query<{ code: string; value: number }>(sql`
    select station.code, measurement.number as value, provenance.name, provenance.version, provenance.lineage
    from measurement
    join series on series.id = measurement.series_id
    join station on station.id = series.station_id
    join provenance on provenance.id = measurement.provenance_id
    where station.type = 'MappedParking'
    order by station.code, measurement.valid_time`)
}
