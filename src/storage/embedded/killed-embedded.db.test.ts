import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openTestDatabase } from '../../../test/fixtures/database-settings.ts'
import { cloneDatabase } from '../../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../../test/fixtures/databases.ts'
import { startEmbeddedHub } from '../../../test/fixtures/start-embedded-hub.ts'
import { sql } from '../../sql/index.ts'

describe('the embedded database', () => {
  let clone: TestDatabase
  beforeEach(async () => {
    clone = await cloneDatabase('embedded', 'empty')
  })
  afterEach(() => clone.drop())

  it('loses nothing acknowledged when its hub is killed, and starts again within 10 s', async () => {
    const hub = startEmbeddedHub(clone, 'insert')
    let acknowledged = 0
    for await (const line of hub.lines) {
      if (line !== 'open') acknowledged = Number(line)
      if (acknowledged === 300) hub.kill('SIGKILL')
    }
    const started = performance.now()
    const database = await openTestDatabase(clone.settings)
    onTestFinished(() => database.close())
    expect(performance.now() - started).toBeLessThan(10_000)
    const [row] = await database.query<{ rows: number; highest: number }>(
      sql`select count(*)::int as rows, max(n) as highest from acknowledged`,
    )
    expect(acknowledged).toBeGreaterThanOrEqual(300)
    expect(row?.highest).toBeGreaterThanOrEqual(acknowledged)
    expect(row?.rows).toBe(row?.highest)
  })
})
