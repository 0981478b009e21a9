import { fastify } from 'fastify'
import Fastify from 'fastify'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { compressAnswers } from './request-hooks.ts'
import { answerUnrouted, errorHandler, formatErrors } from './error-handler.ts'

const app = Fastify()
afterAll(() => app.close())

it('sends a readable error when a compressed response fails before its first byte', async () => {
  await compressAnswers(app)
  const format = ({ code }: { readonly code: string }) => ({ code, padding: '.'.repeat(2000) })
  app.setErrorHandler(
    errorHandler(format, { publicUrl: 'http://hub.test', now: () => new Date(0) }),
  )
  app.get('/broken', (_request, reply) => {
    const stream = new Readable({
      read() {
        this.destroy(new Error('The database is away.'))
      },
    })
    return reply.type('application/json').send(stream)
  })
  const answer = await app.inject({ url: '/broken', headers: { 'accept-encoding': 'gzip' } })
  expect(answer.statusCode).toBe(500)
  const { rawPayload } = answer
  const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload
  expect(JSON.parse(body.toString())).toMatchObject({ code: 'HUB-SRV-001' })
})

it.each([
  ['GET', '/things/some.svg', 200],
  ['PUT', '/things/some.svg', 405],
  ['GET', '/things/line%0Abreak.svg', 404],
  ['GET', '/nothing', 404],
] as const)('responds to %s %s with %i', async (method, url, status) => {
  const app = fastify()
  answerUnrouted(app)
  app.get('/things/:key.svg', () => 'here')
  expect((await app.inject({ method, url })).statusCode).toBe(status)
})

it('formats errors for unrouted requests like the service that owns the path', async () => {
  const deps = { publicUrl: '', now: () => new Date(0) }
  const app = fastify()
  app.decorate('errorFormats', new Map())
  app.setErrorHandler(errorHandler(undefined, deps))
  answerUnrouted(app)
  await app.register((service) => {
    formatErrors(service, { below: '/own', format: ({ code }) => ({ own: code }) }, deps)
    service.get('/own/things', () => 'here')
  })
  const answers = async (method: 'GET' | 'PUT', url: string) =>
    (await app.inject({ method, url })).json()
  expect(await answers('GET', '/own/nothing?x=1')).toEqual({ own: 'HUB-RTE-001' })
  expect(await answers('PUT', '/own/things')).toEqual({ own: 'HUB-RTE-002' })
  expect(await answers('GET', '/own')).toEqual({ own: 'HUB-RTE-001' })
  expect(await answers('GET', '/owner')).toMatchObject({ errorCode: 'HUB-RTE-001' })
  const typeAt = async (url: string) => (await app.inject(url)).headers['content-type']
  expect(await typeAt('/own')).toBe('application/json; charset=utf-8')
  expect(await typeAt('/owner')).toBe('application/problem+json; charset=utf-8')
})

it.each([
  [400, 'FST_ERR_SOMETHING', 400],
  [406, 'FST_INVALID_MULTIPART_CONTENT_TYPE', 415],
  [413, 'FST_REQ_FILE_TOO_LARGE', 413],
  [500, 'FST_ERR_SOMETHING', 500],
  [400, 'UND_ERR_RESPONSE_STATUS_CODE', 500],
])(
  'responds to an error %i of Fastify or its plugins, %s, with %i',
  async (statusCode, code, status) => {
    const app = fastify()
    app.setErrorHandler(errorHandler((error) => error, { publicUrl: '', now: () => new Date(0) }))
    app.get('/', () => {
      throw Object.assign(new Error('a fault'), { code, statusCode })
    })
    expect((await app.inject('/')).statusCode).toBe(status)
  },
)
