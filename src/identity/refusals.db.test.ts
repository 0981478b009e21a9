import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import {
  endpoints,
  post,
  startTokenService,
  storeAccounts,
} from '../../test/fixtures/token-service.ts'
import type { TokenService } from '../../test/fixtures/token-service.ts'

const client = { grant_type: 'client_credentials' }
const machine = { ...client, client_id: 'demo-closed', client_secret: 'demo-closed' }
const stored = { client_id: 'stored', client_secret: 'stored secret' }
const noMachine = { ...client, client_id: 'no-machine', client_secret: 'stored secret' }
const login = {
  grant_type: 'password',
  client_id: 'website',
  username: 'Ada',
  password: 'lovelace',
}
const refresh = { grant_type: 'refresh_token', client_id: 'website' }
const twice = `${new URLSearchParams(machine).toString()}&scope=openid&scope=email`
const withNul = `${new URLSearchParams(machine).toString()}\0`

const badClient = 'Invalid client or Invalid client credentials'
const noAccount = 'Public client not allowed to retrieve service account'

type Form = Readonly<Record<string, string>> | string
type Refusal = readonly [title: string, form: Form, answer: string]

/** The errors of the table in push-traffic-auth.md 4.3, with decision D64. */
const refusals: readonly Refusal[] = [
  ['without grant_type', stored, '400 invalid_request: Missing form parameter: grant_type'],
  [
    'with another grant_type',
    { grant_type: 'x' },
    '400 unsupported_grant_type: Unsupported grant_type',
  ],
  ['without client_id', client, '400 invalid_client: Missing client_id parameter'],
  ['of an unknown client', { ...machine, client_id: 'x' }, `401 invalid_client: ${badClient}`],
  [
    'with a wrong secret',
    { ...machine, client_secret: 'x' },
    `401 unauthorized_client: ${badClient}`,
  ],
  [
    'with the placeholder of secrets',
    { ...machine, client_secret: 'kept elsewhere' },
    `401 unauthorized_client: ${badClient}`,
  ],
  [
    'without its secret',
    { ...client, client_id: 'stored' },
    `401 unauthorized_client: ${badClient}`,
  ],
  [
    'of a public client for itself',
    { ...client, client_id: 'website' },
    `401 unauthorized_client: ${noAccount}`,
  ],
  [
    'of one without service account',
    noMachine,
    '401 unauthorized_client: Client not enabled to retrieve service account',
  ],
  [
    'of one that may not log users in',
    { ...login, ...stored },
    '400 unauthorized_client: Client not allowed for direct access grants',
  ],
  [
    'of one that may not refresh',
    { ...refresh, ...stored, refresh_token: 'x' },
    '400 unauthorized_client: Client not allowed for this grant_type',
  ],
  [
    'with an unknown scope',
    { ...machine, scope: 'openid x' },
    '400 invalid_scope: Invalid scopes: x',
  ],
  [
    'for another resource',
    { ...machine, resource: 'urn:x' },
    '400 invalid_target: There is no such resource',
  ],
  ['with a parameter twice', twice, '400 invalid_request: duplicated parameter'],
  ['with a NUL in it', withNul, '400 invalid_request: A parameter contains NUL'],
  [
    'that is far too large',
    { ...machine, scope: 'x'.repeat(70_000) },
    '400 invalid_request: The form is too large',
  ],
  [
    'with a wrong password',
    { ...login, password: 'x' },
    '400 invalid_grant: Invalid user credentials',
  ],
  [
    'of an unknown user',
    { ...login, username: 'x' },
    '400 invalid_grant: Invalid user credentials',
  ],
  [
    'of a disabled user',
    { ...login, username: 'gone', password: 'gone' },
    '400 invalid_grant: Account disabled',
  ],
  [
    'without a user',
    { ...login, username: '' },
    '401 invalid_request: Missing parameter: username',
  ],
  ['to refresh nothing', refresh, '400 invalid_request: No refresh token'],
  [
    'to refresh garbage',
    { ...refresh, refresh_token: 'x' },
    '400 invalid_grant: Invalid refresh token',
  ],
]

describeWithDatabase('The token service refuses a request', (database) => {
  let service: TokenService
  beforeAll(async () => {
    await storeAccounts(database())
    service = await startTokenService(database())
  })
  afterAll(() => service.app.close())

  it.each(refusals)('%s', async (_, form, answer) => {
    const { status, body, headers } = await post(service, form)
    const { error, error_description: description, ...others } = body
    expect(`${String(status)} ${String(error)}: ${String(description)}`).toBe(answer)
    expect(others).toEqual({})
    expect(headers['cache-control']).toBe('no-store')
    expect(service.failures).toEqual([])
  })

  it('with HTTP Basic and a wrong secret, and names the scheme', async () => {
    const authorization = `Basic ${Buffer.from('stored:wrong').toString('base64')}`
    const { status, headers } = await post(service, client, { authorization })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('Basic')
  })

  it('with a raw NUL in it', async () => {
    const { statusCode, body } = await service.app.inject({
      method: 'POST',
      url: `${endpoints}/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=password&client_id=website&username=a\0b&password=c',
    })
    expect([statusCode, body]).toEqual([400, expect.stringContaining('A parameter contains NUL')])
    expect(service.failures).toEqual([])
  })

  it('whose body is not a form', async () => {
    const { status, body } = await post(service, machine, { 'content-type': 'application/json' })
    expect([status, body['error']]).toEqual([400, 'invalid_request'])
  })
})
