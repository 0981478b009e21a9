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
  it('stops cleanly on Ctrl-C, and starts again within ten seconds with its data', async () => {
    const clone = await cloneDatabase(engine)
    const first = await startHub({ settings: clone.settings })
    const headers = { authorization: `Bearer ${await first.token('demo-provider')}` }
    const body = JSON.stringify({ kind: 'content', entity: 'Tag', items: [{ Id: 'kept' }] })
    await fetch(`${first.url}/push/demo/tags`, { method: 'POST', headers, body })
    await expect.poll(() => countTags(first), { timeout: 10_000 }).toBe(1)
    await stopHub(first)
    expect(await first.ended).toBe(0)
    const started = performance.now()
    const next = await startHub({ settings: clone.settings })
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await countTags(next)).toBe(1)
    await stopHub(next)
    await clone.drop()
  })
})
