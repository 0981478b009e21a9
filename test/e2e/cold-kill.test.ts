import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderStore } from '../../src/exports/index.ts'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { evictUnused, openColdMonths } from '../../src/timeseries/cold/cold-months.ts'
import { exportTimeseries } from '../../src/timeseries/export-timeseries.ts'
import { makePartitions } from '../../src/timeseries/index.ts'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { prepare, storeMonths } from '../fixtures/old-months.ts'

/** Number of rounds, which `npm run soak -- --kill` also sets. */
const rounds = Number(process.env['TEST_KILL_ROUNDS'] ?? 3)
const bin = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))
const months = ['2024-01', '2024-02', '2024-03']

const name = `${String(rounds)} kills of commands that make months cold and bring them back`
describeOn('postgresql', name, () => {
  let clone: TestDatabase
  let database: Database
  let folder = ''
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    database = await openTestDatabase(clone.settings)
    folder = await mkdtemp(join(tmpdir(), 'hub-cold-kill-'))
    await prepare(database)
    await makePartitions(database, { first: '2024-01', last: '2024-03' })
    await storeMonths(database, months)
    await database.execute(sql`
      insert into measurement (series_id, valid_time, transaction_time, number)
      select series_id, time, time, extract(epoch from time)::bigint % 1000
      from latest, generate_series('2024-01-01Z'::timestamptz, '2024-03-31Z', '1 minute') as time
      on conflict do nothing`)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  const start = (...args: readonly string[]) => {
    const texts = Object.entries(clone.settings).map(([key, value]) => [key, String(value)])
    const env = { ...process.env, ...Object.fromEntries(texts), HUB_COLD_PLACE: folder }
    return spawn(process.execPath, [bin, 'timeseries', 'partitions', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const retireAll = () => start('retire', '--keep-months=12', '--to=parquet')
  const succeeds = async (command: ReturnType<typeof start>) => {
    const [code] = await once(command, 'exit')
    expect(code).toBe(0)
  }
  const coldMonths = async () => {
    const rows = await database.query<{ month: string; file: string }>(
      sql`select month, file from cold_month order by month`,
    )
    return rows
  }
  /** Lists the files one day later, when leftovers have been removed. */
  const filesADayLater = async () => {
    await database.execute(sql`update cold_leftover set since = since - interval '2 days'`)
    const before = Date.now() / 1000 - 2 * 86_400
    for (const file of await readdir(folder)) await utimes(join(folder, file), before, before)
    await openColdMonths({ database, store: folderStore(folder, '.cold-') }).evict()
    return (await readdir(folder)).sort()
  }
  /** Returns a digest of all values, read by a hub with empty caches. */
  const digest = async () => {
    const hash = createHash('sha256')
    const store = folderStore(folder)
    const cold = openColdMonths({ database, store, most: Number.POSITIVE_INFINITY })
    for await (const line of exportTimeseries(database, 'measurements', cold)) hash.update(line)
    return hash.digest('hex')
  }

  it('leave all values unchanged', { timeout: 14_400_000 }, async () => {
    const before = await digest()
    const ends = { killed: 0, done: 0 }
    for (let round = 0; round < rounds; round++) {
      const cold = await coldMonths()
      const month = cold[round % 3]?.month
      const command = month === undefined ? retireAll() : start('attach', month)
      const ended = once(command, 'exit')
      await Promise.race([ended, pause(500 + Math.floor(Math.random() * 3000))])
      command.kill('SIGKILL')
      const [code] = await ended
      ends[code === 0 ? 'done' : 'killed'] += 1
      await evictUnused(database, -1)
      expect([round, await digest()]).toEqual([round, before])
    }
    await succeeds(retireAll())
    await evictUnused(database, -1)
    expect(await digest()).toBe(before)
    const files = (await coldMonths()).map(({ file }) => file)
    expect(files).toHaveLength(months.length)
    console.log(
      ends,
      `with what was left there are ${String((await readdir(folder)).length)} files`,
    )
    expect(await filesADayLater()).toEqual(files)
    for (const month of months) await succeeds(start('attach', month))
    expect(await coldMonths()).toEqual([])
    expect(await filesADayLater()).toEqual([])
    expect(await digest()).toBe(before)
  })
})
