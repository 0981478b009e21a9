import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTestApp } from '../fixtures/test-app.ts'

/** Stops a hub while it processes a request. */
async function stopWhileAnswering() {
  const [asked, mayAnswer] = [
    Promise.withResolvers<undefined>(),
    Promise.withResolvers<undefined>(),
  ]
  const app = await createTestApp(async (service) => {
    service.get('/slow', async () => {
      asked.resolve(undefined)
      await mayAnswer.promise
      return 'slow'
    })
    service.get('/quick', () => 'quick')
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  let read = () => 0
  app.server.once('connection', (connection) => {
    read = () => connection.bytesRead
  })
  const answers: Buffer[] = []
  socket.on('data', (bytes) => answers.push(bytes))
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked.promise
  const closed = app.close()
  await immediate()
  return {
    socket,
    /** Returns how many bytes the hub has read. */
    read: () => read(),
    answer: () => {
      mayAnswer.resolve(undefined)
    },
    end: async () => {
      await Promise.all([once(socket, 'close'), closed])
      return Buffer.concat(answers).toString()
    },
  }
}

it('A stopping hub responds to requests on open connections, then closes them', async () => {
  const { socket, read, answer, end } = await stopWhileAnswering()
  const before = read()
  socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(read).toBeGreaterThan(before)
  answer()
  const answers = await end()
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  expect(answers).toMatch(/connection: close\r\n[^]*quick$/i)
})

it(
  'A stopping hub does not wait for idle keep-alive connections',
  // Less than the 72 seconds for which Fastify keeps idle connections open.
  { timeout: 30_000 },
  async () => {
    const { answer, end } = await stopWhileAnswering()
    answer()
    expect(await end()).toMatch(/^HTTP\/1\.1 200[^]*slow$/)
  },
)
