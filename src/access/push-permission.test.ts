import { describe, expect, it } from 'vitest'
import { useFakeProvider } from '../../test/fixtures/fake-provider.ts'
import { discoverProvider } from './identity-provider.ts'
import type { Verified } from './principal.ts'
import { umaPushPermission } from './push-permission.ts'
import { embeddedPushPermission, matchesPath } from './rule-table.ts'

const bearer = (client: string, ...roles: readonly string[]): Verified => ({
  kind: 'verified',
  subject: client,
  client,
  name: client,
  token: 't',
  roles: new Set(roles),
})

describe('A pattern', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/bc', false],
    ['/a/*', '/a/b', true],
    ['/a/*', '/ab/c', false],
    ['/a/*', '/a/', false],
    ['/a/*', '/A/b', false],
    ['/*', '/a/b', true],
    ['/a*', '/ab', false],
    ['/a/b*', '/a/bc', false],
    ['/*/b', '/a/b', false],
  ])('%s covers %s: %s', (pattern, path, covered) => {
    expect(matchesPath(pattern, path)).toBe(covered)
  })
})

describe('The hub lets a client push', () => {
  const grants = [{ client: 'pusher', pathPattern: '/provider/dataset' }]
  const { mayPush } = embeddedPushPermission(() => grants)

  it.each([
    ['where a grant lets it', bearer('pusher'), '/provider/dataset', true],
    ['but not elsewhere', bearer('pusher'), '/provider/other', false],
    ['but not on the grant of another', bearer('other'), '/provider/dataset', false],
    ['everywhere if it is an administrator', bearer('other', 'ADMIN'), '/x/y', true],
  ] as const)('%s', async (_, principal, path, allowed) => {
    expect(await mayPush(principal, path)).toBe(allowed)
  })

  const anna = (client: string): Verified => ({ ...bearer(client), name: 'Anna' })
  const service = (client: string): Verified => ({
    ...bearer(client),
    subject: `service-account-${client}`,
    name: `service-account-${client}`,
  })
  it.each([
    ['of a person', anna('page'), true, 'user:anna'],
    ['but of nobody else', anna('pusher'), false, 'pusher'],
    [
      'not of a client whose id is that of a person',
      service('user:anna'),
      false,
      'service-account-user:anna',
    ],
    ['nor of others with such a client', { ...anna('user:anna'), name: 'eve' }, false, 'user:eve'],
  ] as const)('by a grant %s', async (title, principal, allowed, sender) => {
    const client = title === 'but of nobody else' ? 'user:eve' : 'user:anna'
    const permission = embeddedPushPermission(() => [{ client, pathPattern: '/a/*' }])
    expect(await permission.mayPush(principal, '/a/b')).toBe(allowed)
    expect(permission.senderOf(principal, '/a/b')).toBe(sender)
  })

  it('according to the current grants', async () => {
    let current = grants
    const permission = embeddedPushPermission(() => current)
    expect(await permission.mayPush(bearer('pusher'), '/provider/dataset')).toBe(true)
    current = []
    expect(await permission.mayPush(bearer('pusher'), '/provider/dataset')).toBe(false)
  })
})

const { fake, asked, die } = useFakeProvider()

