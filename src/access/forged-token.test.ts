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

describe('Who forges a token gains nothing', () => {
  const forge = (changes: Partial<JWTHeaderParameters>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'ours', ...changes })
      .sign(theirs.privateKey)

  it.each([
    ['jku', 'https://evil.example/keys'],
    ['x5u', 'https://evil.example/certificate'],
    ['x5c', ['MIIB']],
  ])('by naming a key of their own in %s', async (name, value) => {
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
  ])('by the key id %j', async (kid) => {
    expect(await verdict(await forge({ kid }))).toBe('The token is signed with an unknown key')
  })

  it.each([7, null, ['ours'], { kid: 'ours' }])('by a key id that is not text: %j', async (kid) => {
    const token = signText(header({ kid }), JSON.stringify(claims))
    expect(await verdict(`${token.slice(0, token.lastIndexOf('.'))}.AAAA`)).not.toBe('verified')
  })

  it.each(['none', 'None', 'nOnE', 'HS256', 'HS512', 'dir', 'RSA-OAEP', '', 7, null])(
    'by the algorithm %j',
    async (alg) => {
      const [head, payload] = [header({ alg }), JSON.stringify(claims)]
      const signed = signText(head, payload)
      expect(await verdict(signed)).not.toBe('verified')
      expect(await verdict(signed.slice(0, signed.lastIndexOf('.') + 1))).not.toBe('verified')
    },
  )

  it('by the signature of one key under the name of another', async () => {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid: 'ours' })
    expect(await verdict(await token.sign(elliptic.privateKey))).not.toBe('verified')
  })

  it('by the key of another realm of the same provider', async () => {
    const token = new SignJWT({ ...claims, iss: 'https://id.example/auth/realms/other' })
      .setProtectedHeader({ alg: 'RS256', kid: 'ours' })
      .sign(ours.privateKey)
    expect(await verdict(await token)).toBe('The token is from another issuer')
  })

  it('by cutting a token anywhere, or by changing a letter of it', async () => {
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

  it('by a text that is any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => (await verdict(text)) !== 'verified'),
    )
  })
})

describe('What the issuer itself has signed', () => {
  it('counts in its other algorithms too', async () => {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid: 'elliptic' })
    expect(await verdict(await token.sign(elliptic.privateKey))).toBe('verified')
  })

  it('does not count with a critical extension that is not known (RFC 7515, 4.1.11)', async () => {
    const head = header({ crit: ['exp2'], exp2: 1 })
    expect(await verdict(signText(head, JSON.stringify(claims)))).toBe('The token is malformed')
  })

  it.each(['[]', 'null', '7', '"text"', '{', ''])(
    'does not count as the claims %j',
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
  ])('does not count with %s as %s', async (name, value) => {
    const text = JSON.stringify({ ...claims, [name]: 'PLACE' }).replace('"PLACE"', value)
    expect(await verdict(signText(header({}), text))).not.toBe('verified')
  })

  it('means the last one where a claim stands twice (RFC 7519, section 4)', async () => {
    const text = JSON.stringify(claims)
    const twice = (first: string) => `${text.slice(0, -1)},${first}}`
    const late = twice(`"exp":${String(seconds - 60)}`)
    expect(await verdict(signText(header({}), late))).toBe('The token has expired')
    const found = await verify(signText(header({}), twice('"sub":"bob"')))
    expect(found).toMatchObject({ principal: { subject: 'bob' } })
  })
})
