import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../fixtures/test-app.ts'

describe('a request that is not valid HTTP', () => {
  let app: FastifyInstance
  let port: number

  beforeAll(async () => {
    app = await createTestApp()
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  afterAll(() => app.close())

  /** Sends raw text on a new connection and returns everything that the server sends back. */
  function send(request: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    socket.write(request)
    return text(socket)
  }

  const closing = 'Host: hub.test\r\nConnection: close\r\n\r\n'

  it.each([
    [
      'an address of more than 16 KiB',
      `GET /v1?a=${'x'.repeat(20_000)} HTTP/1.1\r\n${closing}`,
      431,
      'HUB-RTE-004',
    ],
    ['a method that HTTP does not know', `BREW /v1 HTTP/1.1\r\n${closing}`, 400, 'HUB-RTE-005'],
    ['a line that is not a request', 'hello\r\n\r\n', 400, 'HUB-RTE-005'],
    ['a header without a name', 'GET /v1 HTTP/1.1\r\n: value\r\n\r\n', 400, 'HUB-RTE-005'],
    ['no host', 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'HUB-RTE-005'],
    ['an unknown expectation', `GET /v1 HTTP/1.1\r\nExpect: x\r\n${closing}`, 417, 'HUB-RTE-010'],
  ])('returns a problem for %s, like every other error', async (_, request, status, code) => {
    const [head = '', body = ''] = (await send(request)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `))
    expect(head).toContain('application/problem+json')
    expect(head).toContain('access-control-allow-origin: *')
    expect(head).toMatch(/access-control-expose-headers: .*X-Request-Id/)
    expect(head).toContain('x-content-type-options: nosniff')
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/)
    expect(JSON.parse(body)).toMatchObject({ status, errorCode: code })
  })

  it('has the headers of every response if its path cannot be decoded', async () => {
    const unreadable = await app.inject('/v1/%zz')
    const usual = await app.inject('/nowhere')
    const names = Object.keys(usual.headers)
    expect([unreadable.statusCode, usual.statusCode]).toEqual([400, 404])
    expect(Object.keys(unreadable.headers)).toEqual(expect.arrayContaining(names))
    const exposed = 'access-control-expose-headers'
    expect(unreadable.headers[exposed]).toBe(usual.headers[exposed])
    expect(usual.headers[exposed]).toMatch(/\bAllow\b/)
  })

  it('returns an error after a valid request on the same connection', async () => {
    const socket = connect(port, '127.0.0.1')
    const answers = text(socket)
    socket.write('GET /docs/errors/HUB-RTE-006 HTTP/1.1\r\nHost: hub.test\r\n\r\n')
    await once(socket, 'data')
    socket.write('BREW /v1 HTTP/1.1\r\n\r\n')
    const written = await answers
    expect(written).toMatch(/^HTTP\/1.1 200 /)
    expect(written).toContain('HUB-RTE-005')
  })
})
