import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { Backlog, pushMetrics } from '../../src/push/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { bodyLimit, hotels, usePushCollector } from '../fixtures/push-collector.ts'

describeWithDatabase('an overloaded push collector', (database) => {
  let free = Number.MAX_SAFE_INTEGER
  const now = () => new Date()
  const registry = new Registry()
  const limit = 3
  let backlog: Backlog | undefined
  const hub = usePushCollector(database, () => {
    backlog = new Backlog({
      database: database(),
      now,
      limit,
      freeBytes: () => Promise.resolve(free),
      reserve: 1000,
    })
    return { backlog, metrics: pushMetrics(registry, backlog, now), patience: 300 }
  })
  const { send, worker } = hub

  const countMessages = async () => {
    const [row] = await database().query<{ n: number }>(
      sql`select count(*)::integer as n from message`,
    )
    return row?.n ?? 0
  }

  const untilNothingWaits = async () => {
    const count = async () => {
      await backlog?.measure()
      return backlog?.waiting
    }
    await expect.poll(count).toBe(0)
  }

  it('returns 503 with Retry-After once too many messages wait, and stores nothing', async () => {
    await worker().stop()
    for (let count = 0; count < limit; count++) {
      expect((await send(hotels({ Id: `Q${String(count)}` }))).statusCode).toBe(200)
    }
    const before = await countMessages()
    const refused = await send(hotels({ Id: 'Q-LAST' }))
    expect(refused.json()).toMatchObject({ status: 503, errorCode: 'HUB-SRV-007' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await countMessages()).toBe(before)
    expect((await send('x', {}, '/push/other/x')).statusCode).toBe(403)
    await backlog?.measure()
    expect(backlog?.streams).toMatchObject([{ stream: 'demo/x', waiting: limit, dead: 0 }])
    const metrics = await registry.metrics()
    expect(metrics).toContain(`hub_push_waiting_messages{stream="demo/x"} ${String(limit)}`)
    expect(metrics).toMatch(/hub_push_oldest_waiting_seconds\{stream="demo\/x"\} \d/)
    expect(metrics).toContain('hub_push_refused_total{stream="demo/x",status="503"} 1')
    expect(metrics).toContain('hub_push_refused_total{stream="",status="403"} 1')
    worker().start()
    await untilNothingWaits()
    expect((await send(hotels({ Id: 'Q-AGAIN' }))).statusCode).toBe(200)
  })

  it('returns 503 while the disk is nearly full', async () => {
    await untilNothingWaits()
    free = 999
    await backlog?.measure()
    const before = await countMessages()
    const refused = await send('x')
    expect(refused.json()).toMatchObject({ status: 503, errorCode: 'HUB-SRV-006' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await countMessages()).toBe(before)
    free = 1000
    await backlog?.measure()
    expect((await send('x')).statusCode).toBe(200)
    free = Number.MAX_SAFE_INTEGER
    await backlog?.measure()
  })

  it('returns 408 to a sender that stalls in the body, and stores nothing of it', async () => {
    await untilNothingWaits()
    const app = hub.app()
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const before = await countMessages()
    const socket = connect(Number(port), '127.0.0.1')
    const head = [
      'POST /push/demo/x HTTP/1.1',
      'host: hub.test',
      'authorization: Bearer provider',
      'content-type: application/json',
      'content-length: 50000',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"kind":`)
    expect((await send('y')).statusCode).toBe(200)
    let answer = ''
    socket.on('data', (text) => {
      answer += text.toString()
    })
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*HUB-RTE-006/)
    expect(await countMessages()).toBe(before + 1)
  })

  it('refuses a body above the limit by its Content-Length or by the received bytes', async () => {
    await untilNothingWaits()
    const large = Buffer.alloc(bodyLimit + 1)
    const tooLarge = { status: 413, errorCode: 'HUB-BDY-002' }
    expect((await send(large)).json()).toMatchObject(tooLarge)
    const headers = { authorization: 'Bearer provider' }
    const inPieces = (body: Buffer) =>
      hub.app().inject({
        method: 'POST',
        url: '/push/demo/x',
        headers,
        payload: Readable.from([body.subarray(0, 1000), body.subarray(1000)]),
      })
    expect((await inPieces(large)).json()).toMatchObject(tooLarge)
    expect((await inPieces(large.subarray(1))).statusCode).toBe(200)
  })
})

/** Yields every object in a document. */
function* objectsIn(value: unknown): Iterable<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const member of Object.values(value)) yield* objectsIn(member)
}

describeWithDatabase('the description of the push collector', (database) => {
  const { app } = usePushCollector(database)

  it('is OpenAPI 3.0 in YAML, and all its references resolve', async () => {
    const answer = await app().inject('/apispec')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'application/yaml; charset=utf-8',
    ])
    const document: unknown = parse(answer.body)
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.0\.\d$/),
      info: { title: expect.any(String), version: expect.any(String) },
      servers: [{ url: expect.any(String) }],
      paths: {
        '/push/{provider}/{dataset}': {
          post: { requestBody: { content: { 'application/json': {}, 'text/csv': {} } } },
        },
        '/push/{provider}/{dataset}/{id}': { get: {} },
        '/push/{provider}/{dataset}/{id}/original': { get: {} },
      },
      components: { schemas: { ProblemDetails: {} }, securitySchemes: { bearer: {} } },
    })
    for (const status of [200, 400, 401, 403, 409, 413, 415, 422, 503]) {
      const place = `paths./push/{provider}/{dataset}.post.responses.${String(status)}`
      const response = resolved(document, place.split('.').reduce(memberOf, document))
      expect(memberOf(response, 'description')).toEqual(expect.any(String))
    }
    for (const part of objectsIn(document)) {
      expect(part).not.toMatchObject({ type: 'null' })
      expect(Array.isArray(memberOf(part, 'type'))).toBe(false)
      for (const member of ['const', '$id', 'prefixItems']) expect(part).not.toHaveProperty(member)
      expect(resolved(document, part)).toBeTypeOf('object')
    }
  })
})

/** Resolves a reference; returns anything else unchanged. */
function resolved(document: unknown, part: unknown): unknown {
  const reference = memberOf(part, '$ref')
  if (typeof reference !== 'string') return part
  return reference.slice(2).split('/').reduce(memberOf, document)
}

function memberOf(value: unknown, name: string): unknown {
  return value instanceof Object
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}
