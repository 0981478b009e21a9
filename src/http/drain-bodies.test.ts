import { fastify } from 'fastify'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drainBodies } from './request-hooks.ts'

const limits = { bytes: 20_000_000, time: 5000, silence: 500 }

describe('A request that gets a response before its body has arrived', () => {
  let app: FastifyInstance
  let socket: Socket
  let answer = ''
  let end: Promise<unknown>
  let answered: PromiseWithResolvers<undefined>

  beforeEach(async () => {
    app = fastify({ forceCloseConnections: 'idle' })
    drainBodies(app, limits)
    answered = Promise.withResolvers()
    const onRequest = async (_request: unknown, reply: FastifyReply) => {
      answered.resolve(undefined)
      return reply.code(401).send('no')
    }
    app.post('/', { onRequest }, () => 'yes')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [address] = app.addresses()
    answer = ''
    socket = connect(typeof address === 'object' ? address.port : 0, '127.0.0.1')
    socket.on('data', (bytes) => (answer += bytes.toString())).on('error', () => undefined)
    end = new Promise((resolve) => {
      socket.once('close', resolve)
    })
  })
  afterEach(async () => {
    socket.destroy()
    await app.close()
  })

  const head = (bytes: number, connection: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${String(bytes)}\r\n\r\n`

  it('is read to its end for a client that sends everything before reading', async () => {
    const bytes = 10_000_000
    socket.pause()
    socket.write(head(bytes, 'close'))
    await answered.promise
    const sent = new Promise<Error | undefined | null>((resolve) => {
      socket.write(Buffer.alloc(bytes), resolve)
    })
    expect(await sent).toBeFalsy()
    socket.resume()
    await end
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })

  it('leaves a persistent connection to the next request', async () => {
    socket.write(head(1000, 'keep-alive'))
    await answered.promise
    socket.write(Buffer.alloc(1000))
    socket.write(head(2, 'close'))
    socket.write('ok')
    await end
    expect(answer.match(/HTTP\/1.1 401 /g)).toHaveLength(2)
  })

  it.each(['close', 'keep-alive'])(
    'is aborted when no more data arrives: %s',
    async (connection) => {
      socket.write(head(1000, connection))
      const began = performance.now()
      await end
      expect(answer).toMatch(/^HTTP\/1.1 401 /)
      expect(performance.now() - began).toBeLessThan(4000)
    },
  )

  it('is aborted when too much data arrives', async () => {
    socket.write(head(1e12, 'close'))
    const piece = Buffer.alloc(1_000_000)
    const sendOn = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', sendOn)
    sendOn()
    await end
    expect(socket.bytesWritten).toBeGreaterThan(limits.bytes)
  })
})
