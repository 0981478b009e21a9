import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseList } from '../../src/exports/export-list.ts'
import { replayMessages } from '../../src/push/index.ts'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import {
  PushLoad,
  countUndone,
  expectAllOnce,
  mapped,
  mappingOfLoad,
  saved,
} from '../fixtures/push-load.ts'
import { startCommand } from '../fixtures/run-hub.ts'

/**
 * Number of rounds, each of which starts and kills a hub. `npm run soak -- --kill --rounds=200`
 * takes half an hour to an hour.
 */
const rounds = Number(process.env['TEST_KILL_ROUNDS'] ?? 3)
const bin = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))

/** Extracts message ids from the lines of the log that contain certain words. */
function idsIn(log: string, words: string): ReadonlySet<string> {
  const lines = log.split('\n').filter((line) => line.includes(words))
  return new Set(lines.flatMap((line) => /"message":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? []))
}

/**
 * Reports whether the log ends after a message was acknowledged and before its processing ended.
 */
function showsHit(log: string): boolean {
  const done = idsIn(log, 'A pushed message is done.')
  return [...idsIn(log, 'A pushed message is accepted.')].some((id) => !done.has(id))
}

const upTo = (most: number) => Math.floor(Math.random() * most)

describeOn('postgresql', `${String(rounds)} kills of the hub in the middle of its work`, () => {
  let clone: TestDatabase
  let database: Database
  let folder: string
  const exportsFolder = () => join(folder, 'exports')
  const environment = () => ({
    HUB_LOG_LEVEL: 'info',
    HUB_MAPPINGS: join(folder, 'mappings'),
    HUB_EXPORT_DIR: exportsFolder(),
  })
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    database = await openTestDatabase(clone.settings)
    folder = await mkdtemp(join(tmpdir(), 'hub-kill-'))
    await mkdir(join(folder, 'mappings', 'load'), { recursive: true })
    await writeFile(join(folder, 'mappings', 'load', 'mapping.yaml'), mappingOfLoad)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  const start = () => startHub({ settings: clone.settings, environment: environment() })
  const settings = () => ({ ...clone.settings, ...environment() })

  /**
   * Starts an export as a separate process in every second round, and kills every other one at a
   * random moment.
   */
  const startExport = async (round: number) => {
    if (round % 2 === 1) return undefined
    // A killed process keeps its lease for five minutes.
    await database.execute(sql`delete from export_lease`)
    if (round % 4 === 0)
      return startCommand(['export', '--publish', 'Tag'], { settings: settings() })
    const texts = Object.entries(settings()).map(([name, value]) => [name, String(value)])
    const child = spawn(process.execPath, [bin, 'export', '--publish', 'Tag'], {
      env: { ...process.env, ...Object.fromEntries(texts) },
      stdio: 'ignore',
    })
    await pause(1_000 + upTo(4_000))
    child.kill('SIGKILL')
    return undefined
  }

  /** Replays some messages that are done, which must not change the data. */
  const replaySome = async (load: PushLoad) => {
    const done = await database.query<{ id: string }>(sql`
      select id from message where state = 'visible' order by random() limit 5`)
    const ids = done.map(({ id }) => id)
    if (ids.length > 0) await replayMessages(database, { ids })
    load.replayed.push(...ids)
  }

  /**
   * Checks that every listed export is complete. @returns the number of records in the export of
   * tags
   */
  const checkExports = async () => {
    const list = join(exportsFolder(), 'exports.json')
    const { exports } = parseList(await readFile(list, 'utf8').catch(() => undefined))
    for (const { count, files } of exports) {
      let lines = 0
      for (const { name, format, bytes, sha256 } of files) {
        const content = await readFile(join(exportsFolder(), name))
        const digest = createHash('sha256').update(content).digest('hex')
        expect([content.length, digest]).toEqual([bytes, sha256])
        if (format === 'ndjson.gz')
          lines += gunzipSync(content).toString().trimEnd().split('\n').length
      }
      expect(lines).toBe(count)
    }
    // A hub that runs long enough creates the exports of all datasets itself.
    return exports.find(({ dataset }) => dataset === 'Tag')?.count
  }

  it('neither lose nor duplicate acknowledged data', { timeout: 14_400_000 }, async () => {
    const load = new PushLoad(mapped, saved)
    const counts = { hits: 0, exports: 0 }
    for (let round = 0; round < rounds; round++) {
      const exporting = startExport(round)
      const hub = await start()
      await load.start([hub])
      // Until processing has started, a kill would only affect waiting messages.
      const isWorking = () => hub.output().includes('A pushed message is done.')
      await expect.poll(isWorking, { timeout: 120_000, interval: 20 }).toBe(true)
      await replaySome(load)
      await load.until(200, 1 + upTo(15))
      hub.process.kill('SIGKILL')
      await hub.ended
      await load.stop()
      // Two independent sources: the log of the hub, and the table itself.
      if (showsHit(hub.output()) && (await countUndone(database)) > 0) counts.hits += 1
      if ((await exporting)?.code === 0) counts.exports += 1
      await checkExports()
      if (round % 25 === 24) console.log(`round ${String(round + 1)}`, counts, [...load.statuses])
    }
    expect(counts.hits).toBeGreaterThanOrEqual(rounds / 3)
    const last = await start()
    await load.start([last])
    await load.until(200, 10)
    await load.stop()
    await expectAllOnce(database, load)
    await startExport(0)
    const [row] = await database.texts(sql`select count(*) from content.tag`)
    expect(await checkExports()).toBe(Number(row?.[0]))
    await stopHub(last)
    console.log(
      `${String(counts.hits)} of ${String(rounds)} kills hit work, ${String(counts.exports)} exports were finished, ` +
        `${String(load.replayed.length)} messages were replayed, ${String(load.acknowledged.length)} records and ${String(load.receipts.size)} messages were acknowledged`,
    )
  })
})
