import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { errorHandler, readJsonBodies } from './index.ts'

const app = fastify()
app.removeAllContentTypeParsers()
readJsonBodies(app)
const deps = { publicUrl: '', now: () => new Date(0) }
app.setErrorHandler(errorHandler(({ code, message }) => ({ code, message }), deps))
app.post('/', ({ body }) => ({ body }))

const send = async (payload: Buffer, headers: Readonly<Record<string, string>> = {}) => {
  const all = { 'content-type': 'application/json', ...headers }
  const answer = await app.inject({ method: 'POST', url: '/', payload, headers: all })
  return [answer.statusCode, answer.json<unknown>()]
}

it('reads UTF-8, with or without a byte order mark', async () => {
  const sound = [200, { body: { a: 'äöü' } }]
  const bytes = Buffer.from('{"a":"äöü"}')
  expect(await send(bytes)).toEqual(sound)
  expect(await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toEqual(sound)
  for (const charset of ['utf-8', '"UTF-8"', 'utf8', 'us-ascii']) {
    const headers = { 'content-type': `application/json; charset=${charset}` }
    expect([charset, await send(bytes, headers)]).toEqual([charset, sound])
  }
  expect(await send(bytes, { 'content-encoding': 'identity' })).toEqual(sound)
})

it('refuses bytes that are not UTF-8, and reports their position', async () => {
  const message = 'The body is not UTF-8: byte 7, counted from 0, begins no character.'
  expect(await send(Buffer.from('{"ä":"äö"}', 'latin1'))).toMatchObject([400, {}])
  expect(await send(Buffer.from('{"ä":"', 'utf8'))).toMatchObject([400, { code: 'HUB-BDY-001' }])
  const mixed = Buffer.concat([Buffer.from('{"ä":"'), Buffer.from('äö"}', 'latin1')])
  expect(await send(mixed)).toEqual([400, { code: 'HUB-BDY-001', message }])
})

it.each([
  ['content-type', 'application/json; charset=iso-8859-1', 'iso-8859-1'],
  ['content-encoding', 'gzip', 'gzip'],
])('refuses bodies with %s %s', async (header, value, named) => {
  const answer = await send(Buffer.from('{"a":1}'), { [header]: value })
  const message: unknown = expect.stringContaining(named)
  expect(answer).toEqual([415, { code: 'HUB-BDY-003', message }])
})
