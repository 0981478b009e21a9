import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeAs } from '../../src/access/index.ts'
import { addClient, addUser } from '../../src/admin/index.ts'
import { hashSecret } from '../../src/identity/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Headers = Readonly<Record<string, string>>

const json = { 'content-type': 'application/json' }

/** Returns a function that sends requests as one caller and returns status, headers and body. */
const callerOf = (hub: () => ComposedHub, headers: Headers) => {
  return async (method: Method, url: string, body?: unknown) => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const sent = { ...headers, ...(body === undefined ? {} : json) }
    const response = await hub().ask({ method, url, headers: sent, ...payload })
    const answer: unknown = response.body === '' ? null : response.json()
    return { status: response.statusCode, headers: response.headers, body: Object(answer) }
  }
}

const tokens = '/auth/realms/hub/protocol/openid-connect/token'

async function grant(hub: ComposedHub, form: Headers) {
  const response = await hub.ask({
    ...{ method: 'POST', url: tokens, payload: new URLSearchParams(form).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const { access_token: token } = response.json<{ readonly access_token?: string }>()
  return { status: response.statusCode, headers: { authorization: `Bearer ${token ?? ''}` } }
}

/** Creates the form with which a program requests a token with its own secret. */
const programs = (client_id: string, client_secret: string) => ({
  ...{ grant_type: 'client_credentials', client_id, client_secret },
})

describeOn('postgresql', 'Access management over HTTP', () => {
  let hub: ComposedHub
  let drop: () => Promise<void>
  let admin: ReturnType<typeof callerOf>

  beforeAll(async () => {
    const clone = await cloneDatabase('postgresql')
    drop = clone.drop
    hub = await openComposedHub(clone.settings, { HUB_IDENTITY: 'embedded' })
    const { headers } = await grant(hub, programs('demo-admin', 'demo-admin'))
    admin = callerOf(() => hub, headers)
  })
  afterAll(async () => {
    await hub.close()
    await drop()
  })

  const each: readonly (readonly [Method, string])[] = [
    ['GET', '/access/users'],
    ['POST', '/access/users'],
    ['PATCH', '/access/users/x'],
    ['DELETE', '/access/users/x'],
    ['POST', '/access/users/x/password'],
    ['POST', '/access/users/x/logout'],
    ['GET', '/access/roles'],
    ['GET', '/access/clients'],
    ['POST', '/access/clients'],
    ['PATCH', '/access/clients/x'],
    ['DELETE', '/access/clients/x'],
    ['POST', '/access/clients/x/secret'],
    ['POST', '/access/clients/x/logout'],
    ['GET', '/access/keys'],
    ['POST', '/access/keys'],
    ['GET', '/access/rules'],
    ['POST', '/access/rules'],
    ['PUT', '/access/rules'],
    ['DELETE', '/access/rules/1'],
    ['GET', '/access/push'],
    ['PUT', '/access/push'],
    ['DELETE', '/access/push?client=a&path=/a/b'],
    ['GET', '/access/audit'],
  ]

  it('is restricted to the role ADMIN on every path', async () => {
    const { headers } = await grant(hub, programs('demo-closed', 'demo-closed'))
    const [nobody, other] = [{}, headers].map((sent) => callerOf(() => hub, sent))
    for (const [method, url] of each) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      expect(await nobody?.(method, url, body)).toMatchObject({
        ...{ status: 401, body: { errorCode: 'HUB-ACC-001' } },
      })
      expect(await other?.(method, url, body)).toMatchObject({
        ...{ status: 403, body: { errorCode: 'HUB-ACC-003' } },
      })
    }
  })

  it('adds and distrusts signing keys, and records both in the audit log', async () => {
    const before = await admin('GET', '/access/keys')
    expect(before.body.keys).toMatchObject([{ state: 'signs', retired: null }])
    expect(JSON.stringify(before.body)).not.toMatch(/"(d|p|q|n)"/)
    const kept = await admin('POST', '/access/keys', {})
    expect(kept.body.keys).toMatchObject([{ state: 'signs' }, { state: 'verifies' }])
    expect((await admin('GET', '/access/keys')).status).toBe(200)
    expect(await admin('POST', '/access/keys', { distrust: 1 })).toMatchObject({ status: 400 })
    const distrusted = await admin('POST', '/access/keys', { distrust: true })
    expect(distrusted.body.keys).toMatchObject([{ state: 'signs' }])
    expect((await admin('GET', '/access/keys')).status).toBe(401)
    const { headers } = await grant(hub, programs('demo-admin', 'demo-admin'))
    admin = callerOf(() => hub, headers)
    const { body } = await admin('GET', '/access/audit?dataset=SigningKey')
    const changes = body.entries.map(({ operation }: { operation: string }) => operation)
    expect(changes).toEqual(['Create', 'Delete', 'Delete', 'Create'])
    expect(body.entries[0]).toMatchObject({ client: 'demo-admin', changes: null })
  })

  it('manages users: shows a generated password once, and removes roles immediately', async () => {
    const added = await admin('POST', '/access/users', { name: 'ada', roles: ['ADMIN', 'BDP_A22'] })
    expect(added).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } })
    const password = String(added.body.password)
    const login = { grant_type: 'password', client_id: 'kiosk', username: 'ada', password }
    await admin('POST', '/access/clients', { id: 'kiosk', public: true })
    const ada = await grant(hub, login)
    expect(ada.status).toBe(200)
    const asAda = callerOf(() => hub, ada.headers)
    const listed = await asAda('GET', '/access/users')
    expect(listed.body.users).toMatchObject([{ name: 'ada', roles: ['ADMIN', 'BDP_A22'] }])
    expect(JSON.stringify(listed.body)).not.toMatch(/argon2|password|hash/)

    // Tokens use the clock of the process.
    hub.moveClock(new Date().getTime() - hub.now().getTime())
    const changed = await admin('PATCH', '/access/users/ADA', {
      roles: ['BDP_A22', 'BDP_A22'],
      email: 'a@b.c',
    })
    expect(changed.body).toMatchObject({ name: 'ada', roles: ['BDP_A22'], email: 'a@b.c' })
    expect(await asAda('GET', '/access/users')).toMatchObject({ status: 401 })
    const again = async () => {
      const { headers } = await grant(hub, login)
      return (await callerOf(() => hub, headers)('GET', '/access/users')).status
    }
    hub.moveClock(1)
    expect(await again()).toBe(403)

    const given = await admin('POST', '/access/users/ada/password', { password: 'lovelace' })
    expect(given.body).toEqual({ password: null })
    expect((await grant(hub, login)).status).toBe(400)
    expect((await grant(hub, { ...login, password: 'lovelace' })).status).toBe(200)
    const generated = await admin('POST', '/access/users/ada/password', {})
    expect(String(generated.body.password)).toHaveLength(32)
    const without = await admin('POST', '/access/users/ada/password')
    expect(String(without.body.password)).toHaveLength(32)
    expect(await admin('POST', '/access/users/ada/logout')).toMatchObject({ status: 204 })
    expect(await admin('PATCH', '/access/users/ada', { enabled: false })).toMatchObject({
      body: { enabled: false, email: 'a@b.c' },
    })
    expect(await admin('DELETE', '/access/users/ada')).toMatchObject({ status: 204 })
    expect(await admin('GET', '/access/users')).toMatchObject({ body: { users: [] } })
  })

  it('manages clients: shows a generated secret once, until a new one replaces it', async () => {
    const sent = { id: 'a/loader', roles: ['BDP_A22'], scopeRoles: ['X'], refreshSeconds: 60 }
    const added = await admin('POST', '/access/clients', sent)
    expect(added).toMatchObject({ status: 201, body: { kind: 'confidential', ...sent } })
    const secret = String(added.body.secret)
    expect((await grant(hub, programs('a/loader', secret))).status).toBe(200)
    const path = '/access/clients/a%2Floader'
    const free = { scopeRoles: null, refreshSeconds: null }
    expect(await admin('PATCH', path, free)).toMatchObject({ status: 200, body: free })
    const renewed = await admin('POST', `${path}/secret`)
    expect(renewed.headers['cache-control']).toBe('no-store')
    hub.moveClock(6000)
    expect((await grant(hub, programs('a/loader', secret))).status).toBe(401)
    expect((await grant(hub, programs('a/loader', String(renewed.body.secret)))).status).toBe(200)
    const listed = await admin('GET', '/access/clients')
    expect(JSON.stringify(listed.body)).not.toMatch(/argon2|secret|hash/)
    expect(await admin('GET', '/access/roles')).toMatchObject({
      body: { roles: [{ role: 'BDP_A22', users: [], clients: ['a/loader'] }] },
    })
    expect(await admin('POST', `${path}/logout`)).toMatchObject({ status: 204 })
    expect(await admin('DELETE', path)).toMatchObject({ status: 204 })
  })

  it('manages rules and push permissions, which apply immediately', async () => {
    const rules = [{ role: 'BDP_A22', area: 'timeseries', origin: ['A22', 'x'] }]
    expect((await admin('POST', '/access/rules', { rules })).body).toEqual({ added: 2, known: 0 })
    expect((await admin('POST', '/access/rules', { rules })).body).toEqual({ added: 0, known: 2 })
    const only = { rules: [{ role: 'GUEST' }] }
    expect((await admin('PUT', '/access/rules', only)).body).toEqual({ added: 1, known: 0 })
    const { body } = await admin('GET', '/access/rules')
    expect(body.rules).toMatchObject([{ role: 'GUEST', area: null, period: null }])
    const id = String(body.rules[0].id)
    expect(await admin('DELETE', `/access/rules/${id}`)).toMatchObject({ status: 204 })

    const { headers: token } = await grant(hub, programs('demo-basic', 'demo-basic'))
    const push = async () => {
      const headers = { ...token, 'content-type': 'text/plain' }
      const sent = { method: 'POST', url: '/push/site/parking', headers, payload: 'x' } as const
      return (await hub.ask(sent)).statusCode
    }
    expect(await push()).toBe(403)
    const wanted = { client: 'demo-basic', path: '/site/*', sources: ['LTS'], mayDelete: true }
    const granted = { ...wanted, sources: ['lts'], origins: null, mayComplete: false }
    expect((await admin('PUT', '/access/push', wanted)).body).toMatchObject(granted)
    expect(await push()).toBe(200)
    const person = { client: 'user:Demo-Clerk', path: '/a/b' }
    expect((await admin('PUT', '/access/push', person)).body.client).toBe('user:demo-clerk')
    const theirs = '/access/push?client=user:DEMO-clerk&path=/a/b'
    expect(await admin('DELETE', theirs)).toMatchObject({ status: 204 })
    const müller = { client: 'user:anna müller', path: '/a/b' }
    await admin('POST', '/access/users', { name: 'Anna Müller' })
    expect((await admin('PUT', '/access/push', müller)).body).toMatchObject(müller)
    const hers = `/access/push?${new URLSearchParams(müller).toString()}`
    expect(await admin('DELETE', hers)).toMatchObject({ status: 204 })
    expect((await admin('GET', '/access/push')).body.permissions).toMatchObject([granted])
    const address = '/access/push?client=demo-basic&path=%2Fsite%2F*'
    expect(await admin('DELETE', address)).toMatchObject({ status: 204 })
    expect(await push()).toBe(403)
    expect(await admin('DELETE', address)).toMatchObject({
      status: 404,
      body: { errorCode: 'HUB-ACC-005', detail: expect.stringContaining('It has: none.') },
    })
  })

  const site = { client: 'demo-basic', path: '/a/b' }
  const useless = { id: 'c', public: true, grantTypes: ['client_credentials'] }

  it.each([
    ['POST', '/access/users', { name: ' ada' }, 400, 'HUB-BDY-001', 'without a space'],
    ['POST', '/access/users', { name: 'b', password: 'short' }, 400, 'HUB-BDY-001', '8 characters'],
    ['POST', '/access/users', { name: 'b', roles: ['A,B'] }, 400, 'HUB-BDY-001', 'one word'],
    ['POST', '/access/users', { name: 'b', email: 'a\0b' }, 400, 'HUB-BDY-001', 'NUL'],
    ['POST', '/access/users', { name: 'b', isAdmin: true }, 400, 'HUB-BDY-001', 'known field'],
    ['PATCH', '/access/users/adb', {}, 404, 'HUB-ACC-005', 'There is no user adb'],
    ['POST', '/access/clients', { id: 'two words' }, 400, 'HUB-BDY-001', 'without spaces'],
    ['POST', '/access/clients', { id: 'user:ada' }, 400, 'HUB-BDY-001', 'names a user'],
    ['POST', '/access/clients', { id: 'c', redirectUris: ['/x'] }, 400, 'HUB-BDY-001', 'not a URL'],
    ['POST', '/access/clients', useless, 400, 'HUB-BDY-001', 'A public client has no secret'],
    ['POST', '/access/clients/x/secret', undefined, 404, 'HUB-ACC-005', 'There is no client x'],
    ['POST', '/access/rules', { rules: [{ role: 'ADMIN' }] }, 400, 'HUB-BDY-001', 'Rule 1'],
    ['POST', '/access/rules', { rules: [{ role: 'a\0' }] }, 400, 'HUB-BDY-001', 'NUL'],
    ['DELETE', '/access/rules/7x', undefined, 404, 'HUB-ACC-005', 'There is no rule 7x'],
    ['PUT', '/access/push', { client: 'a', path: 'a/b' }, 400, 'HUB-BDY-001', '/<provider>/'],
    ['PUT', '/access/push', { ...site, client: 'demo-basc' }, 404, 'HUB-ACC-005', 'demo-basic'],
    [
      'PUT',
      '/access/push',
      { ...site, entities: ['Event', 'Evnt'] },
      ...([400, 'HUB-BDY-001', 'Evnt is not an entity. Did you mean Event?'] as const),
    ],
    [
      'PUT',
      '/access/push',
      { ...site, kinds: ['station'] },
      ...([400, 'HUB-BDY-001', 'station is not a kind of push. Did you mean stations?'] as const),
    ],
    ['PUT', '/access/push', { ...site, stationTypes: [] }, 400, 'HUB-BDY-001', 'Types is an empty'],
    ['POST', '/access/clients', { id: 'demo-provider' }, 409, 'HUB-ACC-006', 'of the demo'],
    ['POST', '/access/users', { name: 'Demo-Clerk' }, 409, 'HUB-ACC-006', 'of the demo'],
    ['GET', '/access/audit?before=x', undefined, 400, 'HUB-QRY-001', 'before'],
    ['GET', '/access/audit?from=2026-12-31T23:59:60Z', undefined, 400, 'HUB-QRY-001', 'from'],
    ['GET', '/access/audit?to=2026-12-31T23:59:60Z', undefined, 400, 'HUB-QRY-001', 'to is not'],
    ['POST', '/access/users', { name: 'b'.repeat(70_000) }, 413, 'HUB-BDY-002', ''],
  ] as const)('refuses %s %s %j', async (...[method, url, body, status, errorCode, words]) => {
    const answer = await admin(method, url, body)
    expect(answer).toMatchObject({ status, body: { errorCode } })
    expect(JSON.stringify(answer.body)).toContain(words)
    expect(JSON.stringify(answer.body)).not.toContain('short"')
  })

  it.each([
    ['GET', '/auth?client_id=%00'],
    ['POST', '/token?a=%00'],
  ] as const)('refuses NUL in requests to the token service: %s %s', async (method, path) => {
    const { statusCode, headers, ...answer } = await hub.ask({
      ...{ method, url: `/auth/realms/hub/protocol/openid-connect${path}` },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([statusCode, answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringContaining('NUL') },
    ])
    expect(headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['GET', '/auth/realms/hub/protocol/openid-connect/token', 405],
    ['GET', '/auth/realms/hub/protocol/openid-connect/token/introspect', 405],
    ['GET', '/auth/realms/hub/protocol/openid-connect/revoke', 405],
    ['GET', '/auth/realms/hub/protocol/openid-connect/nothing', 404],
    ['POST', '/auth/nothing', 404],
    ['POST', '/auth/realms/hub/protocol/openid-connect/token', 417],
  ] as const)('refuses %s %s as RFC 6749 says, section 5.2: %i', async (method, url, status) => {
    const sent = status === 417 ? { expect: url } : {}
    const { statusCode, headers, ...answer } = await hub.ask({ method, url, headers: sent })
    expect([statusCode, answer.json()]).toEqual([
      status,
      { error: 'invalid_request', error_description: expect.stringContaining(url) },
    ])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['allow']).toBe(status === 405 ? 'OPTIONS, POST' : undefined)
  })

  it('refuses a second user or client with the same name', async () => {
    await admin('POST', '/access/users', { name: 'twice' })
    await admin('POST', '/access/clients', { id: 'twice', public: true })
    const refused = { status: 409, body: { errorCode: 'HUB-ACC-006' } }
    expect(await admin('POST', '/access/users', { name: 'TWICE' })).toMatchObject(refused)
    expect(await admin('POST', '/access/clients', { id: 'twice' })).toMatchObject(refused)
    expect(await admin('POST', '/access/clients/twice/secret')).toMatchObject(refused)
  })

  it('logs who changed what, without secrets, and lists the log in pages', async () => {
    const password = 'a password of the log'
    await admin('POST', '/access/users', { name: 'eve', roles: ['A'], password })
    const changed = await admin('PATCH', '/access/users/eve', { roles: ['B'] })
    await admin('POST', '/access/users/eve/password', { password: `${password} 2` })
    await admin('POST', '/access/users/eve/logout')
    const first = await admin('GET', '/access/audit?limit=2&by=demo-admin')
    expect(first.body.entries).toMatchObject([
      { operation: 'Delete', dataset: 'Session', record: 'eve', changes: null },
      { operation: 'Update', dataset: 'User', changes: { password_hash: ['hidden', 'hidden'] } },
    ])
    const next = await admin('GET', `/access/audit?limit=2&before=${String(first.body.next)}`)
    const who = { client: 'demo-admin', subject: expect.stringContaining('demo-admin') }
    expect(next.body.entries).toMatchObject([
      {
        ...{ operation: 'Update', record: 'eve', changes: { roles: [['A'], ['B']] }, ...who },
        request: changed.headers['x-request-id'],
      },
      { operation: 'Create', record: 'eve' },
    ])
    const all = await admin('GET', '/access/audit?limit=200')
    expect(all.body.next).toBeNull()
    expect(JSON.stringify(all.body)).not.toMatch(/argon2|a password of/)
    const long = await admin('GET', '/access/audit?dataset=Session&to=2000-01-01T00:00:00Z')
    expect(long.body).toEqual({ entries: [], next: null })
  })
})

