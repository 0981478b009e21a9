import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import { PushLoad, countUndone, expectAllOnce } from '../fixtures/push-load.ts'
import type { Database } from '../../src/storage/index.ts'

/** A round is a start of the hub and a kill. `TEST_KILL_ROUNDS=50` takes some minutes. */
const rounds = Number(process.env['TEST_KILL_ROUNDS'] ?? 4)

/** Ids in the log: of messages that were accepted, and of those that are done. */
function idsIn(log: string, words: string): ReadonlySet<string> {
  const lines = log.split('\n').filter((line) => line.includes(words))
  return new Set(lines.flatMap((line) => /"message":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? []))
}

/** Whether the log ends between the acknowledgement of a message and the end of the work on it. */
function showsHit(log: string): boolean {
  const done = idsIn(log, 'A pushed message is done.')
  return [...idsIn(log, 'A pushed message is accepted.')].some((id) => !done.has(id))
}

describeOn('postgresql', `${String(rounds)} kills of the hub in the middle of pushes`, () => {
  let clone: TestDatabase
  let database: Database
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    database = await openTestDatabase(clone.settings)
  })
  afterAll(async () => {
    await database.close()
    await clone.drop()
  })

  it('lose nothing that was acknowledged and double nothing', { timeout: 3_600_000 }, async () => {
    const load = new PushLoad()
    const start = () =>
      startHub({ settings: clone.settings, environment: { HUB_LOG_LEVEL: 'info' } })
    let hits = 0
    for (let round = 0; round < rounds; round++) {
      const hub = await start()
      await load.start([hub])
      // Until the work has begun, a kill would meet only messages that wait.
      const isWorking = () => hub.output().includes('A pushed message is done.')
      await expect.poll(isWorking, { timeout: 120_000, interval: 20 }).toBe(true)
      await load.until(200, 1 + Math.floor(Math.random() * 15))
      hub.process.kill('SIGKILL')
      await hub.ended
      await load.stop()
      // Two witnesses: the log of the hub, and the table itself.
      if (showsHit(hub.output()) && (await countUndone(database)) > 0) hits += 1
    }
    expect(hits).toBeGreaterThanOrEqual(rounds / 3)
    const last = await start()
    await load.start([last])
    await load.until(200, 10)
    await load.stop()
    await expectAllOnce(database, load)
    await stopHub(last)
    console.log(
      `${String(hits)} of ${String(rounds)} kills hit, ${String(load.acknowledged.length)} records`,
    )
  })
})
