import { decodeJwt, decodeProtectedHeader } from 'jose'
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
const machine = { grant_type: 'client_credentials', ...demo }
const basic = (credentials: string) => ({
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

describeWithDatabase('The token service', (database) => {
  let service: TokenService
  beforeAll(async () => {
    await storeAccounts(database())
    service = await startTokenService(database())
  })
  afterAll(() => service.app.close())

  it('issues a client a token with the fields of Keycloak, and no refresh token', async () => {
    const { status, body, headers } = await post(service, { ...machine, scope: 'openid' })
    expect(status).toBe(200)
    expect(Object.entries(body)).toEqual([
      ['access_token', expect.any(String)],
      ['expires_in', 300],
      ['refresh_expires_in', 0],
      ['token_type', 'Bearer'],
      ['not-before-policy', 0],
      ['scope', 'openid profile email'],
    ])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  })

  it('identifies the client in the token like Keycloak', async () => {
    const { body } = await post(service, machine)
    const access = String(body['access_token'])
    const claims = decodeJwt(access)
    expect(decodeProtectedHeader(access)).toMatchObject({ alg: 'RS256', typ: 'JWT' })
    expect(claims).toMatchObject({
      iss: issuer,
      aud: 'hub',
      sub: 'service-account-demo-closed',
      typ: 'Bearer',
      azp: 'demo-closed',
      preferred_username: 'service-account-demo-closed',
      realm_access: { roles: ['BDP_VIEW_CLOSED_DATA'] },
      scope: 'profile email',
      jti: expect.any(String),
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300)
  })

  it('issues tokens that the hub accepts', async () => {
    const { body } = await post(service, machine)
    expect(await service.verifyToken(String(body['access_token']))).toMatchObject({
      kind: 'verified',
      principal: { client: 'demo-closed', roles: new Set(['BDP_VIEW_CLOSED_DATA']) },
    })
  })

  it('authenticates a stored client by a secret in the form or by HTTP Basic', async () => {
    const grant = { grant_type: 'client_credentials' }
    const form = { ...grant, client_id: 'stored', client_secret: 'stored secret' }
    const answers = [
      await post(service, form),
      await post(service, grant, basic('stored:stored+secret')),
      await post(service, grant, basic('stored:stored%20secret')),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(decodeJwt(String(answers[0]?.body['access_token']))).toMatchObject({
      realm_access: { roles: ['BDP_A22'] },
      resource_access: { other: { roles: ['READER'] } },
    })
  })

  it('responds with 404 for other realms', async () => {
    const url = '/auth/realms/other/protocol/openid-connect/certs'
    const response = await service.app.inject({ url })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({ error: 'Realm does not exist' })
  })

  it('publishes its endpoints under the public URL, regardless of the Host header', async () => {
    const url = '/auth/realms/hub/.well-known/openid-configuration'
    const response = await service.app.inject({ url, headers: { host: 'inside:1234' } })
    expect(response.json()).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/protocol/openid-connect/token`,
      jwks_uri: `${issuer}/protocol/openid-connect/certs`,
      introspection_endpoint: `${issuer}/protocol/openid-connect/token/introspect`,
      userinfo_endpoint: `${issuer}/protocol/openid-connect/userinfo`,
      revocation_endpoint: `${issuer}/protocol/openid-connect/revoke`,
    })
  })

  it('publishes its public keys, and nothing private', async () => {
    const response = await service.app.inject({ url: `${endpoints}/certs` })
    const text = expect.any(String)
    const key = { kty: 'RSA', use: 'sig', alg: 'RS256', kid: text, e: 'AQAB', n: text }
    expect(response.json()).toEqual({ keys: [key] })
  })

  it('keeps the header fields that the hub sets for all responses', async () => {
    const other = await startTokenService(database())
    other.app.addHook('onRequest', async (_, reply) => {
      void reply.header('x-ours', 'yes')
    })
    expect((await post(other, machine)).headers['x-ours']).toBe('yes')
    await other.app.close()
  })

  it('shows no login page for a client that may not use it', async () => {
    const query = 'client_id=demo-closed&response_type=code&redirect_uri=https://evil.example'
    const response = await service.app.inject({ url: `${endpoints}/auth?${query}` })
    expect(response.statusCode).toBe(400)
    expect(response.headers['location']).toBeUndefined()
  })

  it('caused no internal error in the tests above', () => {
    expect(service.failures).toEqual([])
  })
})
