import {
  UnsecuredJWT,
  SignJWT,
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
} from 'jose'
import type { GenerateKeyPairResult, JWTHeaderParameters, JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { tokenVerifier } from './principal.ts'

const issuer = 'https://id.example/auth/realms/hub'
const now = new Date('2026-11-20T12:00:00Z')
const seconds = now.getTime() / 1000

const ours = await generateKeyPair('RS256', { extractable: true })
const theirs = await generateKeyPair('RS256', { extractable: true })
const keys = createLocalJWKSet({
  keys: [{ ...(await exportJWK(ours.publicKey)), kid: 'ours', alg: 'RS256', use: 'sig' }],
})
const verify = tokenVerifier({
  issuer,
  keys,
  ownClient: 'a-client',
  toleranceSeconds: 5,
  now: () => now,
})

const claims: JWTPayload = {
  iss: issuer,
  sub: 'a-subject',
  typ: 'Bearer',
  azp: 'a-client',
  preferred_username: 'Ada',
  iat: seconds,
  exp: seconds + 300,
  realm_access: { roles: ['BDP_A22'] },
  resource_access: { 'a-client': { roles: ['HUB_ROLE_BASIC'] }, other: { roles: ['ADMIN'] } },
}
const header: JWTHeaderParameters = { alg: 'RS256', kid: 'ours', typ: 'JWT' }

type Changes = {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Partial<JWTHeaderParameters>
  readonly key?: GenerateKeyPairResult['privateKey']
}

function sign(changes: Changes = {}): Promise<string> {
  return new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader({ ...header, ...changes.header })
    .sign(changes.key ?? ours.privateKey)
}

describe('A valid token', () => {
  it('identifies its subject, with the roles of the realm and of the hub client', async () => {
    const token = await sign()
    expect(await verify(token)).toMatchObject({
      kind: 'verified',
      principal: {
        subject: 'a-subject',
        client: 'a-client',
        name: 'Ada',
        roles: new Set(['BDP_A22', 'HUB_ROLE_BASIC']),
        token,
      },
    })
  })

  it('is verified once and cached until it expires', async () => {
    let asked = 0
    let time = now
    const counted = tokenVerifier({
      ownClient: 'hub',
      toleranceSeconds: 5,
      issuer,
      now: () => time,
      keys: (...parameters) => {
        asked += 1
        return keys(...parameters)
      },
    })
    const token = await sign()
    await counted(token)
    await counted(token)
    expect(asked).toBe(1)
    time = new Date(now.getTime() + 331_000)
    expect(await counted(token)).toEqual({ kind: 'rejected', reason: 'The token has expired' })
  })

  it('of an external provider has a clock tolerance of 5 seconds', async () => {
    const late = await sign({ claims: { exp: seconds - 4 } })
    const early = await sign({ claims: { nbf: seconds + 4 } })
    expect((await verify(late)).kind).toBe('verified')
    expect((await verify(early)).kind).toBe('verified')
    expect((await verify(await sign({ claims: { exp: seconds - 6 } }))).kind).toBe('rejected')
  })

  it('of the hub itself expires without tolerance', async () => {
    const own = tokenVerifier({
      issuer,
      keys,
      ownClient: 'a-client',
      toleranceSeconds: 0,
      now: () => now,
    })
    expect((await own(await sign({ claims: { exp: seconds + 1 } }))).kind).toBe('verified')
    expect((await own(await sign({ claims: { exp: seconds } }))).kind).toBe('rejected')
  })

  it('needs no roles, and malformed roles are ignored', async () => {
    const token = await sign({
      claims: { realm_access: 'ADMIN', resource_access: { x: { roles: 'ADMIN' }, y: null } },
    })
    expect(await verify(token)).toMatchObject({ principal: { roles: new Set() } })
  })

  it('may be identified as an access token by its header alone (RFC 9068)', async () => {
    const token = await sign({ claims: { typ: undefined }, header: { typ: 'at+jwt' } })
    expect((await verify(token)).kind).toBe('verified')
  })
})

describe('A token is rejected', () => {
  const cases: readonly (readonly [string, () => Promise<string>, string])[] = [
    [
      'without a signature',
      () => Promise.resolve(new UnsecuredJWT(claims).encode()),
      'The signature algorithm is not allowed',
    ],
    [
      'signed with our public key as a shared secret',
      async () => {
        const secret = new TextEncoder().encode(await exportSPKI(ours.publicKey))
        return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret)
      },
      'The signature algorithm is not allowed',
    ],
    [
      'from another issuer',
      () => sign({ claims: { iss: 'https://evil.example' } }),
      'The token is from another issuer',
    ],
    [
      'signed with another key of the same name',
      () => sign({ key: theirs.privateKey }),
      'The signature is wrong',
    ],
    [
      'with an unknown key id',
      () => sign({ header: { kid: 'x' } }),
      'The token is signed with an unknown key',
    ],
    [
      'with its own key in the header',
      async () => {
        const jwk = await exportJWK(theirs.publicKey)
        return sign({ key: theirs.privateKey, header: { jwk } })
      },
      'The signature is wrong',
    ],
    ['that has expired', () => sign({ claims: { exp: seconds - 31 } }), 'The token has expired'],
    [
      'without an end',
      () => sign({ claims: { exp: undefined } }),
      'The claim exp is missing or wrong',
    ],
    [
      'before its time',
      () => sign({ claims: { nbf: seconds + 31 } }),
      'The token is not valid yet',
    ],
    [
      'without a subject',
      () => sign({ claims: { sub: undefined } }),
      'The claim sub is missing or wrong',
    ],
    ['with an empty subject', () => sign({ claims: { sub: '' } }), 'The token names no subject'],
    ['that is truncated', async () => (await sign()).slice(0, -10), 'The signature is wrong'],
    [
      'that has no signature part',
      async () => (await sign()).split('.').slice(0, 2).join('.'),
      'The token is malformed',
    ],
    ['that is not a token at all', () => Promise.resolve('nonsense'), 'The token is malformed'],
    ['of 20 KB', () => sign({ claims: { filling: 'x'.repeat(20_000) } }), 'The token is too long'],
    [
      'that is an ID token of Keycloak',
      () => sign({ claims: { typ: 'ID' } }),
      'The token is not an access token',
    ],
    [
      'that is an ID token of the hub',
      () => sign({ claims: { typ: undefined } }),
      'The token is not an access token',
    ],
  ]

  it.each(cases)('%s', async (_, make, reason) => {
    expect(await verify(await make())).toEqual({ kind: 'rejected', reason })
  })

  it('when it does not name the configured audience', async () => {
    const strict = tokenVerifier({
      ...{ issuer, keys, audience: 'hub', ownClient: 'hub', now: () => now },
      toleranceSeconds: 0,
    })
    const reason = 'The token is for another audience'
    expect(await strict(await sign())).toEqual({ kind: 'rejected', reason })
    expect(await strict(await sign({ claims: { aud: 'x' } }))).toEqual({ kind: 'rejected', reason })
    const right = await sign({ claims: { aud: ['x', 'hub'], typ: undefined } })
    expect((await strict(right)).kind).toBe('verified')
  })
})
