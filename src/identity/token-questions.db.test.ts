import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import {
  endpoints,
  issuer,
  post,
  startTokenService,
  storeAccounts,
} from '../../test/fixtures/token-service.ts'
import type { TokenService } from '../../test/fixtures/token-service.ts'

const demo = { client_id: 'demo-closed', client_secret: 'demo-closed' }
const path = 'token/introspect'

type Form = Readonly<Record<string, string>>

describeWithDatabase('The token service', (database) => {
  let service: TokenService
  beforeAll(async () => {
    await storeAccounts(database())
    service = await startTokenService(database())
  })
  afterAll(() => service.app.close())

  const tokenOf = async (client: string, scope = 'openid') => {
    const credentials = { client_id: client, client_secret: client }
    const { body } = await post(service, {
      grant_type: 'client_credentials',
      scope,
      ...credentials,
    })
    return String(body['access_token'])
  }

  it('introspects a token for a client with a secret', async () => {
    const token = await tokenOf('demo-premium')
    const { body } = await post(service, { ...demo, token }, { path })
    expect(body).toMatchObject({ active: true, client_id: 'demo-premium', token_type: 'Bearer' })
  })

  it('introspects a refresh token, until it is revoked', async () => {
    const login = { grant_type: 'password', username: 'Ada', password: 'lovelace' }
    const { body } = await post(service, { ...login, client_id: 'website' })
    const token = String(body['refresh_token'])
    expect((await post(service, { ...demo, token }, { path })).body).toMatchObject({ active: true })
    await post(service, { token, client_id: 'website' }, { path: 'revoke' })
    expect((await post(service, { ...demo, token }, { path })).body).toEqual({ active: false })
  })

  it('reports only that an invalid token is not active', async () => {
    const { body } = await post(service, { ...demo, token: 'x' }, { path })
    expect(body).toEqual({ active: false })
  })

  it.each<readonly [string, Form, number]>([
    ['a client that does not prove itself', { ...demo, client_secret: 'x', token: 'x' }, 401],
    ['a public client', { client_id: 'website', token: 'x' }, 403],
    ['one that names no token', demo, 400],
  ])('refuses introspection to %s', async (_, form, status) => {
    expect((await post(service, form, { path })).status).toBe(status)
  })

  it('returns user info to the bearer of a token with the scope openid only', async () => {
    const ask = async (token: string) =>
      service.app.inject({
        url: `${endpoints}/userinfo`,
        headers: { authorization: `Bearer ${token}` },
      })
    const told = await ask(await tokenOf('demo-basic'))
    expect(told.json()).toMatchObject({ sub: 'service-account-demo-basic' })
    expect((await ask(await tokenOf('demo-basic', 'email'))).statusCode).toBe(403)
    const refused = await ask('x')
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toContain('invalid_token')
  })

  it('omits the error from the challenge if the token is missing (RFC 6750, 3.1)', async () => {
    const { statusCode, headers } = await service.app.inject({ url: `${endpoints}/userinfo` })
    expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer realm="hub"'])
  })

  it('accepts HTTP Basic, and requests Basic again after a wrong secret', async () => {
    const challengeTo = async (secret: string, path: string) => {
      const authorization = `Basic ${Buffer.from(`demo-basic:${secret}`).toString('base64')}`
      const form = { grant_type: 'client_credentials', token: 'x' }
      const { status, headers } = await post(service, form, { authorization, path })
      return [status, String(headers['www-authenticate'])]
    }
    expect(await challengeTo('demo-basic', 'token')).toEqual([200, 'undefined'])
    expect(await challengeTo('demo-basic', path)).toEqual([200, 'undefined'])
    expect(await challengeTo('x', 'token')).toEqual([401, expect.stringMatching(/^Basic /)])
    expect(await challengeTo('x', path)).toEqual([401, expect.stringMatching(/^Basic /)])
  })

  const decide = async (client: string, changes: Form = {}) => {
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'hub-push',
      permission: '/demo/parking',
      response_mode: 'decision',
      ...changes,
    }
    const authorization = `Bearer ${await tokenOf(client)}`
    const { status, body } = await post(service, form, { authorization })
    return [status, body]
  }
  const denied = [403, { error: 'access_denied', error_description: 'not_authorized' }]

  it('decides push permissions by its grants', async () => {
    expect(await decide('demo-provider')).toEqual([200, { result: true }])
    expect(await decide('demo-provider', { permission: '/other/x' })).toEqual(denied)
    expect(await decide('demo-basic')).toEqual(denied)
    expect(await decide('demo-admin', { permission: '/other/x' })).toEqual([200, { result: true }])
  })

  it('publishes the endpoint for decisions', async () => {
    const url = '/auth/realms/hub/.well-known/uma2-configuration'
    expect((await service.app.inject({ url })).json()).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/protocol/openid-connect/token`,
      jwks_uri: `${issuer}/protocol/openid-connect/certs`,
      introspection_endpoint: `${issuer}/protocol/openid-connect/token/introspect`,
    })
  })

  it('refuses decisions for another audience or mode, or without a valid token', async () => {
    expect(await decide('demo-admin', { audience: 'x' })).toMatchObject([400, {}])
    expect(await decide('demo-admin', { response_mode: 'permissions' })).toMatchObject([400, {}])
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket' }
    const { status, body } = await post(service, form, { authorization: 'Bearer x' })
    expect([status, body['error_description']]).toEqual([401, 'Invalid bearer token'])
  })
})
