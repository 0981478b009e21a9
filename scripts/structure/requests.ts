import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { composeHub } from '../../src/compose/compose-hub.ts'
import { showExamples } from '../../src/compose/demo.ts'
import type { Hub } from '../../src/compose/compose-hub.ts'
import { loadConfig } from '../../src/config/index.ts'
import { watchCoverage } from './coverage.ts'
import type { CoverageWatch } from './coverage.ts'

/** The requests of which the files that run are measured. */
export const requestNames = ['list', 'latest', 'push', 'feed', 'save'] as const

type RequestName = (typeof requestNames)[number]

/**
 * Returns the files of `src` that run for each request, in a hub with example data that has already
 * processed the request a few times.
 */
export async function measureRequests(): Promise<Readonly<Record<RequestName, readonly string[]>>> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-structure-'))
  const { hub, close } = await openHub(folder)
  try {
    // Profiling slows code down, so it starts only when the examples have been stored.
    const watch = await watchCoverage()
    const requests = await makeRequests(hub)
    const filesOf = async (name: RequestName) => {
      for (let before = 0; before < 3; before++) await requests[name]()
      await untilIdle(watch)
      await requests[name]()
      return [...(await watch.take())].sort()
    }
    const unpolled = {
      list: await filesOf('list'),
      latest: await filesOf('latest'),
      feed: await filesOf('feed'),
      save: await filesOf('save'),
    }
    // From here on, the hub polls for pushed messages every second, also during other requests.
    await hub.listen()
    return { ...unpolled, push: await filesOf('push') }
  } finally {
    await close()
    await rm(folder, { recursive: true })
  }
}

/**
 * Waits until background work, such as counting records, has ended, because it is not part of the
 * request.
 */
async function untilIdle({ take }: CoverageWatch): Promise<void> {
  do await pause(300)
  while ((await take()).size > 0)
}

/**
 * Opens a hub in this process. Its timers never fire, so that only the request runs; its clock is
 * stopped, so that tokens stay valid and the catalogue, which is built first, stays current.
 */
async function openHub(folder: string) {
  const opened = new Date()
  const config = loadConfig({
    HUB_DATA_DIR: join(folder, 'data'),
    HUB_PORT: '0',
    HUB_METRICS: 'off',
    HUB_MAPPINGS: await copyMapping(folder),
  })
  const environment = {
    log: pino({ level: 'silent' }),
    platform: process.platform,
    now: () => opened,
    every: () => () => undefined,
    fetch,
    version: '0.0.0',
    originOf: () => 'default' as const,
  }
  const hub = await composeHub(config, environment, { mode: 'demo' })
  await showExamples({ hub, config, environment })
  await hub.app.inject('/catalogue')
  return { hub, close: hub.close }
}

/**
 * Copies a mapping of the project and assigns it to a stream to which the demo's provider may push.
 */
async function copyMapping(folder: string): Promise<string> {
  const mappings = join(folder, 'mappings')
  await cp(mapping, join(mappings, 'parking'), { recursive: true })
  const definition = join(mappings, 'parking', 'mapping.yaml')
  const text = await readFile(definition, 'utf8')
  await writeFile(definition, text.replace(/^stream: .*$/m, 'stream: demo/parking'))
  return mappings
}

const mapping = 'mappings/parking-famas'

/** Sends a request, which must succeed. */
type Send = (request: InjectOptions & { readonly url: string }) => Promise<{
  readonly body: string
  readonly json: <Answer>() => Answer
}>

async function makeRequests({ app }: Hub) {
  const send: Send = async (request) => {
    const answer = await app.inject(request)
    if (answer.statusCode >= 300) throw new Error(`${request.url}: ${answer.body}`)
    return answer
  }
  const editor = await authorize(send, 'demo-admin')
  let listed = 0
  let saved = 0
  return {
    // Differs each time, so that no cached plan is used.
    list: () => send({ url: `/v1/Accommodation?pagesize=${String(++listed)}` }),
    latest: () => send({ url: '/v2/flat,node/*/*/latest?limit=1' }),
    feed: () => send({ url: '/traffic/datex/2/' }),
    save: () =>
      send({
        method: 'POST',
        url: '/v1/HubActivityPoi',
        headers: editor,
        payload: { Id: `structure-${String(++saved)}`, Shortname: 'Structure' },
      }),
    push: await pusher(send),
  }
}

async function pusher(send: Send) {
  const provider = await authorize(send, 'demo-provider')
  const body = await readFile(join(mapping, 'samples', 'one.xml'))
  return async () => {
    const answer = await send({
      method: 'POST',
      url: '/push/demo/parking',
      headers: { ...provider, 'content-type': 'text/xml' },
      payload: body,
    })
    const { id } = answer.json<{ readonly id: string }>()
    await untilVisible(() => send({ url: `/push/demo/parking/${id}`, headers: provider }))
  }
}

async function authorize(send: Send, client: string) {
  const credentials = { grant_type: 'client_credentials', client_id: client, client_secret: client }
  const answer = await send({
    method: 'POST',
    url: '/auth/realms/hub/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(credentials).toString(),
  })
  const { access_token: token } = answer.json<{ readonly access_token: string }>()
  return { authorization: `Bearer ${token}` }
}

async function untilVisible(receipt: () => Promise<{ readonly body: string }>): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 100) {
    if ((await receipt()).body.includes('"state":"visible"')) return
    await pause(100)
  }
  throw new Error('The message did not become visible')
}
