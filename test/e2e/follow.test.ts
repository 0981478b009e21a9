import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'

const bin = fileURLToPath(new URL('../../bin/hub.js', import.meta.url))
const geometry = { type: 'Point', coordinates: [11.5, 46.5] }

describeOn('postgresql', 'hub import --follow', () => {
  let database: TestDatabase
  let hub: HubProcess

  beforeAll(async () => {
    database = await cloneDatabase('postgresql')
    hub = await startHub({ settings: database.settings })
  })
  afterAll(async () => {
    await stopHub(hub)
    await database.drop()
  })

  const push = async (items: readonly object[]) => {
    const response = await fetch(`${hub.url}/push/demo/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await hub.token('demo-admin')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ kind: 'events', origin: 'SOURCE', items }),
    })
    expect(response.status).toBe(200)
  }
  const feed = (provider: string) => `${hub.url}/traffic/v1/situation-publication/${provider}`
  const idsOf = async (provider: string) => {
    const xml = await (await fetch(feed(provider))).text()
    const situations = [...xml.matchAll(/<situation id="([^"]*)".*?<\/situation>/gs)]
    return situations.flatMap(([text, id]) => (text.includes('<end>true') ? [] : [id]))
  }
  const until = (provider: string, ids: readonly string[]) =>
    vi.waitFor(
      async () => {
        expect(await idsOf(provider)).toEqual(ids)
      },
      { timeout: 60_000, interval: 200 },
    )

  /**
   * Starts the command as a process that pushes what it reads to the same hub, as another provider.
   */
  const start = () => {
    const options = ['--origin', 'COPY', '--hub', hub.url, '--client', 'demo-admin']
    const address = ['--follow', feed('source'), '--secret-file', '-', '--every', '10']
    const child = spawn(process.execPath, [bin, 'import', ...address, ...options], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.stdin.end('demo-admin\n')
    return child
  }

  it('resumes after kill -9 where it stopped, and exits cleanly on SIGINT', async () => {
    await push([{ uuid: 'a', geometry }, { uuid: 'b', geometry }]) // oxfmt-ignore
    await until('source', ['a', 'b'])
    const first = start()
    await until('copy', ['a', 'b'])
    first.kill('SIGKILL')
    await once(first, 'exit')
    const over = new Date().toISOString()
    await push([{ uuid: 'a2', series: 'a', geometry, end: over }, { uuid: 'c', geometry }]) // oxfmt-ignore
    const second = start()
    await until('copy', ['b', 'c'])
    second.kill('SIGINT')
    expect(await once(second, 'exit')).toEqual([0, null])
  })
})
