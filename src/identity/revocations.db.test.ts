import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { post, startTokenService, storeAccounts } from '../../test/fixtures/token-service.ts'
import type { TokenService } from '../../test/fixtures/token-service.ts'
import { sql } from '../sql/index.ts'
import { endSessionsOf, openRevocations } from './revocations.ts'

const demo = { client_id: 'demo-closed', client_secret: 'demo-closed' }
const machine = { grant_type: 'client_credentials', ...demo }
const login = {
  grant_type: 'password',
  client_id: 'website',
  username: 'ada',
  password: 'lovelace',
}

describeWithDatabase('Access tokens', (database) => {
  let time = new Date()
  let here: TokenService
  let there: TokenService
  beforeAll(async () => {
    await storeAccounts(database())
    here = await startTokenService(database(), { now: () => time })
    there = await startTokenService(database(), { now: () => time })
  })
  afterAll(() => Promise.all([here.app.close(), there.app.close()]))
  beforeEach(() => {
    time = new Date()
  })

  const judged = async (token: unknown, service = here) => {
    const found = await service.verifyToken(String(token))
    return found.kind === 'rejected' ? found.reason : found.kind
  }
  const gone = 'The token was revoked'
  const tokensOf = async (form: typeof login | typeof machine) => (await post(here, form)).body
  const revoke = (form: Readonly<Record<string, string>>) => post(here, form, { path: 'revoke' })

  it('are rejected once revoked: here at once, on other nodes after a refresh', async () => {
    const { access_token: token } = await tokensOf(machine)
    const { access_token: other } = await tokensOf(machine)
    expect([await judged(token), await judged(token, there)]).toEqual(['verified', 'verified'])
    const { status, body } = await revoke({ ...demo, token: String(token) })
    expect([status, body]).toEqual([200, {}])
    expect(await judged(token)).toBe(gone)
    await there.revocations.refresh()
    expect([await judged(token, there), await judged(other, there)]).toEqual([gone, 'verified'])
    const asked = { ...demo, token: String(token) }
    const told = await post(here, asked, { path: 'token/introspect' })
    expect(told.body).toEqual({ active: false })
  })

  it('can be revoked only by their own client, which must authenticate', async () => {
    const { access_token: token } = await tokensOf(machine)
    const refused = [401, 'invalid_client']
    const wrong = await revoke({ ...demo, client_secret: 'x', token: String(token) })
    expect([wrong.status, wrong.body['error']]).toEqual(refused)
    for (const form of [{}, { client_id: 'x' }, { ...demo, client_secret: 'x' }]) {
      const { status, body } = await revoke({ ...form, token: 'a refresh token' })
      expect([status, body['error']]).toEqual(refused)
    }
    const stranger = await revoke({ client_id: 'website', token: String(token) })
    expect(stranger.status).toBe(200)
    const garbage = await revoke({ ...demo, token: 'a.b.c' })
    expect(garbage.status).toBe(200)
    expect(await judged(token)).toBe('verified')
  })

  it('are revoked with the refresh token of their session', async () => {
    const tokens = await tokensOf(login)
    await revoke({ client_id: 'website', token: String(tokens['refresh_token']) })
    expect(await judged(tokens['access_token'])).toBe(gone)
  })

  it('are revoked with their session when a refresh token is used twice', async () => {
    const first = await tokensOf(login)
    const renew = () =>
      post(here, {
        grant_type: 'refresh_token',
        client_id: 'website',
        refresh_token: String(first['refresh_token']),
      })
    const second = await renew()
    expect(await judged(second.body['access_token'])).toBe('verified')
    await renew()
    expect(await judged(first['access_token'])).toBe(gone)
    expect(await judged(second.body['access_token'])).toBe(gone)
  })

  it('are revoked for a whole user or client, and later ones are valid', async () => {
    const [user, client] = [await tokensOf(login), await tokensOf(machine)]
    const [row] = await database().query<{ id: string }>(
      sql`select id::text as id from identity_user where username = 'Ada'`,
    )
    await endSessionsOf(database(), { kind: 'user', id: row?.id ?? '' }, time)
    await endSessionsOf(database(), { kind: 'client', id: 'demo-closed' }, time)
    await here.revocations.refresh()
    const both = [user, client].map((tokens) => judged(tokens['access_token']))
    expect(await Promise.all(both)).toEqual([gone, gone])
    const refresh = { grant_type: 'refresh_token', client_id: 'website' }
    const again = await post(here, { ...refresh, refresh_token: String(user['refresh_token']) })
    expect(again.status).toBe(400)
    // In the same second, too.
    time = new Date(time.getTime() + 1)
    expect(await judged((await tokensOf(login))['access_token'])).toBe('verified')
    expect(await judged((await tokensOf(machine))['access_token'])).toBe('verified')
  })

  it('without the time in milliseconds are revoked with the second of the revocation', async () => {
    const ended = 1_800_000_000_500
    time = new Date(ended)
    await here.revocations.revoke({ kind: 'user', id: 'u' })
    const isRevoked = (claims: JWTPayload) => here.revocations.isRevoked({ sub: 'u', ...claims })
    expect([0, 1].map((more) => isRevoked({ iat: 1_800_000_000 + more }))).toEqual([true, false])
    const exact = [ended, ended + 1].map((iat_ms) => isRevoked({ iat: 1_800_000_000, iat_ms }))
    expect(exact).toEqual([true, false])
  })

  it('are removed from the list of revocations once they have expired', async () => {
    await here.revocations.revoke({ kind: 'token', id: 'early' })
    time = new Date(time.getTime() + 600_000)
    await here.revocations.revoke({ kind: 'token', id: 'late' })
    const rows = await database().query(sql`
      select from identity_revocation where kind = 'token' and expires < ${time}`)
    expect(rows).toEqual([])
  })
})

describeWithDatabase('The list of revoked tokens', (database) => {
  it('is polled repeatedly, and stays in force when a read fails', async () => {
    let tick = (): void => undefined
    let broken = false
    const errors: unknown[] = []
    const list = openRevocations({
      database: {
        ...database(),
        query: (statement) =>
          broken ? Promise.reject(new Error('gone')) : database().query(statement),
      },
      now: () => new Date(),
      every: (_, work) => {
        tick = work
        return () => {
          tick = () => undefined
        }
      },
      onError: (error) => errors.push(error),
    })
    await list.start()
    await database().execute(sql`
      insert into identity_revocation (kind, id, ended, expires)
      values ('token', 'a', now(), now() + interval '1 hour')`)
    tick()
    await expect.poll(() => list.isRevoked({ jti: 'a' })).toBe(true)
    broken = true
    tick()
    await expect.poll(() => errors).toEqual([new Error('gone')])
    expect(list.isRevoked({ jti: 'a' })).toBe(true)
    list.stop()
  })

  it('keeps a revocation that is added while it is being read', async () => {
    const [read, pass] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    const list = openRevocations({
      database: {
        ...database(),
        query: async (statement) => {
          const rows = await database().query<never>(statement)
          read.resolve(undefined)
          await pass.promise
          return rows
        },
      },
      now: () => new Date(),
      every: () => () => undefined,
      onError: () => undefined,
    })
    const reading = list.refresh()
    await read.promise
    await list.revoke({ kind: 'session', id: 'b' })
    pass.resolve(undefined)
    await reading
    expect(list.isRevoked({ sid: 'b' })).toBe(true)
  })
})
