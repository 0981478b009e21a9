import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anonymous } from '../../src/access/index.ts'
import { createApp } from '../../src/app.ts'
import type { AnswerEarly, EarlyAnswer } from '../../src/http/index.ts'
import { connectRaw } from '../fixtures/raw-connection.ts'
import type { RawConnection } from '../fixtures/raw-connection.ts'

const early: EarlyAnswer = { status: 304, headers: { etag: '"1"', 'x-via': 'early' } }

const plain = 'GET /things/one HTTP/1.1\r\nHost: hub.test\r\n\r\n'
const upload = (bytes: number) =>
  `POST /things HTTP/1.1\r\nHost: hub.test\r\nContent-Type: text/plain\r\nContent-Length: ${String(bytes)}\r\n\r\n`

describe('Answers ahead of the framework', () => {
  let app: FastifyInstance
  let port: number
  let answer: AnswerEarly
  let lines: string[]
  const connections: RawConnection[] = []

  beforeEach(async () => {
    answer = () => early
    lines = []
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString())
        done()
      },
    })
    app = await createApp({
      log: pino({ level: 'info' }, sink),
      publicUrl: 'http://hub.test',
      version: '0.0.0',
      trustedProxies: [],
      now: () => new Date(),
      authenticate: () => Promise.resolve(anonymous),
      services: [things],
    })
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  afterEach(async () => {
    for (const { socket } of connections.splice(0)) socket.destroy()
    await app.close()
  })

  async function things(service: FastifyInstance): Promise<void> {
    service.addContentTypeParser(
      'text/plain',
      { parseAs: 'buffer', bodyLimit: 9e6 },
      (_request, body, done) => {
        done(null, body)
      },
    )
    service.get<{ Params: { name: string } }>(
      '/things/:name',
      {
        config: { early: ({ params }) => (params['name'] === 'late' ? undefined : () => answer()) },
      },
      ({ params }, reply) => reply.header('x-via', 'framework').send(`framework ${params.name}`),
    )
    service.post('/things', (request, reply) => {
      const size = Buffer.isBuffer(request.body) ? request.body.length : 0
      return reply.header('x-via', 'framework').send(String(size))
    })
    await Promise.resolve()
  }

  async function connect(): Promise<RawConnection> {
    const connection = await connectRaw(port)
    connections.push(connection)
    return connection
  }

  const via = async (connection: RawConnection, text: string) =>
    (await connection.ask(text)).headers['x-via']

  it('carry what those of the framework carry', async () => {
    const connection = await connect()
    const { headers: ours, status, body } = await connection.ask(plain)
    expect([status, body.length, ours['x-via']]).toEqual([304, 0, 'early'])
    const { headers: theirs } = await connection.ask(plain.replace('one', 'late'))
    const alike = (headers: Readonly<Record<string, string>>) =>
      Object.keys(headers)
        .filter((name) => !/^(?:etag|content-|x-via)/.test(name))
        .sort()
    expect(alike(ours)).toEqual(alike(theirs))
    for (const name of alike(ours).filter((some) => !['date', 'x-request-id'].includes(some)))
      expect(ours[name], name).toBe(theirs[name])
    expect(ours['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(ours['date']).toBe(new Date(ours['date'] ?? '').toUTCString())
  })

  it('come again and again on a connection, also to a request in other words', async () => {
    const connection = await connect()
    const other = plain.replace('\r\n\r\n', '\r\nAccept: */*\r\n\r\n')
    for (const text of [plain, plain, other, plain, other])
      expect(await via(connection, text)).toBe('early')
    answer = () => ({ ...early, headers: { 'x-via': 'changed' } })
    expect(await via(connection, plain)).toBe('changed')
  })

  it.each([
    ['a token', plain.replace('\r\n\r\n', '\r\nAuthorization: Bearer x\r\n\r\n')],
    ['a query string', plain.replace('one', 'one?a=b')],
    ['a preference', plain.replace('\r\n\r\n', '\r\nPrefer: handling=strict\r\n\r\n')],
    ['a range', plain.replace('\r\n\r\n', '\r\nRange: bytes=0-1\r\n\r\n')],
    ['a slash at the end', plain.replace('one', 'one/')],
    ['an escape', plain.replace('one', '%6fne')],
    ['a request of the route that it leaves to the framework', plain.replace('one', 'late')],
    ['the end of the connection', plain.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')],
    ['HTTP/1.0', plain.replace('HTTP/1.1', 'HTTP/1.0')],
    ['a body', upload(3).replace('\r\n\r\n', '\r\n\r\nabc')],
  ])('leave %s to it, at first and later', async (_name, text) => {
    expect(await via(await connect(), text)).toBe('framework')
    const connection = await connect()
    expect(await via(connection, plain)).toBe('early')
    expect(await via(connection, text)).toBe('framework')
  })

  it('leave whatever else there is to it as it was', async () => {
    const connection = await connect()
    const unknown = await connection.ask(plain.replace('things', 'nothing'))
    expect([unknown.status, unknown.headers['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
    const broken = await (await connect()).ask('BREW /things/one HTTP/1.1\r\n\r\n')
    expect([broken.status, broken.body.toString()]).toEqual([
      400,
      expect.stringContaining('HUB-RTE-005'),
    ])
    const head = await connect()
    head.write(plain.replace('GET', 'HEAD'))
    await once(head.socket, 'data')
  })

  it('leave two requests at once to it, and half of one', async () => {
    const two = await connect()
    two.write(plain + plain)
    expect([(await two.next()).headers['x-via'], (await two.next()).headers['x-via']]).toEqual([
      'framework',
      'framework',
    ])
    const half = await connect()
    half.write(plain.slice(0, 20))
    await pause(20)
    expect(await via(half, plain.slice(20))).toBe('framework')
  })

  it('leave a connection to it for good, with all that is sent', async () => {
    const connection = await connect()
    expect(await via(connection, plain)).toBe('early')
    const body = Buffer.alloc(5_000_000, 'x')
    connection.write(upload(body.length))
    connection.write(body)
    expect((await connection.next()).body.toString()).toBe(String(body.length))
    expect(await via(connection, plain)).toBe('framework')
    connection.write(plain + plain)
    for (let number = 0; number < 2; number++) expect((await connection.next()).status).toBe(200)
  })

  it('may be promised, in order; what is not promised after all is left to the framework', async () => {
    const connection = await connect()
    const promise = Promise.withResolvers<EarlyAnswer | undefined>()
    answer = () => promise.promise
    connection.write(plain)
    await pause(20)
    connection.write(plain.replace('one', 'late'))
    await pause(20)
    promise.resolve(early)
    expect((await connection.next()).headers['x-via']).toBe('early')
    expect((await connection.next()).body.toString()).toBe('framework late')
    answer = () => Promise.resolve(undefined)
    expect(await via(await connect(), plain)).toBe('framework')
  })

  it('that fail are left to the framework', async () => {
    answer = () => Promise.reject(new Error('no database'))
    expect(await via(await connect(), plain)).toBe('framework')
    answer = () => {
      throw new Error('a mistake')
    }
    expect(await via(await connect(), plain)).toBe('framework')
    answer = () => ({ status: 304, headers: { etag: 'a\r\nb' } })
    expect(await via(await connect(), plain)).toBe('framework')
  })

  it('have bodies, also for who reads slowly', async () => {
    const body = Buffer.alloc(8_000_000, 'é')
    answer = () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body })
    const connection = await connect()
    connection.write(plain)
    connection.socket.pause()
    await pause(50)
    connection.write(plain.replace('one', 'two'))
    await pause(50)
    connection.socket.resume()
    for (let number = 0; number < 2; number++) {
      const read = await connection.next()
      expect([read.status, read.headers['content-length']]).toEqual([200, String(body.length)])
      expect(read.body.equals(body)).toBe(true)
    }
  })

  it('go to a caller who has said all that it wants', async () => {
    const connection = await connect()
    connection.socket.end(plain)
    expect((await connection.next()).headers['x-via']).toBe('early')
    await connection.ended
  })

  it('are counted and logged as those of the framework', async () => {
    const connection = await connect()
    const ids: string[] = []
    for (let number = 0; number < 3; number++)
      ids.push((await connection.ask(plain)).headers['x-request-id'] ?? '')
    const metrics = (await app.inject('/metrics')).body
    const labels = '{method="GET",route="/things/:name",status="304"} 3'
    expect(metrics).toContain(`hub_http_requests_total${labels}`)
    expect(metrics).toContain(`hub_http_request_duration_seconds_count${labels}`)
    const logged = lines.map((line): unknown => JSON.parse(line)).slice(-4, -1)
    const line = {
      level: 30,
      method: 'GET',
      url: '/things/one',
      status: 304,
      msg: 'answered',
      address: '127.0.0.0',
    }
    expect(logged).toEqual(
      ids.map((reqId) =>
        expect.objectContaining({ ...line, reqId, milliseconds: expect.any(Number) }),
      ),
    )
  })

  it('end with the server: who has had one is let go, who waits is answered, who asks is refused', async () => {
    const [idle, waiting] = [await connect(), await connect()]
    expect(await via(idle, plain)).toBe('early')
    const promise = Promise.withResolvers<EarlyAnswer>()
    answer = () => promise.promise
    waiting.write(plain)
    await pause(20)
    const closed = app.close()
    await idle.ended
    promise.resolve(early)
    const last = await waiting.next()
    expect([last.headers['x-via'], last.headers['connection']]).toEqual(['early', 'close'])
    await waiting.ended
    await closed
  })
})
