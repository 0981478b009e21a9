import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresqlSettings } from '../fixtures/database-settings.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { startCluster } from '../fixtures/postgresql-cluster.ts'
import type { Cluster } from '../fixtures/postgresql-cluster.ts'

const size = 320

/** Mounts a small disk. Only root may mount, and not in every container. */
async function mountSmallDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-test-disk-'))
  const options = `size=${String(size)}M,mode=777`
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  return status === 0 ? folder : undefined
}

const disk = await mountSmallDisk()
const leftOut = disk === undefined ? ' [left out: a disk of limited size takes root and mount]' : ''

const acceptance = Type.Object({ id: Type.String() })
const problem = Type.Object({ errorCode: Type.String() })
const health = Type.Object({ status: Type.Unknown() })

/**
 * Errors of a full disk. The second one occurs while the database is down: without space for its
 * log, PostgreSQL restarts.
 */
const noRoom = ['HUB-SRV-006']
const noRoomOrAway = [...noRoom, 'HUB-SRV-002']

type Sent = { readonly id: string; readonly body: Buffer }

async function send(hub: HubProcess, token: string, body: Buffer) {
  return fetch(`${hub.url}/push/demo/disk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
  })
}

/** Sends incompressible bodies until one is refused for one of these reasons. */
async function fill(hub: HubProcess, token: string, reasons: readonly string[]) {
  const accepted: Sent[] = []
  for (;;) {
    const body = randomBytes(4_000_000)
    const response = await send(hub, token, body)
    if (response.status !== 200) {
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(reasons).toContain(Parse(problem, await response.json()).errorCode)
      return accepted
    }
    accepted.push({ id: Parse(acceptance, await response.json()).id, body })
    if (accepted.length > size / 4) throw new Error('The disk is not as small as it should be')
  }
}

async function healthOf(hub: HubProcess) {
  return Parse(health, await (await fetch(`${hub.url}/health`)).json())
}

async function expectAllThere(hub: HubProcess, token: string, sent: readonly Sent[]) {
  for (const { id, body } of sent) {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${hub.url}/push/demo/disk/${id}/original`, { headers })
    const isSame = Buffer.from(await response.arrayBuffer()).equals(body)
    expect({ id, status: response.status, isSame }).toEqual({ id, status: 200, isSame: true })
  }
}

describe.skipIf(disk === undefined)(`a disk that fills up${leftOut}`, () => {
  const place = disk ?? ''
  const ballast = join(place, 'ballast')
  let cluster: Cluster | undefined
  beforeAll(async () => {
    writeFileSync(ballast, Buffer.alloc(40 * 1_048_576))
    const durable = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on']
    const smallLog = ['max_wal_size=32MB', 'min_wal_size=32MB']
    cluster = await startCluster({ place, more: [...durable, ...smallLog] })
  })
  afterAll(async () => {
    await cluster?.stop()
    execFileSync('umount', [place])
    await rm(place, { recursive: true })
  })

  it(
    'causes 503, loses no accepted message, and pushes continue once there is space',
    { timeout: 900_000 },
    async () => {
      if (cluster === undefined) throw new Error('There is no PostgreSQL')
      const settings = postgresqlSettings(cluster.url)
      // If the hub is given the location of the disk, it refuses messages before the database runs
      // out of space.
      const careful = { HUB_PUSH_DISK: place, HUB_PUSH_DISK_RESERVE: '48' }
      const first = await startHub({ settings, environment: careful })
      const token = await first.token('demo-provider')
      const before: Sent[] = []
      // Between two measurements the free space is estimated cautiously, so there may be a little
      // more.
      let state
      do {
        before.push(...(await fill(first, token, noRoom)))
        state = await healthOf(first)
      } while (state.status === 'ok')
      expect(before.length).toBeGreaterThan(3)
      // Messages that it could not read may be reported by then too.
      const full = { component: 'push', detail: expect.stringContaining('Nothing is accepted') }
      expect(state).toMatchObject({
        status: 'degraded',
        problems: expect.arrayContaining([full]),
      })
      await stopHub(first)
      // Without that setting, the hub notices it from the database's errors.
      const second = await startHub({ settings })
      const more = await fill(second, await second.token('demo-provider'), noRoomOrAway)
      expect(more.length).toBeGreaterThan(0)
      rmSync(ballast)
      // Without space for its log, a PostgreSQL server exits; a supervisor would start it again.
      await cluster.resume()
      const again = await second.token('demo-provider')
      const retry = async () => (await send(second, again, randomBytes(1000))).status
      await expect.poll(retry).toBe(200)
      await expectAllThere(second, again, [...before, ...more])
      await stopHub(second)
    },
  )
})
