import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { post, startTokenService, storeAccounts } from '../../test/fixtures/token-service.ts'
import type { TokenService } from '../../test/fixtures/token-service.ts'
import { sql } from '../sql/index.ts'

const login = {
  grant_type: 'password',
  client_id: 'website',
  username: 'ada',
  password: 'lovelace',
}

describeWithDatabase('The token service', (database) => {
  let service: TokenService
  beforeAll(async () => {
    await storeAccounts(database())
    service = await startTokenService(database())
  })
  afterAll(() => service.app.close())

  const refresh = (token: unknown, client = 'website') =>
    post(service, {
      grant_type: 'refresh_token',
      client_id: client,
      refresh_token: String(token),
    })

  it('issues a refresh token at login, and an ID token with the scope openid', async () => {
    const { body } = await post(service, { ...login, scope: 'openid' })
    const text = expect.any(String)
    expect(Object.entries(body)).toEqual([
      ['access_token', text],
      ['expires_in', 300],
      ['refresh_expires_in', 7200],
      ['refresh_token', text],
      ['token_type', 'Bearer'],
      ['id_token', text],
      ['not-before-policy', 0],
      ['session_state', text],
      ['scope', 'openid profile email'],
    ])
    const about = { aud: 'website', email: 'ada@example.org', given_name: 'Ada' }
    expect(decodeJwt(String(body['id_token']))).toMatchObject(about)
    expect((await post(service, login)).body).not.toHaveProperty('id_token')
  })

  it('includes only the roles of a user that the client may see', async () => {
    const { body } = await post(service, login)
    const access = decodeJwt(String(body['access_token']))
    expect(access).toMatchObject({ azp: 'website', realm_access: { roles: ['BDP_A22'] } })
    const { body: full } = await post(service, { ...login, client_id: 'kiosk' })
    expect(decodeJwt(String(full['access_token']))).toMatchObject({
      preferred_username: 'Ada',
      realm_access: { roles: ['BDP_A22', 'ADMIN'] },
    })
  })

  it('rejects an ID token in place of an access token', async () => {
    const { body } = await post(service, { ...login, scope: 'openid' })
    expect((await service.verifyToken(String(body['id_token']))).kind).toBe('rejected')
  })

  it('respects the refresh limit of a client', async () => {
    const { body } = await post(service, { ...login, client_id: 'kiosk' })
    expect(body['refresh_expires_in']).toBe(60)
  })

  it('renews tokens with the refresh token, which changes each time', async () => {
    const { body: first } = await post(service, login)
    const { body: second, status } = await refresh(first['refresh_token'])
    expect(status).toBe(200)
    expect(second['refresh_token']).not.toBe(first['refresh_token'])
    expect(second['session_state']).toBe(first['session_state'])
    expect((await service.verifyToken(String(second['access_token']))).kind).toBe('verified')
  })

  it('renews tokens with the scope of the login, or a part of it, but no more', async () => {
    const { body: first } = await post(service, { ...login, scope: 'openid roles' })
    const renew = { grant_type: 'refresh_token', client_id: 'website' }
    const renewed = async (token: unknown, scope: string) =>
      await post(service, { ...renew, refresh_token: String(token), scope })
    const { status, body } = await renewed(first['refresh_token'], 'openid roles')
    const { scope } = decodeJwt(String(body['access_token']))
    expect([status, body['scope'], scope]).toEqual([200, ...Array(2).fill('openid profile email')])
    const more = await renewed(body['refresh_token'], 'openid phone')
    expect([more.status, more.body]).toEqual([
      400,
      { error: 'invalid_scope', error_description: 'Invalid scopes: phone' },
    ])
  })

  it('ends the session when a refresh token is used twice, since it may be stolen', async () => {
    const { body: first } = await post(service, login)
    const { body: second } = await refresh(first['refresh_token'])
    expect((await refresh(first['refresh_token'])).body['error']).toBe('invalid_grant')
    expect((await refresh(second['refresh_token'])).body['error']).toBe('invalid_grant')
  })

  it('renews at most once for concurrent requests with one refresh token', async () => {
    const { body } = await post(service, login)
    const asked = [1, 2, 3].map(() => refresh(body['refresh_token']))
    const renewed = (await Promise.all(asked)).filter(({ status }) => status === 200)
    expect(renewed.length).toBeLessThanOrEqual(1)
    expect(service.failures).toEqual([])
  })

  it('does not renew tokens for another client', async () => {
    const { body } = await post(service, login)
    const answer = await refresh(body['refresh_token'], 'kiosk')
    expect(answer.body['error_description']).toBe(
      "Invalid refresh token. Token client and authorized client don't match",
    )
  })

  it('does not renew a revoked token', async () => {
    const { body } = await post(service, login)
    const form = { token: String(body['refresh_token']), client_id: 'website' }
    expect((await post(service, form, { path: 'revoke' })).status).toBe(200)
    expect((await refresh(body['refresh_token'])).status).toBe(400)
  })

  it('does not renew tokens for a user who has been disabled', async () => {
    const { body } = await post(service, login)
    await database().execute(sql`update identity_user set enabled = false where username = 'Ada'`)
    const answer = await refresh(body['refresh_token'])
    await database().execute(sql`update identity_user set enabled = true where username = 'Ada'`)
    expect(answer.body).toEqual({ error: 'invalid_grant', error_description: 'Account disabled' })
  })

  describe('in development', () => {
    let development: TokenService
    beforeAll(async () => {
      development = await startTokenService(database(), { developmentClient: 'on' })
    })
    afterAll(() => development.app.close())
    const anybody = { ...login, client_id: 'anything', username: 'demo', password: 'demo' }

    it('lets any client log users in and refresh, with or without a secret', async () => {
      const first = await post(development, anybody)
      const odd = ['größe ☃', 'line\nbreak', '=', '=YQ', '日'.repeat(1_000)]
      for (const client_id of ['my app', '~', 'x'.repeat(1_000), ...odd]) {
        const { status, body } = await post(development, { ...anybody, client_id })
        expect([status, body['error_description']]).toEqual([200, undefined])
        expect(decodeJwt(String(body['access_token']))).toMatchObject({ azp: client_id })
        const refresh_token = String(body['refresh_token'])
        const again = { grant_type: 'refresh_token', client_id, refresh_token }
        expect(await post(development, { ...again, client_id: 'a' })).toMatchObject({ status: 400 })
        expect(await post(development, again)).toMatchObject({ status: 200 })
      }
      const tooLong = { ...anybody, client_id: 'x'.repeat(1_001) }
      expect((await post(development, tooLong)).status).toBe(401)
      const second = await post(development, {
        grant_type: 'refresh_token',
        client_id: 'anything',
        client_secret: 'ignored',
        refresh_token: String(first.body['refresh_token']),
      })
      expect([first.status, second.status]).toEqual([200, 200])
    })

    it('refuses client credentials of unknown clients; known ones need a secret', async () => {
      const own = { grant_type: 'client_credentials', client_id: 'anything' }
      const known = { ...anybody, client_id: 'demo-basic' }
      expect((await post(development, own)).status).toBe(401)
      expect((await post(development, known)).status).toBe(401)
    })

    it('does not accept a disabled client', async () => {
      await database().execute(
        sql`insert into identity_client (client_id, grant_types, enabled) values ('banned', '{password}', false)`,
      )
      const form = { ...anybody, client_id: 'banned' }
      expect((await post(development, form)).status).toBe(401)
    })

    it('is the only mode that accepts an unknown client', async () => {
      expect((await post(service, anybody)).status).toBe(401)
    })
  })
})
