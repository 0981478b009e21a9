import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { CALLBACK, PORTAL, credentialsOf } from './accounts.ts'
import { authorize } from './browser.ts'
import {
  bearer,
  clientToken,
  clientTokens,
  membersOf,
  post,
  refreshed,
  userTokens,
} from './provider.ts'
import type { TokenProvider } from './provider.ts'

/**
 * Declares the tests of every way to get a token, and of the tokens' claims (push-traffic-auth.md
 * 4.2, interface 5.3 to 5.7).
 */
export function describeFlows(provider: () => TokenProvider): void {
  describe('gives tokens', () => {
    it('to a client for itself, without a refresh token and never cached', async () => {
      const { status, headers, body } = await clientTokens(provider(), 'machine')
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toContain('no-store')
      expect(body).toMatchObject({ refresh_expires_in: 0, token_type: 'Bearer' })
      expect(body['expires_in']).toSatisfy(isFiveMinutes)
      expect(body).not.toHaveProperty('refresh_token')
      expect(body).not.toHaveProperty('session_state')
      expect(String(body['scope']).split(' ')).toContain('openid')
    })

    it('to a client that proves itself by HTTP Basic', async () => {
      const basic = Buffer.from('machine:machine+secret').toString('base64')
      const plain = Buffer.from('machine:machine secret').toString('base64')
      const grant = { grant_type: 'client_credentials' }
      const statuses = await Promise.all(
        [basic, plain].map(async (coded) => {
          const { status } = await post(provider(), grant, { authorization: `Basic ${coded}` })
          return status
        }),
      )
      expect(statuses).toContain(200)
    })

    it('to a user by password, with a session that refreshes', async () => {
      const { status, body } = await userTokens(provider(), 'website')
      expect(status).toBe(200)
      expect(body).toMatchObject({
        expires_in: expect.toSatisfy(isFiveMinutes),
        refresh_expires_in: expect.toSatisfy(isTwoHours),
        token_type: 'Bearer',
        id_token: expect.any(String),
        session_state: expect.any(String),
      })
      expect(decodeJwt(String(body['id_token']))).toMatchObject({ aud: 'website', azp: 'website' })
    })

    it('anew for a refresh token, in the same session', async () => {
      const { body: first } = await userTokens(provider(), 'website')
      const { status, body } = await refreshed(provider(), 'website', first['refresh_token'])
      expect(status).toBe(200)
      expect(body['refresh_token']).not.toBe(first['refresh_token'])
      expect(body['session_state']).toBe(first['session_state'])
    })

    it('to a user in a browser, for a code with PKCE that counts once', async () => {
      const verifier = randomBytes(32).toString('base64url')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const code = await authorize(provider(), { challenge })
      const exchange = {
        grant_type: 'authorization_code',
        redirect_uri: CALLBACK,
        client_id: 'browser',
        code,
      }
      const wrong = await post(provider(), { ...exchange, code_verifier: 'x'.repeat(43) })
      expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      const again = await authorize(provider(), { challenge })
      const form = { ...exchange, code: again, code_verifier: verifier }
      const { status, body } = await post(provider(), form)
      expect(status).toBe(200)
      expect(decodeJwt(String(body['access_token']))).toMatchObject({ preferred_username: 'ada' })
      expect(await post(provider(), form)).toMatchObject({ status: 400 })
    })
  })

  describe('writes into a token', () => {
    it('who it is for, in the form of Keycloak, signed by a published key', async () => {
      const token = await clientToken(provider(), 'machine')
      const { issuer } = provider()
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'JWT' })
      const keys = createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`))
      const { payload } = await jwtVerify(token, keys, { issuer })
      expect(payload).toMatchObject({
        typ: 'Bearer',
        azp: 'machine',
        preferred_username: 'service-account-machine',
        sub: expect.any(String),
        jti: expect.any(String),
      })
      expect([payload.aud].flat()).toContain('hub')
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
    })

    it('the roles of a client in the realm and in other clients', async () => {
      expect(rolesOf(await clientToken(provider(), 'machine'))).toEqual(['BDP_A22', 'READER'])
      expect(rolesOf(await clientToken(provider(), 'unpusher'))).toEqual([])
    })

    it('all roles of a user where the client has full scope', async () => {
      const { body } = await userTokens(provider(), 'website')
      expect(rolesOf(String(body['access_token']))).toEqual(['ADMIN', 'BDP_A22', 'READER'])
    })

    it('only the roles of a user that a client of limited scope was assigned', async () => {
      const { body } = await userTokens(provider(), 'narrow')
      expect(rolesOf(String(body['access_token']))).toEqual(['BDP_A22'])
    })
  })

  describe('answers about tokens', () => {
    const inspect = (form: Readonly<Record<string, string>>) =>
      post(provider(), form, { path: 'token/introspect' })

    it('to a confidential client: active ones with their claims', async () => {
      const token = await clientToken(provider(), 'machine')
      const { body } = await inspect({ ...credentialsOf('inspector'), token })
      expect(body).toMatchObject({ active: true, client_id: 'machine', token_type: 'Bearer' })
    })

    it('to a confidential client: others as inactive and nothing more', async () => {
      const { body } = await inspect({ ...credentialsOf('inspector'), token: 'x' })
      expect(body).toEqual({ active: false })
    })

    it.each([
      ['a public client', { client_id: 'website', token: 'x' }, 403],
      ['a wrong secret', { client_id: 'inspector', client_secret: 'x', token: 'x' }, 401],
      ['a request without a token', credentialsOf('inspector'), 400],
    ])('but not to %s', async (_, form, status) => {
      expect((await inspect(form)).status).toBe(status)
    })

    it('to the bearer with the scope openid', async () => {
      const { issuer } = provider()
      const ask = (headers: Readonly<Record<string, string>>) =>
        fetch(`${issuer}/protocol/openid-connect/userinfo`, { headers })
      const { body } = await userTokens(provider(), 'website')
      const told = await ask(bearer(String(body['access_token'])))
      expect(await membersOf(told)).toMatchObject({ preferred_username: 'ada' })
      expect((await ask(bearer('x'))).status).toBe(401)
    })

    it('in its metadata: where everything is', async () => {
      const { issuer } = provider()
      const at = (path: string) => `${issuer}/protocol/openid-connect/${path}`
      const openid = await membersOf(await fetch(`${issuer}/.well-known/openid-configuration`))
      expect(openid).toMatchObject({
        issuer,
        token_endpoint: at('token'),
        jwks_uri: at('certs'),
        introspection_endpoint: at('token/introspect'),
        userinfo_endpoint: at('userinfo'),
        end_session_endpoint: at('logout'),
        revocation_endpoint: at('revoke'),
      })
      const uma = await membersOf(await fetch(`${issuer}/.well-known/uma2-configuration`))
      expect(uma).toMatchObject({ issuer, token_endpoint: at('token'), jwks_uri: at('certs') })
    })
  })
}

/**
 * Accepts one second less: Keycloak counts from the start of the second in which it received the
 * request.
 */
function isFiveMinutes(seconds: unknown): boolean {
  return seconds === 300 || seconds === 299
}

function isTwoHours(seconds: unknown): boolean {
  return seconds === 7200 || seconds === 7199
}

/**
 * Returns the roles that the hub reads (decision D60), without those that Keycloak grants to
 * everyone.
 */
function rolesOf(token: string): readonly string[] {
  const { realm_access: realm, resource_access: clients } = decodeJwt<{
    realm_access?: { roles?: string[] }
    resource_access?: Record<string, { roles?: string[] }>
  }>(token)
  return [...(realm?.roles ?? []), ...(clients?.[PORTAL]?.roles ?? [])]
    .filter((role) => !/^(default-roles-|offline_access$|uma_authorization$)/.test(role))
    .sort()
}
