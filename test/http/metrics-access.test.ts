import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { metricsAccessOf } from '../../src/compose/compose-operation.ts'
import { loadConfig } from '../../src/config/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { createTestAppWith } from '../fixtures/test-app.ts'

const token = 'a-token-for-prometheus'

describe('/metrics', () => {
  let app: FastifyInstance
  afterEach(() => app.close())

  /** Opens a hub with the given settings. */
  const open = async (settings: Readonly<Record<string, string>>) => {
    app = await createTestAppWith({ metricsAccess: metricsAccessOf(loadConfig(settings)) })
  }
  const ask = (authorization?: string) =>
    app.inject({
      url: '/metrics',
      headers: authorization === undefined ? {} : { authorization },
    })

  it.each([
    [{}, 200],
    [{ HUB_HOST: '::1' }, 200],
    [{ HUB_HOST: '0.0.0.0' }, 404],
    [{ HUB_HOST: '192.168.0.7' }, 404],
    [{ HUB_HOST: '0.0.0.0', HUB_METRICS: 'on' }, 200],
    [{ HUB_METRICS: 'off' }, 404],
    [{ HUB_METRICS: `token:${token}` }, 401],
  ])('with the settings %j returns %d to anonymous callers', async (settings, status) => {
    await open(settings)
    expect((await ask()).statusCode).toBe(status)
  })

  it('with its own token is only for callers that send it', async () => {
    await open({ HUB_HOST: '0.0.0.0', HUB_METRICS: `token:${token}` })
    const right = await ask(`Bearer ${token}`)
    expect([right.statusCode, right.body]).toEqual([200, expect.stringContaining('hub_http_')])
    expect(right.headers).not.toHaveProperty('www-authenticate')
    // The role ADMIN does not grant access to metrics, and invalid tokens get the same response as
    // none.
    for (const wrong of ['Bearer admin', 'Bearer bad', `Basic ${token}`, 'Bearer', token]) {
      const answer = await ask(wrong)
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        expect.objectContaining({ errorCode: 'HUB-ACC-001' }),
      ])
      expect(answer.body).not.toContain(token)
    }
  })

  it('with its own port is served only there, until the hub stops', async () => {
    const port = await freePort()
    await open({ HUB_METRICS: String(port) })
    expect((await ask()).statusCode).toBe(404)
    const address = `http://127.0.0.1:${String(port)}`
    const answer = await fetch(`${address}/metrics`)
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('route="unrouted"'),
    ])
    expect((await fetch(`${address}/health`)).status).toBe(404)
    expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(405)
    await app.close()
    await expect(fetch(`${address}/metrics`)).rejects.toThrow()
  })

  it('prevents the hub from starting if its port is in use', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    await open({ HUB_METRICS: String(port) })
    await expect(app.ready()).rejects.toMatchObject({ code: 'EADDRINUSE' })
    other.close()
  })
})
