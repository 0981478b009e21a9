import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discoverProvider } from './identity-provider.ts'
import type { Verified } from './principal.ts'
import { remoteKeys } from './remote-keys.ts'
import { umaPushPermission } from './uma-push-permission.ts'
import { tokenVerifier } from './verify-token.ts'

const pair = await generateKeyPair('RS256', { extractable: true })
const publicKey = { ...(await exportJWK(pair.publicKey)), alg: 'RS256', use: 'sig' }

/** An identity provider of which a test decides every answer. */
const provider = {
  issuer: '',
  requests: new Array<{ path: string; authorization: string | undefined; form: URLSearchParams }>(),
  decision: { status: 200, body: '{"result":true}' },
  keys: [{ ...publicKey, kid: 'first' }],
  silent: false,
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (provider.silent) return
  const path = request.url ?? ''
  const { authorization } = request.headers
  provider.requests.push({ path, authorization, form: new URLSearchParams(await text(request)) })
  const metadata = {
    jwks_uri: `${provider.issuer}/certs`,
    token_endpoint: `${provider.issuer}/token`,
  }
  if (path === '/token') {
    response.writeHead(provider.decision.status).end(provider.decision.body)
  } else if (path === '/certs') {
    response.end(JSON.stringify({ keys: provider.keys }))
  } else {
    response.end(JSON.stringify(metadata))
  }
}

const server = createServer((request, response) => void answer(request, response))

beforeEach(async () => {
  Object.assign(provider, { requests: [], silent: false, keys: [{ ...publicKey, kid: 'first' }] })
  provider.decision = { status: 200, body: '{"result":true}' }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  provider.issuer = `http://127.0.0.1:${String(port)}`
})

afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    }),
)

const asked = (path: string) => provider.requests.filter((request) => request.path === path)

describe('Permission to push by an external provider', () => {
  const principal: Verified = {
    kind: 'verified',
    subject: '1',
    client: 'pusher',
    name: 'pusher',
    roles: new Set(),
    token: 'the-token',
  }
  const open = (now: () => Date = () => new Date()) => {
    const discover = discoverProvider({ issuer: provider.issuer, fetch })
    return umaPushPermission({ discover, audience: 'hub-push', fetch, now })
  }

  it('is asked for on the behalf of the bearer, as a decision on a path', async () => {
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
    ['decided against', 200, '{"result":false}'],
    ['answered with anything else', 200, '[]'],
  ])('is not given where it is %s', async (_, status, body) => {
    provider.decision = { status, body }
    expect(await open().mayPush(principal, '/a/b')).toBe(false)
  })

  it('is 401 where the provider does not accept the token', async () => {
    provider.decision = { status: 401, body: '{"error":"invalid_grant"}' }
    await expect(open().mayPush(principal, '/a/b')).rejects.toMatchObject({
      code: 'HUB-ACC-002',
      headers: { 'www-authenticate': expect.stringContaining('invalid_token') },
    })
  })

  it.each([
    ['fails', { status: 500, body: '' }],
    ['redirects', { status: 302, body: '' }],
    ['is not there', { status: 404, body: '' }],
    ['answers nonsense', { status: 200, body: 'granted' }],
  ])('is 503, neither granted nor denied, where the provider %s', async (_, decision) => {
    provider.decision = decision
    await expect(open().mayPush(principal, '/a/b')).rejects.toMatchObject({ code: 'HUB-ACC-004' })
  })

  it('is 503 within two seconds where the provider does not answer', async () => {
    const permission = open()
    provider.silent = true
    const start = performance.now()
    await expect(permission.mayPush(principal, '/a/b')).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - start).toBeLessThan(2_500)
  })

  it('is remembered for a minute per token and path, whichever way it went', async () => {
    let now = new Date('2026-11-20T12:00:00Z')
    const permission = open(() => now)
    await permission.mayPush(principal, '/a/b')
    provider.decision = { status: 403, body: '{}' }
    expect(await permission.mayPush(principal, '/a/b')).toBe(true)
    expect(await permission.mayPush(principal, '/a/c')).toBe(false)
    expect(await permission.mayPush({ ...principal, token: 'other' }, '/a/b')).toBe(false)
    provider.decision = { status: 200, body: '{"result":true}' }
    expect(await permission.mayPush(principal, '/a/c')).toBe(false)
    now = new Date('2026-11-20T12:01:00Z')
    expect(await permission.mayPush(principal, '/a/c')).toBe(true)
  })

  it('is asked for again after a failure', async () => {
    const permission = open()
    provider.decision = { status: 500, body: '' }
    await permission.mayPush(principal, '/a/b').catch(() => undefined)
    provider.decision = { status: 200, body: '{"result":true}' }
    expect(await permission.mayPush(principal, '/a/b')).toBe(true)
  })
})

describe('Tokens of an external provider', () => {
  const open = () => {
    const now = () => new Date()
    const { issuer } = provider
    const discover = discoverProvider({ issuer, fetch })
    return tokenVerifier({ issuer, keys: remoteKeys({ discover, fetch, now }), now })
  }
  const sign = (kid: string, subject = 'ada') =>
    new SignJWT({ typ: 'Bearer' })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(provider.issuer)
      .setSubject(subject)
      .setExpirationTime('5m')
      .sign(pair.privateKey)

  it('are verified with its keys, which are asked for once', async () => {
    const verify = open()
    expect((await verify(await sign('first', 'ada'))).kind).toBe('verified')
    expect((await verify(await sign('first', 'bob'))).kind).toBe('verified')
    expect(asked('/certs')).toHaveLength(1)
  })

  it('with unknown keys do not make the hub ask again and again', async () => {
    const verify = open()
    await verify(await sign('first'))
    for (const kid of ['x', 'y', 'z']) {
      const found = await verify(await sign(kid))
      expect(found).toEqual({ kind: 'rejected', reason: 'The token is signed with an unknown key' })
    }
    expect(asked('/certs')).toHaveLength(1)
  })

  it('are not judged while it cannot be reached: 503, and not 401', async () => {
    const verify = open()
    const token = await sign('first')
    provider.silent = true
    const start = performance.now()
    await expect(verify(token)).rejects.toMatchObject({ code: 'HUB-ACC-004', status: 503 })
    expect(performance.now() - start).toBeLessThan(2_000)
    provider.silent = false
    expect((await verify(token)).kind).toBe('verified')
  })

  it('are still verified when it fails later', async () => {
    const verify = open()
    await verify(await sign('first', 'ada'))
    provider.silent = true
    expect((await verify(await sign('first', 'bob'))).kind).toBe('verified')
  })
})
