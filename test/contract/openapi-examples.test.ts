import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishExports } from '../../src/compose/compose-exports.ts'
import { loadRegion, showExamples } from '../../src/compose/demo.ts'
import { sql } from '../../src/sql/index.ts'
import { loadConfig } from '../../src/config/index.ts'
import { toNaming } from '../../src/content/index.ts'
import { listPartitions } from '../../src/timeseries/index.ts'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { examplesOf } from '../fixtures/openapi/examples.ts'
import type { Example, Led } from '../fixtures/openapi/examples.ts'
import { retire } from '../fixtures/old-months.ts'

const settings = {
  ...{ HUB_IDENTITY: 'embedded', HUB_QUOTA: 'on', HUB_QUOTA_PER_ADDRESS: '100000' },
  ...{ HUB_ALERTS: 'docs/examples/alerts.yaml', HUB_SMTP_URL: 'smtp://127.0.0.1:9' },
  HUB_SMTP_FROM: 'hub@region.example',
}

/**
 * Operations that need more than a single request, such as the pages of a login in a browser, or
 * files from the internet.
 */
const apart: ReadonlyMap<string, string> = new Map(
  Object.entries({
    authorize: 'begins a login in a browser',
    resumeAuthorization: 'is a part of a login in a browser',
    showLogin: 'is a part of a login in a browser',
    logIn: 'is a part of a login in a browser',
    confirmLogout: 'is a part of a logout in a browser',
    endSession: 'takes the refresh token of a session',
    getVenueTypes: 'shows tags of a kind that the demo has none of',
    convertKMLAtUrl: 'fetches a file from the internet',
    convertGPXAtUrl: 'fetches a file from the internet',
    subscribe: 'sends to a host of the internet',
    removeRule: 'takes a number that only the list of rules has',
  }),
)

const answered = Type.Object({ access_token: Type.String() })

describeOnEngines('the examples of the OpenAPI document', (engine) => {
  let clone: TestDatabase
  let hub: ComposedHub
  let folder = ''
  let authorization = ''
  let document: unknown
  let led: Led

  beforeAll(async () => {
    clone = await cloneDatabase(engine)
    folder = await mkdtemp(join(tmpdir(), 'exports-'))
    hub = await openComposedHub(clone.settings, { ...settings, HUB_EXPORT_DIR: folder })
    await fill(hub)
    await publish()
    authorization = `Bearer ${await tokenOf(hub)}`
    document = (await hub.ask({ url: '/openapi.json' })).json()
    const pushed = await send(examplesOf(document, new Map()).find(({ operationId }) => operationId === 'push'))
    const { id } = Parse(Type.Object({ id: Type.String() }), pushed?.json())
    const created = await hub.ask({
      ...{ method: 'POST', url: '/changes/Accommodation/subscriptions', headers: { authorization } },
      payload: { url: 'http://127.0.0.1:9/' },
    })
    const subscribed = Parse(Type.Object({ id: Type.String() }), created.json())
    const file = await fileOf('Event')
    const month = await retireOldest(hub)
    const subscription = { id: subscribed.id }
    led = new Map(
      Object.entries({
        ...{ getReceipt: { id }, getOriginal: { id }, previewReplay: { id }, getExportFile: { file } },
        attachPartition: { month },
        ...{ getSubscription: subscription, unsubscribe: subscription },
      }),
    )
  }, 300_000)
  afterAll(async () => {
    await hub.close()
    await clone.drop()
    await rm(folder, { recursive: true })
  })

  async function publish() {
    const config = loadConfig({ ...settingsOf(clone), HUB_EXPORT_DIR: folder })
    const parts = { config, store: hub.store, environment: { now: hub.now, fetch } }
    await publishExports(parts, ['Event'], () => undefined)
  }

  async function fileOf(dataset: string) {
    const answer = await hub.ask({ url: `/exports/${dataset}/manifest.json` })
    return answer.json<{ files: readonly { url: string }[] }>().files[0]?.url.split('/').at(-1) ?? ''
  }

  async function send(example: Example | undefined) {
    if (example === undefined) return undefined
    const { method, url, body, takesToken } = example
    const type = body === undefined ? {} : { 'content-type': body.type }
    return hub.ask({
      ...{ method, url, headers: { ...(takesToken ? { authorization } : {}), ...type } },
      ...(body === undefined ? {} : { payload: body.text }),
    })
  }

  it('exist for every operation', () => {
    const examples = examplesOf(document, led)
    expect(examples.length).toBeGreaterThan(1000)
    expect(examples.filter(({ lacking }) => lacking.length > 0)).toEqual([])
  })

  it('succeed with a documented status, and cacheable responses have an ETag', async () => {
    const wrong: unknown[] = []
    const untagged = new Map<string, string | undefined>()
    for (const example of examplesOf(document, led)) {
      if (apart.has(example.operationId)) continue
      const answer = await send(example)
      const { statusCode = 0, body = '', headers = {} } = answer ?? {}
      const isTold = example.statuses.includes(String(statusCode))
      if (statusCode >= 300 || !isTold)
        wrong.push([example.method, example.url, statusCode, body.slice(0, 300)])
      if (example.method === 'GET' && headers.etag === undefined)
        untagged.set(example.operationId, headers['cache-control'])
    }
    expect(wrong).toEqual([])
    const kept = [...untagged].filter(([, caching]) => caching?.includes('no-store') !== true)
    // The OpenID Connect library writes these two responses itself.
    expect(kept.map(([id]) => id)).toEqual(['getOpenidConfiguration', 'getSigningKeys'])
  }, 300_000)
})

describe('operations whose examples are not tested', () => {
  it('state a reason', () => {
    for (const why of apart.values()) expect(why.length).toBeGreaterThan(10)
  })
})

/** Retires the oldest month of measurements. */
async function retireOldest({ store: { database } }: ComposedHub): Promise<string> {
  const listed = await listPartitions(database)
  const [oldest = '', next] = listed.flatMap(({ month }) => month ?? []).sort()
  await retire(database, next)
  return oldest
}

/** Loads a small region, and one example of each kind of data. */
async function fill({ store, publicUrl, now }: ComposedHub): Promise<void> {
  const naming = toNaming('Hub')
  const { signal } = new AbortController()
  const plan = { seed: 1, scale: 0.02, until: now(), naming, publicUrl }
  const loading = { store, now, signal, onProgress: () => undefined }
  await loadRegion({ part: 'present', plan }, loading)
  const environment = { now, every: () => () => undefined, log: pino({ level: 'silent' }) }
  await store.database.execute(sql`
    insert into alert (rule, subject, value, since, seen)
    values ('parking-silent', 'demo/parking', 31, ${now()}, ${now()})`)
  await store.database.execute(sql`
    insert into stored_mapping (stream, number, text, files, samples, saved_by)
    values ('demo/benches', 1, ${'version: 1\nstream: demo/benches\neach: x\n'}, '{}', '[]', 'demo')`)
  await showExamples({ hub: { store, publicUrl }, config: { HUB_PREFIX: 'Hub' }, environment })
}

function settingsOf({ settings: written }: TestDatabase): Record<string, string> {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, String(value)]))
}

async function tokenOf(hub: ComposedHub): Promise<string> {
  const form = new URLSearchParams({
    ...{ grant_type: 'client_credentials', scope: 'openid' },
    ...{ client_id: 'demo-admin', client_secret: 'demo-admin' },
  })
  const answer = await hub.ask({
    ...{ method: 'POST', url: '/auth/realms/hub/protocol/openid-connect/token' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
  return Parse(answered, answer.json()).access_token
}
