import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { answerUnrouted } from './not-found.ts'

it.each([
  ['GET', '/things/some.svg', 200],
  ['PUT', '/things/some.svg', 405],
  ['GET', '/things/line%0Abreak.svg', 404],
  ['GET', '/nothing', 404],
] as const)('answers %s %s with %i', async (method, url, status) => {
  const app = fastify()
  answerUnrouted(app)
  app.get('/things/:key.svg', () => 'here')
  expect((await app.inject({ method, url })).statusCode).toBe(status)
})
