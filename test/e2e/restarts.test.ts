import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { startRetryingProxy } from '../fixtures/retrying-proxy.ts'
import type { RetryingProxy } from '../fixtures/retrying-proxy.ts'

const paths = [
  '/v1/Event?pagesize=50',
  '/v1/Accommodation/R1',
  '/v2/flat,event/*',
  '/traffic/datex/2',
  '/v1/Accommodation?pagesize=1000',
]

/** Both hubs have the same public URL, so that each accepts tokens issued by the other. */
const environment = { HUB_PUBLIC_URL: 'http://hub.test' }

/**
 * Clients that query and push continuously, with pauses that leave a processor for the hubs that
 * start.
 */
class Clients {
  readonly statuses = new Map<string, number>()
  #isStopping = false
  #running: Promise<unknown> = Promise.resolve()
  readonly #url: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  start(): void {
    const readers = Array.from({ length: 8 }, (_, at) => this.#read(at))
    this.#running = Promise.all([...readers, this.#push(), this.#push()])
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  async #read(first: number): Promise<void> {
    for (let turn = first; !this.#isStopping; turn++) {
      await this.#note('GET', fetch(`${this.#url}${paths[turn % paths.length] ?? ''}`))
      await pause(20)
    }
  }

  async #push(): Promise<void> {
    while (!this.#isStopping) {
      const items = [{ Id: randomUUID() }]
      const event = { kind: 'content', entity: 'Event', items }
      await this.#note('POST', push({ url: this.#url, token: this.#token }, [event]))
      await pause(20)
    }
  }

  async #note(method: string, asked: Promise<Response>): Promise<void> {
    const status = await asked.then(
      async (answer) => {
        await answer.arrayBuffer()
        return String(answer.status)
      },
      () => 'no whole answer',
    )
    const key = `${method} ${status}`
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1)
  }
}

/** Sends related objects as one message of several lines. */
function push(to: { readonly url: string; readonly token: string }, lines: readonly object[]) {
  const headers = {
    authorization: `Bearer ${to.token}`,
    'content-type': 'application/x-ndjson',
    'idempotency-key': randomUUID(),
  }
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  return fetch(`${to.url}/push/demo/x`, { method: 'POST', headers, body })
}

/** Creates a station of type K with a value. */
const valueOf = (code: string, value: number) => [
  { kind: 'dataTypes', items: [{ name: 'free' }] },
  { kind: 'stations', stationType: 'K', origin: 'X', items: [{ code }] },
  {
    kind: 'measurements',
    stationType: 'K',
    period: 60,
    items: [[code, 'free', new Date().toISOString(), value]],
  },
]

describeOn('postgresql', 'two nodes behind a proxy that retries', () => {
  let clone: TestDatabase
  let proxy: RetryingProxy
  let hubs: readonly HubProcess[] = []
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    const { settings } = clone
    const first = await startHub({ settings, environment })
    hubs = [first, await startHub({ settings, environment })]
    proxy = await startRetryingProxy(hubs.map(({ url }) => url))
    const token = await first.token('demo-provider')
    const items = Array.from({ length: 300 }, (_, at) => ({ Id: `R${String(at)}` }))
    await push({ url: first.url, token }, [{ kind: 'content', entity: 'Accommodation', items }])
    const isThere = async () => (await fetch(`${first.url}/v1/Accommodation/R299`)).ok
    await vi.waitUntil(isThere, { timeout: 60_000 })
  })
  afterAll(async () => {
    for (const hub of hubs) await stopHub(hub)
    await proxy.close()
    await clone.drop()
  })

  it('restart one after the other under load without a failed request', async () => {
    const [one, other] = hubs
    if (one === undefined || other === undefined) throw new Error('No hubs run')
    const clients = new Clients(proxy.url, await one.token('demo-provider'))
    clients.start()
    for (const [at, hub] of [one, other].entries()) {
      await pause(1000)
      const asked = performance.now()
      hub.process.kill('SIGTERM')
      expect(await hub.ended).toBe(0)
      expect(performance.now() - asked).toBeLessThan(10_000)
      const port = Number(new URL(hub.url).port)
      const again = await startHub({ settings: clone.settings, port, environment })
      hubs = hubs.with(at, again)
    }
    await pause(1000)
    await clients.stop()
    expect([...clients.statuses.keys()].sort()).toEqual(['GET 200', 'POST 200'])
    expect(proxy.cut()).toBe(0)
    expect(proxy.retries()).toBeGreaterThan(0)
  })

  it('show new data within a second and agree, even after one of them is killed', async () => {
    const text = async ({ url }: HubProcess) =>
      (await fetch(`${url}/v2/flat/K/*/latest?limit=-1`)).text()
    const token = (await hubs[0]?.token('demo-provider')) ?? ''
    for (const [at, killed] of hubs.entries()) {
      const other = hubs[1 - at]
      if (other === undefined) throw new Error('No other hub runs')
      // Responses that are polled are cached.
      for (let time = 0; time < 3; time++) await Promise.all(hubs.map(text))
      const pushed = Array.from({ length: 5 }, (_, value) =>
        push({ url: killed.url, token }, valueOf(`killed ${String(value)}`, at)),
      )
      await pause(30)
      killed.process.kill('SIGKILL')
      await Promise.allSettled(pushed)
      const port = Number(new URL(killed.url).port)
      const again = await startHub({ settings: clone.settings, port, environment })
      hubs = hubs.with(at, again)
      const code = `after ${String(at)}`
      expect((await push({ url: other.url, token }, valueOf(code, at))).status).toBe(200)
      const shows = async (hub: HubProcess) => (await text(hub)).includes(code)
      await vi.waitUntil(async () => (await shows(again)) || (await shows(other)), {
        timeout: 60_000,
        interval: 5,
      })
      // Fifty checks, 20 ms apart, take one second. They are counted, so that delays of this
      // process do not count against the hubs.
      for (let look = 0; !((await shows(again)) && (await shows(other))); look++) {
        expect(look).toBeLessThan(50)
        await pause(20)
      }
      // One of them started with an empty cache.
      const same = async () => (await text(again)) === (await text(other))
      await vi.waitUntil(same, { timeout: 60_000 })
    }
  })

  it('stop even if a client does not read its responses', async () => {
    const [hub] = hubs
    if (hub === undefined) throw new Error('No hub runs')
    const { hostname, port } = new URL(hub.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    const request = `GET /assets/${await largestAsset()} HTTP/1.1\r\nHost: x\r\n\r\n`
    socket.write(request.repeat(40))
    await pause(1500)
    const asked = performance.now()
    hub.process.kill('SIGTERM')
    expect(await hub.ended).toBe(0)
    const seconds = (performance.now() - asked) / 1000
    // The hub waited for the reader, but not forever.
    expect(seconds).toBeGreaterThan(15)
    expect(seconds).toBeLessThan(30)
    socket.destroy()
  })
})

/**
 * Returns the largest asset of the page. It is sent as a stream, so that the hub notices whether it
 * is read.
 */
async function largestAsset(): Promise<string> {
  const folder = fileURLToPath(new URL('../../web/dist/assets', import.meta.url))
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return names[sizes.indexOf(Math.max(...sizes))] ?? ''
}
