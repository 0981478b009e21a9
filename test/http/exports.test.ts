import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publishExports } from '../../src/compose/compose-exports.ts'
import { loadConfig } from '../../src/config/index.ts'
import { storeRecords } from '../../src/content/index.ts'
import type { ContentRecord } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { storeDataTypes, storeMeasurements, storeStations } from '../../src/timeseries/index.ts'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnBothEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { wellKnown } from '../fixtures/geo-parquet.ts'
import { readParquetFile } from '../fixtures/read-columns.ts'

type Message = {
  readonly key: string
  readonly value?: Readonly<Record<string, unknown>>
  readonly headers: { readonly operation: string }
}

type File = {
  readonly url: string
  readonly format: string
  readonly bytes: number
  readonly sha256: string
  readonly count: number
}

type Manifest = {
  readonly dataset: string
  readonly feed: string
  readonly offset: string
  readonly count: number
  readonly licence: string | null
  readonly files: readonly File[]
}

const oneDay = 86_400_000

/**
 * Timeout in milliseconds. A process of the command needs some seconds to start on a busy machine.
 */
const longest = 120_000

/** Lists the files that are being written. */
async function unfinished(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('.unfinished-'))
  return (
    await Promise.all(names.map((name) => readdir(join(folder, name)).catch(() => [])))
  ).flat()
}

