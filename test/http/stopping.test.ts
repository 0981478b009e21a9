import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTestApp } from '../fixtures/test-app.ts'

it('A hub that stops answers what still comes over open connections, and closes them', async () => {
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
  let answers = ''
  socket.on('data', (bytes) => (answers += bytes.toString()))
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked.promise
  const closed = app.close()
  await immediate()
  socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
  await pause(100)
  mayAnswer.resolve(undefined)
  await once(socket, 'close')
  await closed
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  expect(answers).toMatch(/connection: close\r\n[^]*quick$/i)
})
