import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { credentialsOf } from './accounts.ts'
import { post, refreshed, userTokens } from './provider.ts'
import type { TokenProvider } from './provider.ts'
import { newcomer } from './realm.ts'

type Form = Readonly<Record<string, string>>
type Refusal = readonly [title: string, form: Form, status: number, error: string, text: string]

const machine = { grant_type: 'client_credentials', ...credentialsOf('machine') }
const login = { grant_type: 'password', client_id: 'website', username: 'ada', password: 'x' }
const renewal = { grant_type: 'refresh_token', client_id: 'website' }
const badClient = 'Invalid client or Invalid client credentials'

/** The table of push-traffic-auth.md 4.3, with the wrong password of decision D64. */
const refusals: readonly Refusal[] = [
  [
    'no grant type',
    credentialsOf('machine'),
    400,
    'invalid_request',
    'Missing form parameter: grant_type',
  ],
  [
    'an unknown grant type',
    { ...machine, grant_type: 'x' },
    400,
    'unsupported_grant_type',
    'Unsupported grant_type',
  ],
  ['an unknown client', { ...machine, client_id: 'nobody' }, 401, 'invalid_client', badClient],
  ['a wrong secret', { ...machine, client_secret: 'x' }, 401, 'unauthorized_client', badClient],
  [
    'a missing secret',
    { grant_type: 'client_credentials', client_id: 'machine' },
    401,
    'unauthorized_client',
    badClient,
  ],
  ['a wrong password', login, 400, 'invalid_grant', 'Invalid user credentials'],
  [
    'an unknown user',
    { ...login, username: 'nobody' },
    400,
    'invalid_grant',
    'Invalid user credentials',
  ],
  [
    'no user name',
    { grant_type: 'password', client_id: 'website', password: 'x' },
    401,
    'invalid_request',
    'Missing parameter: username',
  ],
  [
    'a disabled user',
    { ...login, username: 'gone', password: 'long gone' },
    400,
    'invalid_grant',
    'Account disabled',
  ],
  [
    'the password flow where it is off',
    { ...login, ...credentialsOf('machine') },
    400,
    'unauthorized_client',
    'Client not allowed for direct access grants',
  ],
  [
    'a token of its own to a public client',
    { grant_type: 'client_credentials', client_id: 'website' },
    401,
    'unauthorized_client',
    'Public client not allowed to retrieve service account',
  ],
  [
    'a token of its own to a client for users',
    { grant_type: 'client_credentials', ...credentialsOf('no-machine') },
    401,
    'unauthorized_client',
    'Client not enabled to retrieve service account',
  ],
  ['no refresh token', renewal, 400, 'invalid_request', 'No refresh token'],
  [
    'a refresh token that is none',
    { ...renewal, refresh_token: 'x' },
    400,
    'invalid_grant',
    'Invalid refresh token',
  ],
  [
    'an unknown scope',
    { ...machine, scope: 'nonsense' },
    400,
    'invalid_scope',
    'Invalid scopes: nonsense',
  ],
]

/** Declares the tests of every error of the token endpoint. */
export function describeRefusals(provider: () => TokenProvider, kind: TokenProvider['kind']): void {
  describe('refuses', () => {
    it.each(refusals)('%s', async (_, form, status, error, description) => {
      const answer = await post(provider(), form)
      expect(answer).toMatchObject({ status, body: { error, error_description: description } })
      expect(answer.headers.get('cache-control')).toContain('no-store')
    })

    // Versions of Keycloak respond with 400 or 401, and with either text.
    it('no client at all', async () => {
      const { status, body } = await post(provider(), { grant_type: 'client_credentials' })
      expect([400, 401]).toContain(status)
      expect(body['error']).toBe('invalid_client')
    })

    it('a parameter that comes twice', async () => {
      const form: [string, string][] = [
        ...Object.entries(machine),
        ['grant_type', 'client_credentials'],
      ]
      const expected = { error: 'invalid_request', error_description: 'duplicated parameter' }
      expect(await post(provider(), form)).toMatchObject({ status: 400, body: expected })
    })

    it('a realm that it does not have', async () => {
      const { kind: known, issuer, rotateKeys } = provider()
      const elsewhere = { kind: known, rotateKeys, issuer: `${issuer}-not` }
      const expected = { status: 404, body: { error: 'Realm does not exist' } }
      expect(await post(elsewhere, machine)).toMatchObject(expected)
    })

    it('to give tokens to a GET', async () => {
      const { status } = await fetch(`${provider().issuer}/protocol/openid-connect/token`)
      expect([404, 405]).toContain(status)
    })

    // The embedded service has no users with a required action before login.
    if (kind === 'embedded') return
    it('a user who must act first', async () => {
      const form = { grant_type: 'password', client_id: 'website', ...newcomer }
      const expected = { error: 'invalid_grant', error_description: 'Account is not fully set up' }
      expect(await post(provider(), form)).toMatchObject({ status: 400, body: expected })
    })
  })

  describe('refuses to refresh', () => {
    const refused = (text: string) => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: text },
    })

    it('for another client', async () => {
      const { body } = await userTokens(provider(), 'website')
      const text = "Invalid refresh token. Token client and authorized client don't match"
      const answer = await refreshed(provider(), 'narrow', body['refresh_token'])
      expect(answer).toMatchObject(refused(text))
    })

    it('after the end of the token, which a client may have limited', async () => {
      const { body } = await userTokens(provider(), 'brief')
      expect(body['refresh_expires_in']).toBe(2)
      const renew = () => refreshed(provider(), 'brief', body['refresh_token'])
      await pause(3_100)
      expect(await renew()).toMatchObject(refused('Token is not active'))
    })

    it('after a token was used, which tells that somebody has a copy', async () => {
      const { body: first } = await userTokens(provider(), 'website')
      const { body: second } = await refreshed(provider(), 'website', first['refresh_token'])
      const reused = await refreshed(provider(), 'website', first['refresh_token'])
      expect(reused).toMatchObject(refused('Maximum allowed refresh token reuse exceeded'))
      expect(second).toHaveProperty('refresh_token')
    })

    it('after the logout', async () => {
      const { body } = await userTokens(provider(), 'website')
      const token = String(body['refresh_token'])
      const logout = await post(
        provider(),
        { client_id: 'website', refresh_token: token },
        { path: 'logout' },
      )
      expect(logout.status).toBe(204)
      const { status, body: refusal } = await refreshed(provider(), 'website', token)
      expect([status, refusal['error']]).toEqual([400, 'invalid_grant'])
      // The embedded service keeps nothing of an ended session from which it could state the
      // reason.
      const texts = ['Session not active', 'Invalid refresh token']
      expect(texts).toContain(refusal['error_description'])
    })

    it('what was revoked', async () => {
      const { body } = await userTokens(provider(), 'website')
      const token = String(body['refresh_token'])
      const revoked = await post(provider(), { client_id: 'website', token }, { path: 'revoke' })
      expect(revoked.status).toBe(200)
      const answer = await refreshed(provider(), 'website', token)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    })
  })
}
