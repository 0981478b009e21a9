import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import { cloneDatabase } from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import { silentLog } from '../../../test/fixtures/silent-log.ts'
import { sql } from '../../sql/index.ts'
import { openDatabase } from '../open-database.ts'
import { startServer } from './single-connection.ts'

const powerCut = new URL('../../../test/fixtures/power-cut.ts', import.meta.url).href
const blockedHub = fileURLToPath(new URL('../../../test/fixtures/blocked-hub.ts', import.meta.url))

describe('the embedded database', () => {
  let clone: TestDatabase
  beforeEach(async () => {
    clone = await cloneDatabase('embedded', 'empty')
  })
  afterEach(() => clone.drop())

  const open = async () => {
    const database = await openTestDatabase(clone.settings)
    onTestFinished(() => database.close())
    return database
  }
  const serverProcess = () =>
    Number(readFileSync(join(clone.settings.HUB_DATA_DIR, 'pg.pid'), 'utf8'))

  it('does not outlive its hub during an endless statement', async () => {
    const hub = spawn(process.execPath, [blockedHub, clone.settings.HUB_DATA_DIR])
    onTestFinished(() => {
      hub.kill('SIGKILL')
    })
    await once(hub.stdout, 'data')
    await setTimeout(200)
    hub.kill('SIGKILL')
    await once(hub, 'exit')
    const orphan = serverProcess()
    expect(isRunning(orphan)).toBe(true)
    const database = await open()
    await database.ping()
    // It keeps its process id until the init process has reaped it.
    await expect.poll(() => isRunning(orphan)).toBe(false)
  })

  it('restarts when its process dies, and only the running statement fails', async () => {
    const database = await open()
    await database.execute(sql`create table kept as select 1 as n`)
    const running = database.query(sql`select pg_sleep(20)`)
    const waiting = database.query(sql`select n from kept`)
    await setTimeout(200)
    process.kill(serverProcess(), 'SIGKILL')
    await expect(running).rejects.toMatchObject({ code: 'HUB-SRV-002', status: 503 })
    await expect(waiting).resolves.toEqual([{ n: 1 }])
  })

  it('returns a 503 to callers that wait behind a statement that times out', async () => {
    const database = await openTestDatabase({ ...clone.settings, HUB_STATEMENT_TIMEOUT: 2000 })
    onTestFinished(() => database.close())
    const endless = database.query(
      sql`with recursive n as (select 1 as i union all select i + 1 from n) select count(*) from n`,
    )
    const waiting = database.query(sql`select 1`)
    const [overran, waited] = await Promise.allSettled([endless, waiting])
    expect(overran).toMatchObject({ reason: { code: 'HUB-SRV-003', status: 503 } })
    expect(waited).toMatchObject({ reason: { code: 'HUB-SRV-002', status: 503 } })
    await expect(database.query(sql`select 1 as one`)).resolves.toEqual([{ one: 1 }])
  })

  it('allows one hub per folder: a second fails, or waits until the first has closed', async () => {
    const first = await openTestDatabase(clone.settings)
    await first.execute(sql`create table handed_over as select 1 as n`)
    const dataDir = clone.settings.HUB_DATA_DIR
    const impatient = startServer({
      dataDir,
      platform: process.platform,
      sync: 'off',
      patience: 500,
      log: silentLog,
    })
    await expect(impatient).rejects.toThrow(
      new RegExp(`${dataDir} is in use by another hub .+HUB_DATA_DIR.+DATABASE_URL`),
    )
    const server = serverProcess()
    expect(isRunning(server)).toBe(true)
    const second = open()
    await setTimeout(500)
    await first.close()
    expect(isRunning(server), 'a process is left of the first').toBe(false)
    await expect((await second).query(sql`select n from handed_over`)).resolves.toHaveLength(1)
  })

  it('keeps everything committed before a power loss, when it syncs', async () => {
    const { HUB_DATA_DIR: dataDir } = clone.settings
    const copy = join(dataDir, 'after-power-loss')
    const config = { ...clone.settings, HUB_EMBEDDED_SYNC: 'on' }
    vi.stubEnv('NODE_OPTIONS', `--import ${powerCut}`)
    vi.stubEnv('POWER_CUT_FROM', join(dataDir, 'pg'))
    vi.stubEnv('POWER_CUT_TO', join(copy, 'pg'))
    const before = await openTestDatabase(config)
    vi.unstubAllEnvs()
    await before.execute(sql`create table committed (n integer primary key, filling text)`)
    const numbers = Array.from({ length: 40 }, (_, index) => index)
    const insert = (n: number) => sql`insert into committed values (${n}, repeat('x', 2000))`
    for (const n of numbers.slice(0, 20)) await before.execute(insert(n))
    await before.execute(sql`checkpoint`)
    for (const n of numbers.slice(20)) await before.execute(insert(n))
    process.kill(serverProcess(), 'SIGKILL')
    await before.close()
    const after = await openTestDatabase({ ...config, HUB_DATA_DIR: copy })
    onTestFinished(() => after.close())
    const found = await after.query<{ n: number }>(sql`select n from committed order by n`)
    expect(found.map(({ n }) => n)).toEqual(numbers)
  })

  it('listens on a port of this machine where Unix sockets are not available', async () => {
    const database = await openDatabase({
      config: clone.settings,
      log: silentLog,
      platform: 'win32',
    })
    onTestFinished(() => database.close())
    await expect(database.query(sql`select ${1}::int as one`)).resolves.toEqual([{ one: 1 }])
  })
})

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}
