import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openComposedHub } from '../../test/fixtures/composed-hub.ts'
import { withDatabase } from '../../test/fixtures/database-settings.ts'
import { cloneDatabase, describeOn } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'

describeOn('postgresql', 'The chores of a hub', () => {
  it('maintain monthly partitions in one run at a time, however long it takes', async () => {
    const clone = await cloneDatabase('postgresql')
    const hub = await openComposedHub(clone.settings, { HUB_PUSH_WORKERS: '0' })
    await withDatabase(clone.settings, async (database) => {
      await database.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('measurement partitions'))`)
        const waitingAfterAnHour = async () => {
          hub.tick(3_600_000)
          const waiting = await tx.query(sql`
            select from pg_stat_activity
            where datname = current_database() and wait_event = 'advisory'`)
          return waiting.length
        }
        await expect.poll(waitingAfterAnHour).toBeGreaterThan(0)
        await waitingAfterAnHour()
        await setTimeout(500)
        expect(await waitingAfterAnHour()).toBe(1)
      })
    })
    await hub.close()
    await clone.drop()
  })
})
