import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTracing } from '../../src/observe/index.ts'
import type { Tracing } from '../../src/observe/index.ts'
import { sql } from '../../src/sql/index.ts'
import { watchStatements } from '../../src/storage/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { startOtlpReceiver } from '../fixtures/otlp-receiver.ts'
import type { OtlpReceiver } from '../fixtures/otlp-receiver.ts'
import { createTestAppWith } from '../fixtures/test-app.ts'

const canary = 'canary7Q'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const kinds = { server: 2, client: 3, consumer: 5 }

const routesOn = (database: Database) => (app: FastifyInstance) => {
  app.get('/v1/things/:id', async () =>
    database.query(sql`select ${canary}::text as word where ${canary}::text is not null`),
  )
  app.get('/failing', async () => database.query(sql`select ${canary}::text::integer`))
  return Promise.resolve()
}

describeWithDatabase('Traces', (database) => {
  let receiver: OtlpReceiver
  let tracing: Tracing
  let app: FastifyInstance
  const now = () => new Date('2026-11-20T10:00:10Z')
  const open = async (share: number) => {
    const onError = (error: unknown) => {
      throw error
    }
    const endpoint = receiver.url
    tracing = await openTracing({ endpoint, share, version: '0.0.0', now, onError })
    app = await createTestAppWith(
      { tracing },
      routesOn(watchStatements(database(), tracing.around)),
    )
  }
  const sent = async () => {
    await tracing.stop()
    return receiver.spans
  }
  beforeEach(async () => {
    receiver = await startOtlpReceiver()
  })
  afterEach(async () => {
    await app.close()
    await receiver.close()
  })

  it('have a span for the request and for each of its statements, without any values', async () => {
    await open(1)
    const url = `/v1/things/${canary}?access_token=${canary}`
    await app.inject({ url, headers: { authorization: `Bearer ${canary}` } })
    const [statement, request, ...more] = await sent()
    expect(more).toEqual([])
    expect(request).toMatchObject({
      ...{ name: 'GET /v1/things/:id', kind: kinds.server },
      attributes: {
        ...{ 'http.route': '/v1/things/:id', 'http.request.method': 'GET' },
        'http.response.status_code': 200,
      },
    })
    expect(request?.parentSpanId ?? '').toBe('')
    expect(statement).toMatchObject({
      ...{ name: 'select', kind: kinds.client, traceId: request?.traceId },
      parentSpanId: request?.spanId,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': expect.stringMatching(/^select \$1::text as word where \$2::text/),
      },
    })
    expect(receiver.bodies.join()).not.toContain(canary)
  })

  it('continue the trace of the caller', async () => {
    await open(0)
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
    await app.inject({ url: '/v1/things/1', headers: { traceparent } })
    const spans = await sent()
    expect(spans).toHaveLength(2)
    expect(spans.map((span) => span.traceId)).toEqual([traceId, traceId])
    expect(spans[1]?.parentSpanId).toBe('00f067aa0ba902b7')
  })

  it.each(['nonsense', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', ''])(
    'are new if the caller sends the traceparent %j',
    async (traceparent) => {
      await open(1)
      await app.inject({ url: '/v1/things/1', headers: { traceparent } })
      const spans = await sent()
      expect(spans).toHaveLength(2)
      expect(spans[1]?.parentSpanId ?? '').toBe('')
    },
  )

  it('are not sent beyond the configured share', async () => {
    await open(0)
    await app.inject('/v1/things/1')
    expect(await sent()).toEqual([])
  })

  it('report errors by their code', async () => {
    await open(1)
    expect((await app.inject('/failing')).statusCode).toBe(500)
    const [statement, request] = await sent()
    expect(statement).toMatchObject({ attributes: { 'error.type': '22P02' }, status: { code: 2 } })
    expect(request).toMatchObject({ status: { code: 2 } })
    expect(receiver.bodies.join()).not.toContain(canary)
  })

  it('have a span for each pushed message', async () => {
    await open(1)
    const counts = { stored: 3, rejected: 0, seconds: 2 }
    tracing.settled({ id: 'm1', stream: 'demo/x', state: 'visible', ...counts })
    tracing.settled({ id: 'm2', stream: 'demo/x', state: 'dead', ...counts })
    const [first, second] = await sent()
    expect(first).toMatchObject({
      ...{ name: 'process demo/x', kind: kinds.consumer },
      attributes: {
        'messaging.message.id': 'm1',
        'hub.push.state': 'visible',
        'hub.push.stored': 3,
      },
    })
    expect(receiver.bodies.join()).toContain(`${String(now().getTime() - 2000)}000000`)
    expect(second).toMatchObject({ status: { code: 2 } })
  })
})

describe('An unreachable collector', () => {
  it('is reported to the operator, and does not stop the hub', async () => {
    const errors: unknown[] = []
    const tracing = await openTracing({
      ...{ endpoint: 'http://127.0.0.1:1', share: 1, version: '0.0.0', now: () => new Date() },
      onError: (error) => errors.push(error),
    })
    const app = await createTestAppWith({ tracing })
    expect((await app.inject('/metrics')).statusCode).toBe(200)
    await app.close()
    await tracing.stop()
    expect(errors.length).toBeGreaterThan(0)
  })
})