describeOn('postgresql', 'The last ADMIN', () => {
  it('cannot be deleted, disabled or demoted, nor can the client used to log in', async () => {
    const clone = await cloneDatabase('postgresql')
    // The demo's accounts would be additional administrators; a hub in `serve` mode has none.
    const hub = await openComposedHub(clone.settings, { HUB_IDENTITY: 'embedded' }, 'serve')
    const password = 'a long password'
    const change = { hash: await hashSecret(password), roles: ['ADMIN'] }
    await changeAs(hub.store.database, { name: 'operator' }, async (tx) => {
      for (const name of ['one', 'two']) await addUser(tx, name, change)
      await addClient(tx, { id: 'page', hash: undefined, change: {} })
    })
    const login = { grant_type: 'password', client_id: 'page', username: 'one', password }
    const one = callerOf(() => hub, (await grant(hub, login)).headers)
    const refused = { status: 409, body: { errorCode: 'HUB-ACC-007' } }
    expect(await one('DELETE', '/access/clients/page')).toMatchObject(refused)
    expect(await one('PATCH', '/access/clients/page', { enabled: false })).toMatchObject(refused)
    expect(await one('PATCH', '/access/clients/page', { scopeRoles: [] })).toMatchObject(refused)
    expect(await one('PATCH', '/access/users/two', { roles: [] })).toMatchObject({ status: 200 })
    expect(await one('DELETE', '/access/users/one')).toMatchObject(refused)
    expect(await one('PATCH', '/access/users/one', { enabled: false })).toMatchObject(refused)
    expect(await one('PATCH', '/access/users/one', { roles: ['X'] })).toMatchObject(refused)
    // The whole request was rolled back: neither the change nor the revocation of the token took
    // effect.
    expect((await one('GET', '/access/users')).body.users).toMatchObject([
      { name: 'one', enabled: true, roles: ['ADMIN'] },
      { name: 'two', roles: [] },
    ])
    const program = { id: 'robot', roles: ['ADMIN'] }
    expect(await one('POST', '/access/clients', program)).toMatchObject({ status: 201 })
    expect(await one('PATCH', '/access/users/one', { roles: [] })).toMatchObject({ status: 200 })
    await hub.close()
    await clone.drop()
  })

  it('is not managed by a hub with an external identity provider; rules are', async () => {
    const clone = await cloneDatabase('postgresql')
    const hub = await openComposedHub(clone.settings)
    const admin = callerOf(() => hub, await bearer(['ADMIN']))
    const refused = { status: 409, body: { errorCode: 'HUB-ACC-008' } }
    for (const path of ['users', 'clients', 'roles']) {
      const answer = await admin('GET', `/access/${path}`)
      expect(answer).toMatchObject(refused)
      expect(answer.body.detail).toContain('https://identity.test/realms/hub')
    }
    expect(await admin('POST', '/access/users', { name: 'a' })).toMatchObject(refused)
    expect(await admin('POST', '/access/rules', { rules: [{ role: 'GUEST' }] })).toMatchObject({
      status: 200,
    })
    const put = await admin('PUT', '/access/push', { client: 'elsewhere', path: '/a/b' })
    expect(put).toMatchObject({ status: 200, body: { client: 'elsewhere' } })
    await hub.close()
    await clone.drop()
  })
})
