import { KeyObject, sign as signBytes } from 'node:crypto'
import fc from 'fast-check'
import { SignJWT, createLocalJWKSet, exportJWK, generateKeyPair } from 'jose'
import type { JWTHeaderParameters } from 'jose'
import { describe, expect, it } from 'vitest'
import { tokenVerifier } from './principal.ts'

const issuer = 'https://id.example/auth/realms/hub'
const now = () => new Date('2026-11-20T12:00:00Z')
const seconds = now().getTime() / 1000

const ours = await generateKeyPair('RS256', { extractable: true })
const theirs = await generateKeyPair('RS256', { extractable: true })
const elliptic = await generateKeyPair('ES384', { extractable: true })
const privateKey = KeyObject.from(ours.privateKey)
const keys = createLocalJWKSet({
  keys: [
    { ...(await exportJWK(ours.publicKey)), kid: 'ours', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(elliptic.publicKey)), kid: 'elliptic', alg: 'ES384', use: 'sig' },
  ],
})
const verify = tokenVerifier({ issuer, keys, ownClient: 'hub', toleranceSeconds: 5, now })

const claims = { iss: issuer, sub: 'ada', typ: 'Bearer', exp: seconds + 300 }

/** Returns a token with literal parts, signed with the issuer's own key. */
function signText(header: string, payload: string): string {
  const signed = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.')
  const signature = signBytes('sha256', Buffer.from(signed), privateKey)
  return `${signed}.${signature.toString('base64url')}`
}

const header = (changes: object) => JSON.stringify({ alg: 'RS256', kid: 'ours', ...changes })

async function verdict(token: string): Promise<string> {
  const found = await verify(token)
  return found.kind === 'verified' ? 'verified' : found.reason
}

describe('A forged token is rejected', () => {
  const forge = (changes: Partial<JWTHeaderParameters>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'ours', ...changes })
      .sign(theirs.privateKey)

  it.each([
    ['jku', 'https://evil.example/keys'],
    ['x5u', 'https://evil.example/certificate'],
    ['x5c', ['MIIB']],
  ])('if it names its own key in %s', async (name, value) => {
    expect(await verdict(await forge({ [name]: value }))).toBe('The signature is wrong')
  })

  it.each([
    '../../../dev/null',
    "ours' or '1'='1",
    '__proto__',
    'constructor',
    'ours\u0000',
    'https://evil.example/keys',
    'x'.repeat(5_000),
  ])('if it has the key id %j', async (kid) => {
    expect(await verdict(await forge({ kid }))).toBe('The token is signed with an unknown key')
  })

  it.each([7, null, ['ours'], { kid: 'ours' }])('if its key id is not text: %j', async (kid) => {
    const token = signText(header({ kid }), JSON.stringify(claims))
    expect(await verdict(`${token.slice(0, token.lastIndexOf('.'))}.AAAA`)).not.toBe('verified')
  })

  it.each(['none', 'None', 'nOnE', 'HS256', 'HS512', 'dir', 'RSA-OAEP', '', 7, null])(
    'if it has the algorithm %j',
    async (alg) => {
      const [head, payload] = [header({ alg }), JSON.stringify(claims)]
      const signed = signText(head, payload)
      expect(await verdict(signed)).not.toBe('verified')
      expect(await verdict(signed.slice(0, signed.lastIndexOf('.') + 1))).not.toBe('verified')
    },
  )

  it('if it is signed by one key and names another', async () => {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid: 'ours' })
    expect(await verdict(await token.sign(elliptic.privateKey))).not.toBe('verified')
  })

  it('if it is from another realm of the same provider', async () => {
    const token = new SignJWT({ ...claims, iss: 'https://id.example/auth/realms/other' })
      .setProtectedHeader({ alg: 'RS256', kid: 'ours' })
      .sign(ours.privateKey)
    expect(await verdict(await token)).toBe('The token is from another issuer')
  })

  it('if it is truncated or one of its characters is changed', async () => {
    const token = signText(header({}), JSON.stringify(claims))
    const cut = fc.integer({ min: 0, max: token.length - 1 })
    await fc.assert(
      fc.asyncProperty(cut, async (at) => (await verdict(token.slice(0, at))) !== 'verified'),
    )
    // The last character contains unused bits, which may change.
    const place = fc.integer({ min: 0, max: token.length - 2 })
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom('A', 'z', '.', '-', '='), async (at, letter) => {
        fc.pre(token[at] !== letter)
        const changed = token.slice(0, at) + letter + token.slice(at + 1)
        return (await verdict(changed)) !== 'verified'
      }),
    )
  })

  it('if it is an arbitrary string', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => (await verdict(text)) !== 'verified'),
    )
  })
})

describe('A token that the issuer itself signed', () => {
  it('is accepted with its other algorithms too', async () => {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid: 'elliptic' })
    expect(await verdict(await token.sign(elliptic.privateKey))).toBe('verified')
  })

  it('is rejected with an unknown critical extension (RFC 7515, 4.1.11)', async () => {
    const head = header({ crit: ['exp2'], exp2: 1 })
    expect(await verdict(signText(head, JSON.stringify(claims)))).toBe('The token is malformed')
  })

  it.each(['[]', 'null', '7', '"text"', '{', ''])(
    'is rejected with the claims %j',
    async (text) => {
      expect(await verdict(signText(header({}), text))).toBe('The token is malformed')
    },
  )

  it.each([
    ['exp', '"soon"'],
    ['exp', 'null'],
    ['nbf', '"x"'],
    ['iss', '["https://id.example/auth/realms/hub"]'],
    ['sub', '7'],
    ['sub', '{}'],
  ])('is rejected if %s is %s', async (name, value) => {
    const text = JSON.stringify({ ...claims, [name]: 'PLACE' }).replace('"PLACE"', value)
    expect(await verdict(signText(header({}), text))).not.toBe('verified')
  })

  it('uses the last value of a duplicate claim (RFC 7519, section 4)', async () => {
    const text = JSON.stringify(claims)
    const twice = (first: string) => `${text.slice(0, -1)},${first}}`
    const late = twice(`"exp":${String(seconds - 60)}`)
    expect(await verdict(signText(header({}), late))).toBe('The token has expired')
    const found = await verify(signText(header({}), twice('"sub":"bob"')))
    expect(found).toMatchObject({ principal: { subject: 'bob' } })
  })
})