describeOnBothEngines('The exports', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  let folder = ''
  let settings: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    folder = await mkdtemp(join(tmpdir(), 'exports-'))
    settings = { HUB_EXPORT_DIR: folder, HUB_LICENCES: '*=CC0-1.0' }
    hub = await openComposedHub(clone.settings, settings)
    await write([record('A', { GpsInfo: [position] }), record('B'), record('SECRET', closed)])
    await hub.store.database.transaction(async (tx) => {
      const fill = { stationType: 'Parking', origin: 'FAMAS', received: hub.now() }
      const items = [{ code: 'p1', name: 'P1', coordinate: [11.3, 46.5] as const }]
      await storeStations(tx, { ...fill, items })
      await storeDataTypes(tx, { received: hub.now(), items: [{ name: 'free' }] })
      await storeMeasurements(tx, {
        ...fill,
        period: 300,
        provenance: null,
        items: [['p1', 'free', '2026-11-20T10:00:00Z', 7]],
      })
    })
  })
  afterAll(async () => {
    await hub.close()
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  const position = { Gpstype: 'position', Latitude: 46.5, Longitude: 11.3 }
  const closed = { LicenseInfo: { ClosedData: true } }
  const record = (id: string, more: object = {}): ContentRecord => ({
    Id: id,
    Shortname: id,
    _Meta: { Source: 'a22' },
    ...more,
  })
  const write = async (records: readonly ContentRecord[], deletions: readonly string[] = []) => {
    const entity = hub.store.entities.find(({ name }) => name === 'Event')
    if (entity === undefined) throw new Error('no Event')
    hub.moveClock(1000)
    const saved = { entity, records, deletions, received: hub.now(), provider: 'demo' }
    await hub.store.database.transaction((tx) => storeRecords(tx, saved))
  }

  const environment = () => {
    const texts = Object.entries(clone.settings).map(([name, value]) => [name, String(value)])
    return { ...Object.fromEntries(texts), ...settings, HUB_PUBLIC_URL: 'http://hub.test' }
  }
  const publish = async (...datasets: readonly string[]) => {
    const faults: unknown[] = []
    const config = loadConfig(environment())
    const parts = { config, store: hub.store, environment: { now: hub.now, fetch } }
    await publishExports(parts, datasets, (outcome) => {
      if (outcome.kind === 'failed') faults.push(outcome.error)
    })
    expect(faults).toEqual([])
  }
  /** Waits until the hub's own background exports have finished. */
  const rest = () =>
    expect.poll(() => hub.store.database.texts(sql`select holder from export_lease`)).toEqual([])
  const ask = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    hub.ask({ url: url.replace('http://hub.test', ''), headers })
  const manifest = async (dataset = 'Event') => {
    const answer = await ask(`/exports/${dataset}/manifest.json`)
    expect(answer.statusCode).toBe(200)
    return answer.json<Manifest>()
  }
  const filesOf = ({ files }: Manifest, format: string) =>
    files.filter((file) => file.format === format)
  const linesOf = async (made: Manifest) => {
    let text = ''
    for (const { url } of filesOf(made, 'ndjson.gz')) {
      text += gunzipSync((await ask(url)).rawPayload).toString()
    }
    return text.split('\n').slice(0, -1)
  }
  const follow = async (feed: string, from: string) => {
    const messages: Message[] = []
    let [offset, isUpToDate] = [from, false]
    while (!isUpToDate) {
      const answer = await ask(`${feed}?offset=${offset}`)
      expect(answer.statusCode).toBe(200)
      messages.push(...answer.json<readonly Message[]>())
      offset = String(answer.headers['stream-next-offset'])
      isUpToDate = answer.headers['stream-up-to-date'] === 'true'
    }
    return messages
  }
  const apply = (messages: readonly Message[]) => {
    const kept = new Map<string, unknown>()
    for (const { key, value, headers } of messages) {
      if (headers.operation === 'delete') kept.delete(key)
      else kept.set(key, value)
    }
    return kept
  }
  const whole = async (made: Manifest) => {
    for (const { url, bytes, sha256 } of made.files) {
      const { rawPayload } = await ask(url)
      expect(rawPayload.length).toBe(bytes)
      expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(sha256)
    }
  }

  it('contain the records of each public feed, and nothing closed', async () => {
    await publish()
    const { exports } = (await ask('/exports')).json<{ exports: readonly Manifest[] }>()
    const { feeds } = (await ask('/changes')).json<{
      feeds: readonly { name: string; needsToken: boolean }[]
    }>()
    const open = feeds
      .filter(({ name, needsToken }) => !needsToken && name !== 'all')
      .map(({ name }) => name)
    expect(exports.map(({ dataset }) => dataset)).toEqual([...open].sort())
    expect(open).toEqual(expect.arrayContaining(['Event', 'stations.Parking', 'latest.Parking']))
    for (const name of ['Event', 'stations.Parking', 'latest.Parking']) {
      const made = await manifest(name)
      await whole(made)
      const listed = await follow(made.feed, '-1')
      const lines = (await linesOf(made)).map((line) => JSON.parse(line))
      expect(lines).toEqual(listed)
      const counted = filesOf(made, 'ndjson.gz').reduce((sum, { count }) => sum + count, 0)
      expect([made.count, counted]).toEqual([listed.length, listed.length])
    }
    expect((await linesOf(await manifest())).join()).not.toContain('SECRET')
    expect((await manifest('stations.Parking')).licence).toBe('CC0-1.0')
  })

  it('contain the same records as Parquet', async () => {
    const read = async (dataset: string) => {
      const [file] = filesOf(await manifest(dataset), 'parquet')
      return readParquetFile((await ask(file?.url ?? '')).rawPayload).rows
    }
    const events = await read('Event')
    expect(events.map(({ key, Shortname }) => [key, Shortname])).toEqual([
      ['A', 'A'],
      ['B', 'B'],
    ])
    expect(events.map(({ geometry }) => geometry)).toEqual([wellKnown(11.3, 46.5), null])
    expect(await read('latest.Parking')).toMatchObject([{ scode: 'p1', mvalue: 7 }])
    expect(await read('stations.Parking')).toMatchObject([
      { scode: 'p1', scoordinate: wellKnown(11.3, 46.5) },
    ])
  })

  it('support range requests, and can be cached for a day', async () => {
    const [file] = (await manifest()).files
    const url = file?.url ?? ''
    const { rawPayload: all, headers } = await ask(url)
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=86400, immutable',
      'content-type': 'application/gzip',
      'accept-ranges': 'bytes',
      etag: `"${file?.sha256 ?? ''}"`,
    })
    expect(headers['content-encoding']).toBeUndefined()
    const part = await ask(url, { range: 'bytes=10-19' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([
      206,
      `bytes 10-19/${String(all.length)}`,
    ])
    expect(part.rawPayload).toEqual(all.subarray(10, 20))
    const etag = String(headers['etag'])
    expect((await ask(url, { range: 'bytes=10-', 'if-range': etag })).statusCode).toBe(206)
    expect((await ask(url, { range: 'bytes=10-', 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await ask(url, { range: 'bytes=5-2' })).statusCode).toBe(200)
    for (const tags of [etag, `"other", ${etag}`, '*'])
      expect((await ask(url, { range: 'bytes=10-', 'if-match': tags })).statusCode).toBe(206)
    const changed = await ask(url, { range: 'bytes=10-', 'if-match': '"other"' })
    expect([changed.statusCode, changed.json()]).toMatchObject([412, { errorCode: 'HUB-RTE-008' }])
    const before = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }
    expect((await ask(url, before)).statusCode).toBe(200)
    const behind = await ask(url, { range: 'bytes=999999999-' })
    expect([behind.statusCode, behind.json()]).toMatchObject([416, { errorCode: 'HUB-RTE-009' }])
    expect(behind.headers['content-range']).toBe(`bytes */${String(all.length)}`)
    expect((await ask(url, { 'if-none-match': etag })).statusCode).toBe(304)
    const head = await hub.ask({ method: 'HEAD', url: url.replace('http://hub.test', '') })
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(all.length)])
  })

  it('are continued by the feed without a gap, even if records are written meanwhile', async () => {
    const making = publish('Event')
    for (const id of ['W1', 'W2', 'W3', 'W4']) await write([record(id)])
    await write([], ['W1'])
    await making
    await write([record('W2', { Shortname: 'later' }), record('W5')], ['B'])
    const made = await manifest()
    const lines = (await linesOf(made)).map((line): Message => JSON.parse(line))
    const kept = apply([...lines, ...(await follow(made.feed, made.offset))])
    expect(kept).toEqual(apply(await follow(made.feed, '-1')))
    expect([...kept.keys()]).toEqual(expect.arrayContaining(['A', 'W2', 'W5']))
  })

  it('keep replaced files for a day', async () => {
    const before = await manifest()
    await write([record('NEW')])
    await publish('Event')
    const urls = before.files.map(({ url }) => url)
    for (const url of urls) expect((await ask(url)).statusCode).toBe(200)
    hub.moveClock(oneDay + 1000)
    await publish('Tag')
    for (const url of urls) expect((await ask(url)).statusCode).toBe(404)
    const names = await readdir(folder)
    for (const url of urls) expect(names).not.toContain(url.split('/').at(-1))
  })

  it('are withdrawn immediately if data is no longer open, and are created again', async () => {
    const secret = async () => {
      const answer = await ask('/exports/Event/manifest.json')
      return answer.statusCode === 200 ? (await linesOf(answer.json())).join() : ''
    }
    const change = async (statement: ReturnType<typeof sql>) => {
      await hub.store.database.execute(statement)
      hub.tick(3000)
    }
    await change(sql`
      insert into access_rule (role, area, origin) values ('GUEST', 'content', 'a22')`)
    await expect.poll(async () => (await ask('/exports/Event/manifest.json')).statusCode).toBe(404)
    await publish('Event')
    expect(await secret()).toContain('SECRET')
    const opened = (await manifest()).files.map(({ url }) => url)
    await change(sql`delete from access_rule where role = 'GUEST' and origin = 'a22'`)
    for (const url of opened) await expect.poll(async () => (await ask(url)).statusCode).toBe(404)
    expect((await ask('/exports')).body).not.toContain('"Event"')
    hub.tick(600_000)
    await expect.poll(async () => (await ask('/exports/Event/manifest.json')).statusCode).toBe(200)
    expect(await secret()).not.toContain('SECRET')
    await rest()
    const names = await readdir(folder)
    for (const url of opened) expect(names).not.toContain(url.split('/').at(-1))
  })

  it('return 404 with a hint, refuse path traversal, and delete only their files', async () => {
    await publish('Event')
    const unknown = await ask('/exports/Evnt/manifest.json')
    expect([unknown.statusCode, unknown.json<{ hint: string }>().hint]).toEqual([
      404,
      'Did you mean Event? GET /exports lists all exports.',
    ])
    const hintOf = async (dataset: string) =>
      (await ask(`/exports/${dataset}/manifest.json`)).json<{ hint: string }>().hint
    expect(await hintOf('Accommodation')).toBe(
      'Exports contain what callers without a token see; this feed requires one: GET /changes/Accommodation?offset=-1.',
    )
    const left = `Event-${'0'.repeat(24)}.parquet`
    for (const name of ['private.parquet', left]) await writeFile(join(folder, name), 'private')
    for (const file of ['private.parquet', left, 'exports.json', '..%2f..%2fetc%2fpasswd']) {
      expect((await ask(`/exports/Event/${file}`)).statusCode).toBe(404)
    }
    expect((await ask('/exports/..%2f/manifest.json')).statusCode).toBe(404)
    await publish('Event')
    const names = await readdir(folder)
    expect([names.includes('private.parquet'), names.includes(left)]).toEqual([true, false])
  })

  it('are created by one process at a time', async () => {
    const { database } = hub.store
    await database.execute(sql`
      insert into export_lease (holder, until) values ('other', now() + interval '1 minute')`)
    await expect(publish('Event')).rejects.toThrow('Another process makes exports')
    await database.execute(sql`update export_lease set until = now() - interval '1 second'`)
    await publish('Event')
    expect(await database.texts(sql`select holder from export_lease`)).toEqual([])
  })

  it(
    'stay unchanged if the process that creates them is killed',
    { timeout: longest },
    async () => {
      const many = Array.from({ length: 4000 }, (_, place) =>
        record(`M${String(place)}`, { Detail: { en: { BaseText: 'text '.repeat(100) } } }),
      )
      await write(many.slice(0, 2000))
      await publish('Event')
      const before = await manifest()
      await write(many.slice(2000))
      const child = spawn(process.execPath, ['src/main.ts', 'export', '--publish', 'Event'], {
        env: { ...process.env, ...environment() },
        stdio: 'ignore',
      })
      const ended = once(child, 'close')
      while (child.exitCode === null && (await unfinished(folder)).length === 0) await sleep(2)
      child.kill('SIGKILL')
      await ended
      expect(await manifest()).toEqual(before)
      await whole(before)
      await hub.store.database.execute(sql`
      update export_lease set until = now() - interval '1 second'`)
      await publish('Event')
      expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
      const after = await manifest()
      await whole(after)
      expect(after.count).toBe(before.count + 2000)
    },
  )
})
