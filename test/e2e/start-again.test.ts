import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { cloneDatabase, describeOnBothEngines } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'

const totals = Type.Object({ TotalResults: Type.Integer() })

async function countTags(hub: HubProcess): Promise<number> {
  const response = await fetch(`${hub.url}/v1/Tag?pagesize=1`)
  return Parse(totals, await response.json()).TotalResults
}

describeOnBothEngines('the process', (engine) => {
  it('restarts with its data within ten seconds after a kill or a clean stop', async () => {
    const clone = await cloneDatabase(engine)
    const start = async () => {
      const began = performance.now()
      return { hub: await startHub({ settings: clone.settings }), took: performance.now() - began }
    }
    const { hub: first, took: usual } = await start()
    const headers = { authorization: `Bearer ${await first.token('demo-provider')}` }
    const body = JSON.stringify({ kind: 'content', entity: 'Tag', items: [{ Id: 'kept' }] })
    await fetch(`${first.url}/push/demo/tags`, { method: 'POST', headers, body })
    await expect.poll(() => countTags(first)).toBe(1)
    const startAgain = async () => {
      const { hub, took } = await start()
      // Compared with the first start, which followed no kill: on a busy machine that is slow too.
      expect(took).toBeLessThan(Math.max(10_000, 2 * usual))
      expect(await countTags(hub)).toBe(1)
      return hub
    }
    first.process.kill('SIGKILL')
    await first.ended
    const second = await startAgain()
    await stopHub(second)
    expect(await second.ended).toBe(0)
    await stopHub(await startAgain())
    await clone.drop()
  })
})
