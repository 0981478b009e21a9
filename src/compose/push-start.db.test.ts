import { expect, it } from 'vitest'
import { openComposedHub } from '../../test/fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'

describeOnEngines('The thread that processes pushed messages', (engine) => {
  it('starts with the hub if it has received messages, before the next one arrives', async () => {
    const clone = await cloneDatabase(engine)
    const threadsOfStart = async (prepare: string | undefined) => {
      const hub = await openComposedHub(clone.settings, { HUB_PORT: '0' })
      if (prepare !== undefined) {
        await hub.store.database.execute(sql`
          insert into message (id, stream, received, sender, may_backdate, body, sha256, state)
          values (gen_random_uuid(), ${prepare}, now(), 'a', false, '', '', 'visible')`)
      }
      let threads = 0
      const count = () => (threads += 1)
      process.on('worker', count)
      await hub.listen()
      process.off('worker', count)
      await hub.close()
      return threads
    }
    expect(await threadsOfStart(undefined)).toBe(0)
    expect(await threadsOfStart('demo/bicycles')).toBe(1)
    await clone.drop()
  }, 60_000)
})
