import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'

async function push(hub: HubProcess, token: string, id: string): Promise<number> {
  const response = await fetch(`${hub.url}/push/demo/hotels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'content', entity: 'Accommodation', items: [{ Id: id }] }),
  })
  return response.status
}

async function missingOf(hub: HubProcess, ids: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = []
  for (const id of ids) {
    const { status } = await fetch(`${hub.url}/v1/Accommodation/${id}`)
    if (status !== 200) missing.push(id)
  }
  return missing
}

/** Embedded only; push-kill.test.ts kills the hub many times on PostgreSQL. */
describeOn('embedded', 'the process', () => {
  let clone: TestDatabase
  beforeEach(async () => {
    clone = await cloneDatabase('embedded')
  })
  afterEach(() => clone.drop())

  it('loses no acknowledged message when it is killed during pushes', async () => {
    const hub = await startHub({ settings: clone.settings })
    const token = await hub.token('demo-provider')
    const acknowledged: string[] = []
    const pushing = (async () => {
      for (let number = 0; number < 10_000; number++) {
        const id = `K${String(number)}`
        if ((await push(hub, token, id)) === 200) acknowledged.push(id)
      }
    })().catch(() => undefined)
    while (acknowledged.length < 30) await pause(5)
    hub.process.kill('SIGKILL')
    await Promise.all([pushing, hub.ended])
    const again = await startHub({ settings: clone.settings })
    // A message that was in progress when the process was killed is resumed after its pause.
    await expect.poll(() => missingOf(again, acknowledged), { interval: 250 }).toEqual([])
    await stopHub(again)
  })
})

describe('an unknown setting', () => {
  it('stops the start with a message that suggests the correct name', async () => {
    const settings = {
      HUB_DATABASE_CONNECTIONS: 1,
      HUB_STATEMENT_TIMEOUT: 1000,
      HUB_DATA_DIR: 'unused',
    }
    const failed = startHub({ settings, environment: { HUB_PROFIL: 'strict' } })
    await expect(failed).rejects.toThrow('HUB_PROFIL is not a setting. Did you mean HUB_PROFILE?')
  })
})
