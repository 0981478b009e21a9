import type { FastifyInstance } from 'fastify'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { embeddedPushPermission } from '../../src/access/index.ts'
import { contentRoutes, entitiesOf, toNaming } from '../../src/content/index.ts'
import { PushWorker, canonicalKinds, canonicalPipeline, pushRoutes } from '../../src/push/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { silentLog } from '../fixtures/silent-log.ts'
import { createTestApp, publicUrl, visibilityOf } from '../fixtures/test-app.ts'

const entities = entitiesOf(toNaming('Hub'))
const limit = 100_000
const now = () => new Date()

describeWithDatabase('the push collector', (database) => {
  let app: FastifyInstance
  let worker: PushWorker

  beforeAll(async () => {
    const pipeline = canonicalPipeline(canonicalKinds(entities))
    const pipelines = [pipeline]
    worker = new PushWorker({ database: database(), pipelines, now, log: silentLog })
    app = await createTestApp(
      pushRoutes({
        database: database(),
        permission: embeddedPushPermission(() => [{ client: 'provider', pathPattern: '/demo/*' }]),
        wake: () => {
          worker.wake()
        },
        bodyLimit: limit,
        nearlyRead: (_stream, body) => pipeline.nearly?.(body),
        tryOut: () => Promise.resolve({ stored: 0, rejected: [] }),
        publicUrl,
        now,
      }),
      contentRoutes({ database: database(), entities, publicUrl, visibilityOf }),
    )
    worker.start()
  })
  afterAll(async () => {
    await app.close()
    await worker.stop()
  })

  const push = (
    body: string | Buffer,
    headers: Record<string, string> = {},
    url = '/push/demo/x',
  ) =>
    app.inject({
      method: 'POST',
      url,
      headers: { authorization: 'Bearer provider', 'content-type': 'application/json', ...headers },
      payload: body,
    })

  const receiptOf = async (id: string, authorization = 'Bearer provider') => {
    const response = await app.inject({ url: `/push/demo/x/${id}`, headers: { authorization } })
    return { status: response.statusCode, ...response.json() }
  }

  /** Pushes a message and waits until it has been processed. */
  const pushThrough = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const { id } = (await push(body, headers)).json()
    await expect
      .poll(() => receiptOf(id))
      .toMatchObject({ state: expect.stringMatching(/visible|rejected|empty|dead/) })
    return receiptOf(id)
  }

  const hotels = (...items: readonly object[]) =>
    JSON.stringify({ kind: 'content', entity: 'Accommodation', items })

  it('returns an id, stores valid items, and reports invalid ones', async () => {
    const receipt = await pushThrough(hotels({ Id: 'p1', Shortname: 'One' }, { Id: '' }))
    expect(receipt).toMatchObject({
      status: 200,
      stream: 'demo/x',
      state: 'visible',
      stored: 1,
      rejected: [{ index: 1, pointer: '/items/1/Id', reason: expect.any(String) }],
      contentType: 'application/json',
    })
    expect(Date.parse(receipt.visible)).toBeGreaterThanOrEqual(Date.parse(receipt.received))
    expect((await app.inject('/v1/Accommodation/P1')).json()).toMatchObject({ Shortname: 'One' })
  })

  it('rejects a message without any valid item', async () => {
    const nothing = { state: 'rejected', stored: 0, visible: null }
    expect(await pushThrough(hotels({}))).toMatchObject(nothing)
  })

  it('keeps a body in another format, waiting for a pipeline', async () => {
    const { id } = (await push('a;b\n1;2', { 'content-type': 'text/csv' })).json()
    await expect
      .poll(() => receiptOf(id))
      .toMatchObject({
        state: 'accepted',
        reason: 'no pipeline',
        contentType: 'text/csv',
        bytes: 7,
        warnings: [{ index: null, line: 1, reason: expect.stringMatching(/^is not JSON: /) }],
      })
  })

  it('marks a message without items as empty', async () => {
    expect(await pushThrough(hotels())).toMatchObject({
      state: 'empty',
      reason: 'it has no items',
      stored: 0,
      visible: null,
    })
  })

  it('warns of a misspelt kind in the 200 response', async () => {
    const sent = await push('{"kind":"station","stationType":"T","items":[]}')
    const warning = {
      index: null,
      pointer: '/kind',
      reason: 'is not a known kind; did you mean stations?',
    }
    expect(sent.json()).toEqual({
      message: 'Data accepted',
      id: expect.any(String),
      warnings: [warning],
    })
    await expect.poll(() => receiptOf(sent.json().id)).toMatchObject({ warnings: [warning] })
    const packed = gzipSync('{"kind":"station","stationType":"T","items":[]}')
    const gzip = await push(packed, { 'content-encoding': 'gzip' })
    expect(gzip.json()).toMatchObject({ message: 'Data accepted', warnings: [warning] })
  })

  it('decompresses gzip, up to a limit', async () => {
    const packed = gzipSync(hotels({ Id: 'gz' }))
    expect(await pushThrough(packed, { 'content-encoding': 'gzip' })).toMatchObject({ stored: 1 })
    const bomb = await push(gzipSync(Buffer.alloc(limit * 10)), { 'content-encoding': 'gzip' })
    expect([bomb.statusCode, bomb.json().errorCode]).toEqual([413, 'HUB-BDY-002'])
    const broken = await push(Buffer.from('no gzip'), { 'content-encoding': 'gzip' })
    expect([broken.statusCode, broken.json().errorCode]).toEqual([400, 'HUB-BDY-001'])
    const other = await push('x', { 'content-encoding': 'zstd' })
    expect([other.statusCode, other.json().errorCode]).toEqual([415, 'HUB-BDY-003'])
  })

  it('accepts an empty body and one without a content type', async () => {
    expect((await push('')).statusCode).toBe(200)
    const bare = await app.inject({
      method: 'POST',
      url: '/push/demo/x',
      headers: { authorization: 'Bearer provider' },
      payload: Buffer.from('bytes'),
    })
    expect(bare.json()).toEqual({ message: 'Data accepted', id: expect.any(String) })
  })

  it('refuses a body above the limit', async () => {
    const { statusCode, json } = await push('x'.repeat(limit + 1))
    expect(statusCode).toBe(413)
    expect(json()).toMatchObject({ message: expect.any(String), errorCode: 'HUB-BDY-002' })
  })

  it('requires a token and permission for the path before it reads the body', async () => {
    const none = await app.inject({
      method: 'POST',
      url: '/push/demo/x',
      payload: 'x'.repeat(limit * 2),
    })
    expect([none.statusCode, none.json().errorCode]).toEqual([401, 'HUB-ACC-001'])
    expect(none.headers['www-authenticate']).toMatch(/^Bearer/)
    const odd = await app.inject({ method: 'POST', url: '/push/demo/%C3%A4', payload: 'x' })
    expect([odd.statusCode, odd.json().errorCode]).toEqual([401, 'HUB-ACC-001'])
    for (const name of ['ä', 'x'.repeat(101)]) {
      const wrong = await push('x', {}, `/push/demo/${encodeURIComponent(name)}`)
      const detail = expect.stringMatching(/^"(ä|x+)" is not a valid dataset: .* 100 characters/)
      expect(wrong.json()).toMatchObject({ status: 400, errorCode: 'HUB-QRY-001', detail })
    }
    const bad = await push('x', { authorization: 'Bearer bad' })
    expect([bad.statusCode, bad.json().errorCode]).toEqual([401, 'HUB-ACC-002'])
    const elsewhere = await push('x', {}, '/push/other/x')
    expect(elsewhere.statusCode).toBe(403)
    expect(elsewhere.json()).toMatchObject({ message: 'Not authorized', errorCode: 'HUB-ACC-003' })
    expect((await push('x', { authorization: 'Bearer admin' }, '/push/other/x')).statusCode).toBe(
      200,
    )
  })

  it('reports ignored parameters, and refuses them under strict handling', async () => {
    const taken = await push('{}', {}, '/push/demo/x?dryrnu=1')
    expect([taken.statusCode, taken.headers['x-ignored-parameters']]).toEqual([200, 'dryrnu'])
    const refused = await push('{}', { prefer: 'handling=strict' }, '/push/demo/x?dryrnu=1')
    expect(refused.statusCode).toBe(400)
    expect(refused.json().errors).toMatchObject([{ parameter: 'dryrnu', expected: ['dryrun'] }])
  })

  it('shows a receipt only to callers who may push there, and only on its stream', async () => {
    const { id } = (await push(hotels())).json()
    expect((await receiptOf(id, 'Bearer closed')).status).toBe(404)
    expect((await receiptOf('00000000-0000-4000-8000-000000000000')).status).toBe(404)
    expect((await receiptOf('not-a-uuid')).status).toBe(404)
    const elsewhere = await app.inject({
      url: `/push/demo/y/${id}`,
      headers: { authorization: 'Bearer provider' },
    })
    expect(elsewhere.statusCode).toBe(404)
  })

  it.each(['/push/demo', '/push/demo/x/y/z', '/push/demo/a%20b'])(
    'has no stream at %s',
    async (url) => {
      expect([400, 404, 405]).toContain((await push('x', {}, url)).statusCode)
    },
  )

  it('lets only an ADMIN set the transaction time', async () => {
    const types = (name: string) =>
      JSON.stringify({ kind: 'dataTypes', recorded: '2020-01-01T00:00:00Z', items: [{ name }] })
    expect(await pushThrough(types('a'))).toMatchObject({
      state: 'rejected',
      rejected: [{ index: null, pointer: '/recorded' }],
    })
    expect(await pushThrough(types('a'), { authorization: 'Bearer admin' })).toMatchObject({
      state: 'visible',
      stored: 1,
    })
  })

  it('lets only an ADMIN set the transaction time of edges', async () => {
    const link = { kind: 'edges', edgeType: 'Link', recorded: '2020-01-01T00:00:00Z', items: [] }
    const message = JSON.stringify({ ...link, items: [{ code: 'recorded' }] })
    expect(await pushThrough(message)).toMatchObject({ rejected: [{ pointer: '/recorded' }] })
    expect(await pushThrough(message, { authorization: 'Bearer admin' })).toMatchObject({
      state: 'visible',
      stored: 1,
    })
  })

  it('stores all kinds of one NDJSON message in order', async () => {
    const lines = [
      { kind: 'dataTypes', items: [{ name: 'free', unit: '' }] },
      {
        kind: 'stations',
        stationType: 'ParkingStation',
        origin: 'X',
        items: [{ code: 'p', name: 'P' }],
      },
      {
        kind: 'measurements',
        stationType: 'ParkingStation',
        period: 300,
        items: [
          ['p', 'free', '2026-11-20T10:00:00Z', 5],
          ['nowhere', 'free', '2026-11-20T10:00:00Z', 5],
          ['p', 'free', '2026-02-31T10:00:00Z', 5],
          ['p', 'free', '2026-11-20T10:00:00', 5],
          ['p', 'free', '2026-11-20T10:05:00Z', null],
        ],
      },
      {
        kind: 'edges',
        edgeType: 'Link',
        items: [{ code: 'e', from: { type: 'ParkingStation', code: 'p' } }],
      },
      { kind: 'events', origin: 'X', items: [{ uuid: 'u1', title: { en: 'Jam' } }] },
    ]
    const receipt = await pushThrough(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(receipt).toMatchObject({ state: 'visible', stored: 5 })
    expect(
      receipt.rejected.map(({ line, index }: { line: number; index: number }) => [line, index]),
    ).toEqual(
      expect.arrayContaining([
        [3, 1],
        [3, 2],
        [3, 3],
        [3, 4],
      ]),
    )
    expect(receipt.rejected).toHaveLength(4)
  })

  it('processes messages that arrived while the worker was stopped', async () => {
    await worker.stop()
    const { id } = (await push(hotels({ Id: 'later' }))).json()
    expect(await receiptOf(id)).toMatchObject({ state: 'accepted' })
    worker.start()
    await expect.poll(() => receiptOf(id)).toMatchObject({ state: 'visible' })
  })
})
