import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAppWith } from '../fixtures/test-app.ts'

describe('A server with limits', () => {
  let app: FastifyInstance
  let port: number

  beforeAll(async () => {
    const limits = { headersTimeout: 1000, requestTimeout: 2000, maxConnections: 3 }
    app = await createTestAppWith({ limits }, (service) => {
      service.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
        done(null, body)
      })
      service.post('/echo', (request, reply) => reply.send(String(request.body)))
      return Promise.resolve()
    })
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  afterAll(() => app.close())

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const head = 'POST /echo HTTP/1.1\r\nHost: hub.test\r\nContent-Type: text/plain\r\n'

  /** Sends the pieces at a fixed interval until the server closes the connection. */
  const trickle = async (socket: Socket, pieces: Iterable<string>): Promise<string> => {
    const answer = text(socket)
    const queue = pieces[Symbol.iterator]()
    const timer = setInterval(() => {
      const { value, done } = queue.next()
      if (done !== true && socket.writable) socket.write(value)
    }, 50)
    try {
      return await answer
    } finally {
      clearInterval(timer)
      socket.destroy()
    }
  }

  function* forever(piece: string): Generator<string> {
    for (;;) yield piece
  }

  it('returns 408 for headers that arrive slowly', async () => {
    const socket = await open()
    const began = performance.now()
    socket.write(head)
    const answer = await trickle(socket, forever('X-A: b\r\n'))
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toContain('HUB-RTE-006')
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it('returns 408 for a body that arrives byte by byte, and serves others meanwhile', async () => {
    const socket = await open()
    socket.write(`${head}Content-Length: 100000\r\n\r\n`)
    const slow = trickle(socket, forever('x'))
    const other = await fetch(`http://127.0.0.1:${String(port)}/echo`, {
      method: 'POST',
      body: 'hi',
    })
    expect(await other.text()).toBe('hi')
    expect(await slow).toMatch(/^HTTP\/1.1 408 /)
  })

  it('closes connections beyond its limit, and accepts new ones when others end', async () => {
    const held = await Promise.all([open(), open(), open()])
    const beyond = await open()
    expect(await text(beyond).catch(() => '')).toBe('')
    for (const socket of held) socket.destroy()
    const again = async () => {
      const body = 'again'
      const url = `http://127.0.0.1:${String(port)}/echo`
      return (await fetch(url, { method: 'POST', body })).text().catch(() => '')
    }
    await expect.poll(() => again().catch(() => '')).toBe('again')
  })
})

describe('A server that closes', () => {
  it('does not wait for a client that is connected and has sent nothing', async () => {
    const app = await createTestAppWith({})
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    const ended = text(socket).catch(() => '')
    await fetch(`http://127.0.0.1:${port}/health`).then((response) => response.text())
    const began = performance.now()
    await app.close()
    expect(performance.now() - began).toBeLessThan(2000)
    expect(await ended).toBe('')
  })
})
