import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { postgresqlSettings, withDatabase } from '../fixtures/database-settings.ts'
import { describeOn } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'
import { startCluster } from '../fixtures/postgresql-cluster.ts'
import type { Cluster } from '../fixtures/postgresql-cluster.ts'

const cluster = await startCluster()

/** Prefix of every secret in this test. */
const canary = 'canary7Q'
const realm = '/auth/realms/hub/protocol/openid-connect'

type Ask = Parameters<typeof fetch>[1] & { readonly path: string }

const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields)

/** Requests with secrets in every place where clients put them, correctly or not. */
const asks: readonly Ask[] = [
  { path: '/v1/Event', headers: { authorization: `Bearer ${canary}-bearer` } },
  { path: '/v1/Event', headers: { authorization: `Basic ${btoa(`x:${canary}-basic`)}` } },
  { path: '/v1/Event', headers: { authorization: `${canary}-alone` } },
  {
    path: '/v1/Event',
    headers: { cookie: `session=${canary}-cookie`, 'x-api-key': `${canary}-key` },
  },
  { path: `/v1/Event?access_token=${canary}-address` },
  { path: `/v2/flat/*?%74oken=${canary}-escaped&limit=1` },
  { path: `/nowhere?password=${canary}-nowhere&client_secret=${canary}` },
  { path: `/v1/Event?access_token=${canary}-twice&pagesize=x` },
  {
    path: `${realm}/token`,
    method: 'POST',
    body: form({
      grant_type: 'client_credentials',
      client_id: 'demo-provider',
      client_secret: `${canary}-secret`,
    }),
  },
  {
    path: `${realm}/token`,
    method: 'POST',
    body: form({
      grant_type: 'password',
      client_id: 'x',
      username: 'a',
      password: `${canary}-password`,
    }),
  },
  {
    path: `${realm}/token`,
    method: 'POST',
    body: form({ grant_type: 'refresh_token', client_id: 'x', refresh_token: `${canary}-refresh` }),
  },
  {
    path: `${realm}/token/introspect`,
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`demo-provider:${canary}-client`)}` },
    body: form({ token: `${canary}-introspected` }),
  },
  { path: `${realm}/logout?id_token_hint=${canary}-hint` },
  { path: `${realm}/auth?client_id=x&code=${canary}-code&redirect_uri=https://x.test` },
  {
    path: '/push/demo/x',
    method: 'POST',
    headers: { authorization: `Bearer ${canary}-push`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: `${canary}-body` }),
  },
  {
    path: '/v1/EventSearch',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"access_token": "${canary}-search", "pagesize": `,
  },
]

describeOn('postgresql', 'Secrets at the most detailed log level', () => {
  let hub: HubProcess
  let real: readonly string[] = []
  let database: Cluster
  const seen: string[] = []

  const ask = async ({ path, ...more }: Ask) => {
    const answer = await fetch(`${hub.url}${path}`, { redirect: 'manual', ...more })
    const text = await answer.text()
    seen.push(`${JSON.stringify([...answer.headers])} ${text}`)
    return { status: answer.status, text }
  }
  /** Sends and requests everything secret, whether or not the database is available. */
  const askAll = async () => {
    const [token = ''] = real
    const authorization = `Bearer ${token}`
    const statuses = []
    for (const one of asks) statuses.push((await ask(one)).status)
    for (const path of ['/v1/Event', '/v1/MetaData', `/v2/flat/*?access_token=${token}`])
      statuses.push((await ask({ path, headers: { authorization } })).status)
    const body = JSON.stringify({ kind: 'content', entity: 'Event', items: [{ Id: 'x' }] })
    const headers = { authorization, 'content-type': 'application/json' }
    statuses.push((await ask({ path: '/push/demo/x', method: 'POST', headers, body })).status)
    return statuses
  }

  beforeAll(async () => {
    if (cluster === undefined) throw new Error('There is no PostgreSQL')
    database = cluster
    const url = new URL(cluster.url)
    url.password = `${canary}-database`
    hub = await startHub({
      settings: postgresqlSettings(url.href),
      environment: {
        ...{ HUB_LOG_LEVEL: 'trace', HUB_QUOTA: 'on' },
        HUB_REDIS_URL: `redis://hub:${canary}-redis@127.0.0.1:1/0`,
      },
    })
    const token = await hub.token('demo-provider')
    const keys = await withDatabase(postgresqlSettings(cluster.url), (open) =>
      open.query<{ key: string }>(sql`select identity_key::text as key from identity_key`),
    )
    const parts = keys.flatMap(({ key }) => [...key.matchAll(/"d"+:\s*"+([\w-]{20,})"/g)])
    real = [token, ...parts.map(([, part = '']) => part)]
    expect(real.length).toBeGreaterThan(1)
  })
  afterAll(async () => {
    await stopHub(hub)
    await cluster?.stop()
  })

  it('appear in no log line, response or metric, even after failures', async () => {
    const before = await askAll()
    expect(before).toEqual(expect.arrayContaining([200, 400, 401, 404]))
    await database.halt('at once')
    expect(await askAll()).toContain(503)
    await database.resume()
    await expect.poll(async () => (await ask({ path: '/ready' })).status).toBe(200)
    await ask({ path: '/metrics' })
    await ask({ path: '/health' })
    await stopHub(hub)
    const written = hub.output()
    expect(written).toContain('"level":50')
    expect(written).toContain('/v1/Event?access_token=***')
    for (const text of [...seen, written]) {
      for (const secret of [canary, btoa(`x:${canary}-basic`).slice(0, -4), ...real])
        expect(text).not.toContain(secret)
    }
  })
})

describe('An invalid setting', () => {
  it('is reported without its value if it is secret', async () => {
    const settings = postgresqlSettings(`mysql://hub:${canary}@db/hub`)
    const failed = startHub({ settings, environment: { HUB_REDIS_URL: `http://:${canary}@x` } })
    const text = await failed.then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    expect(text).toMatch(/DATABASE_URL[^]*HUB_REDIS_URL|HUB_REDIS_URL[^]*DATABASE_URL/)
    expect(text).not.toContain(canary)
  })
})
