import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { post, startTokenService, storeAccounts } from '../../test/fixtures/token-service.ts'
import type { TokenService } from '../../test/fixtures/token-service.ts'

const login = { grant_type: 'password', client_id: 'website', username: 'ada' }
const machine = { grant_type: 'client_credentials', client_id: 'stored' }

describeWithDatabase('Guessing', (database) => {
  let time = new Date()
  let service: TokenService
  beforeAll(async () => {
    await storeAccounts(database())
    service = await startTokenService(database(), { now: () => time })
  })
  afterAll(() => service.app.close())
  const later = (seconds: number) => {
    time = new Date(time.getTime() + seconds * 1000)
  }

  it('a password causes pauses, in which right and wrong get the same response', async () => {
    const wrong = { status: 400, error: 'Invalid user credentials' }
    const ask = async (password: string) => {
      const { status, body } = await post(service, { ...login, password })
      return { status, error: body['error_description'] }
    }
    for (let n = 0; n < 5; n++) expect(await ask('x')).toEqual(wrong)
    const paused = { status: 429, error: 'Too many failed attempts; try again in 1 s' }
    expect(await ask('x')).toEqual(paused)
    expect(await ask('lovelace')).toEqual(paused)
    later(2)
    expect(await ask('lovelace')).toMatchObject({ status: 200 })
  })

  it('does not lock users out at an address where another node has seen them log in', async () => {
    later(1_000)
    const right = { ...login, password: 'lovelace' }
    expect((await post(service, right, { from: '192.0.2.1' })).status).toBe(200)
    const other = await startTokenService(database(), { now: () => time })
    const status = async (form: typeof right, from: string) =>
      (await post(other, form, { from })).status
    for (let n = 0; n < 12; n++)
      await status({ ...right, password: 'x' }, `198.51.100.${String(n)}`)
    expect(await status(right, '203.0.113.1')).toBe(429)
    expect(await status(right, '192.0.2.1')).toBe(200)
    later(40 * 86_400)
    const third = await startTokenService(database(), { now: () => time })
    for (let n = 0; n < 12; n++)
      await post(third, { ...right, password: 'x' }, { from: `198.51.100.${String(n)}` })
    expect((await post(third, right, { from: '192.0.2.1' })).status).toBe(429)
    await Promise.all([other.app.close(), third.app.close()])
    later(1_000)
  })

  it('many passwords at once gains nothing', async () => {
    later(1_000)
    const guesses = Array.from({ length: 30 }, (_, n) => (n === 29 ? 'lovelace' : String(n)))
    const asked = guesses.map((password) => post(service, { ...login, password }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
    later(120)
  })

  it('the secret of a client causes pauses too, at every endpoint', async () => {
    const ask = async (secret: string, path: string) => {
      const form = { ...machine, client_secret: secret, token: 'x' }
      return (await post(service, form, { path })).status
    }
    for (const path of ['token', 'token/introspect', 'token', 'token/introspect', 'token']) {
      expect(await ask('x', path)).toBe(401)
    }
    expect(await ask('stored secret', 'token')).toBe(429)
    expect(await ask('stored secret', 'token/introspect')).toBe(429)
    const refused = await post(service, { ...machine, client_secret: 'x' })
    expect(refused.headers).toMatchObject({ 'retry-after': '1' })
    later(2)
    expect(await ask('stored secret', 'token')).toBe(200)
  })

  it('is never suspected with the right secret: concurrent logins all succeed', async () => {
    later(1_000)
    const form = { ...machine, client_secret: 'stored secret' }
    const asked = Array.from({ length: 150 }, () => post(service, form))
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('at many accounts at once is refused before it exhausts memory', async () => {
    later(1_000)
    const asked = Array.from({ length: 50 }, (_, n) =>
      post(service, { ...login, username: `user ${String(n)}`, password: 'x' }),
    )
    const answers = await Promise.all(asked)
    const busy = answers.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]).toMatchObject({
      body: { error: 'temporarily_unavailable' },
      headers: { 'retry-after': '2' },
    })
    expect(service.failures).toEqual([])
  })
})