describe('Push permission from an external provider', () => {
  const principal: Verified = {
    kind: 'verified',
    subject: '1',
    client: 'pusher',
    name: 'pusher',
    roles: new Set(),
    token: 'the-token',
  }
  const open = (now: () => Date = () => new Date()) => {
    const discover = discoverProvider({ issuer: fake.issuer, fetch })
    return umaPushPermission({ discover, audience: 'hub-push', fetch, now })
  }

  it('is requested on behalf of the bearer, as a decision on a path', async () => {
    expect(await open().mayPush(principal, '/provider/dataset')).toBe(true)
    const [request] = asked('/token')
    expect(request?.authorization).toBe('Bearer the-token')
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'hub-push',
      permission: '/provider/dataset',
      permission_resource_format: 'uri',
      permission_resource_matching_uri: 'true',
      response_mode: 'decision',
      response_include_resource_name: 'true',
    })
  })

  it.each([
    ['denied by policy', 403, '{"error":"access_denied"}'],
    ['unknown as a resource', 400, '{"error":"invalid_resource"}'],
    ['of an unknown scope', 400, '{"error":"invalid_scope"}'],
    ['of a client without streams', 400, '{"error":"invalid_request"}'],
    ['refused in no words', 403, '<html>'],
    ['decided against', 200, '{"result":false}'],
    ['answered with anything else', 200, '[]'],
  ])('is not granted when it is %s', async (_, status, body) => {
    fake.decision = { status, body }
    expect(await open().mayPush(principal, '/a/b')).toBe(false)
  })

  // 401 from Keycloak up to 26.6, 400 from 26.7 on.
  it.each([401, 400])('causes a 401 when the provider rejects the token: %i', async (status) => {
    fake.decision = { status, body: '{"error":"invalid_grant"}' }
    await expect(open().mayPush(principal, '/a/b')).rejects.toMatchObject({
      code: 'HUB-ACC-002',
      headers: { 'www-authenticate': expect.stringContaining('invalid_token') },
    })
  })

  it.each([
    ['fails', { status: 500, body: '' }],
    ['redirects', { status: 302, body: '' }],
    ['is not there', { status: 404, body: '' }],
    ['is overrun', { status: 429, body: '' }],
    ['does not know itself', { status: 500, body: '{"error":"unknown_error"}' }],
    ['answers nonsense', { status: 200, body: 'granted' }],
  ])('causes a 503, neither granted nor denied, when the provider %s', async (_, decision) => {
    fake.decision = decision
    await expect(open().mayPush(principal, '/a/b')).rejects.toMatchObject({ code: 'HUB-ACC-004' })
  })

  it('causes a 503 within a second when the provider does not respond', async () => {
    const permission = open()
    fake.silent = true
    const start = performance.now()
    await expect(permission.mayPush(principal, '/a/b')).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - start).toBeLessThan(1_500)
  })

  it('causes a 503 when the provider is slow, and is known when the caller retries', async () => {
    const permission = open()
    fake.delay = 600
    await expect(permission.mayPush(principal, '/a/b')).rejects.toMatchObject({ status: 503 })
    await expect.poll(() => permission.mayPush(principal, '/a/b').catch(() => false)).toBe(true)
    expect(asked('/token')).toHaveLength(1)
  })

  it('causes a 503 when the provider fails, but earlier decisions still apply', async () => {
    const permission = open()
    expect(await permission.mayPush(principal, '/a/b')).toBe(true)
    await die()
    expect(await permission.mayPush(principal, '/a/b')).toBe(true)
    await expect(permission.mayPush(principal, '/a/c')).rejects.toMatchObject({
      code: 'HUB-ACC-004',
      headers: { 'retry-after': expect.any(String) },
    })
  })

  it('is requested once for concurrent requests', async () => {
    const permission = open()
    fake.delay = 50
    const answers = Array.from({ length: 20 }, () => permission.mayPush(principal, '/a/b'))
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]))
    expect(asked('/token')).toHaveLength(1)
  })

  it('is cached for a minute per token and path, whether granted or denied', async () => {
    let now = new Date('2026-11-20T12:00:00Z')
    const permission = open(() => now)
    await permission.mayPush(principal, '/a/b')
    fake.decision = { status: 403, body: '{}' }
    expect(await permission.mayPush(principal, '/a/b')).toBe(true)
    expect(await permission.mayPush(principal, '/a/c')).toBe(false)
    expect(await permission.mayPush({ ...principal, token: 'other' }, '/a/b')).toBe(false)
    fake.decision = { status: 200, body: '{"result":true}' }
    expect(await permission.mayPush(principal, '/a/c')).toBe(false)
    now = new Date('2026-11-20T12:01:00Z')
    expect(await permission.mayPush(principal, '/a/c')).toBe(true)
  })

  it('is requested again after a failure', async () => {
    const permission = open()
    fake.decision = { status: 500, body: '' }
    await permission.mayPush(principal, '/a/b').catch(() => undefined)
    fake.decision = { status: 200, body: '{"result":true}' }
    expect(await permission.mayPush(principal, '/a/b')).toBe(true)
  })
})
