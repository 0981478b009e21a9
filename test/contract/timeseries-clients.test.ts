import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientCalls, clientMessages } from '../fixtures/client-calls.ts'
import { openConformanceHub, pushAll } from '../fixtures/conformance-hub.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'

/**
 * Requests of the public system's clients, with what they read from the responses. In the
 * compatible profile these clients run unchanged (decision D0).
 */

describeWithDatabase('Clients of the public system', (database) => {
  let app: FastifyInstance
  beforeAll(async () => {
    await pushAll(database(), clientMessages)
    app = await openConformanceHub(database(), 'compatible')
  })
  afterAll(() => app.close())

  it.each(clientCalls)('receive what they read: %s, /v2/%s', async (_, url, reads) => {
    const response = await app.inject({ url: `/v2/${url.replaceAll(' ', '%20').replaceAll('"', '%22')}` })
    expect({ status: response.statusCode, body: response.json() }).toMatchObject({
      status: 200,
      body: reads,
    })
  })
})
