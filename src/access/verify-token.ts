import { errors, jwtVerify } from 'jose'
import type { JWTPayload, JWTVerifyResult } from 'jose'
import { LRUCache } from 'lru-cache'
import { fieldsOf } from '../lang/json.ts'
import type { KeySource } from './identity-provider.ts'
import type { Verified } from './principal.ts'

/** What a token turned out to be. `reason` is fit for `error_description` (RFC 6750, section 3). */
export type Verification =
  | { readonly kind: 'verified'; readonly principal: Verified; readonly claims: JWTPayload }
  | { readonly kind: 'rejected'; readonly reason: string }

/**
 * Verifies an access token: signature, issuer, audience, times.
 * @throws AppError HUB-ACC-004 when the keys of the issuer are not available
 */
export type VerifyToken = (token: string) => Promise<Verification>

type VerifierDeps = {
  readonly issuer: string
  /** When set, a token must name it in `aud`. */
  readonly audience?: string | undefined
  /** The hub's own client id at the issuer: of the roles of clients only its own count. */
  readonly ownClient: string
  /** The issuer's public keys: `KeyStore.resolve` of the embedded service, or `remoteKeys`. */
  readonly keys: KeySource
  /** How far the clock of the issuer may be off: 0 for the hub's own tokens. */
  readonly toleranceSeconds: 0 | 5
  readonly now: () => Date
}

/** Asymmetric only: a shared-secret algorithm here would let a public key pass as the secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const LONGEST_TOKEN = 20_000
/** Bound of the cache in characters of tokens: some 10,000 tokens of the usual size. */
const CACHED_CHARACTERS = 16_000_000

type Cached = {
  readonly found: Verification
  readonly until: number
  /** Of the keys that verified it. */
  readonly version: unknown
}

/**
 * Makes the verifier of one issuer. What it has verified it remembers until the token expires or the
 * issuer's keys change, for then the key of the token may be among those gone.
 */
export function tokenVerifier(deps: VerifierDeps): VerifyToken {
  const cache = new LRUCache<string, Cached>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, token) => token.length,
  })
  return async (token) => {
    if (token.length >= LONGEST_TOKEN) return rejected('The token is too long')
    const version = deps.keys.version?.()
    const known = cache.get(token)
    const isCurrent = known?.version === version && deps.now().getTime() < (known?.until ?? 0)
    if (known !== undefined && isCurrent) return known.found
    const found = await check(token, deps)
    if (found.kind === 'rejected') cache.delete(token)
    else cache.set(token, { found, until: (found.claims.exp ?? 0) * 1000, version })
    return found
  }
}

async function check(token: string, deps: VerifierDeps): Promise<Verification> {
  try {
    const result = await jwtVerify(token, deps.keys, {
      algorithms: ALGORITHMS,
      issuer: deps.issuer,
      clockTolerance: deps.toleranceSeconds,
      currentDate: deps.now(),
      requiredClaims: ['exp', 'sub'],
      ...(deps.audience === undefined ? {} : { audience: deps.audience }),
    })
    return assess(token, result, deps)
  } catch (error) {
    if (error instanceof errors.JOSEError) return rejected(reasonOf(error))
    throw error
  }
}

function assess(token: string, result: JWTVerifyResult, deps: VerifierDeps): Verification {
  if (!isAccessToken(result, deps)) return rejected('The token is not an access token')
  const principal = toPrincipal(result.payload, token, deps.ownClient)
  if (principal === undefined) return rejected('The token names no subject')
  return { kind: 'verified', principal, claims: result.payload }
}

/**
 * An issuer signs ID tokens with the same keys. Keycloak distinguishes them by the claim `typ`,
 * RFC 9068 by the header; without either, only a configured audience makes sure.
 */
function isAccessToken({ payload, protectedHeader }: JWTVerifyResult, deps: VerifierDeps): boolean {
  if (payload['typ'] !== undefined) return payload['typ'] === 'Bearer'
  const header = protectedHeader.typ?.toLowerCase()
  if (header === 'at+jwt' || header === 'application/at+jwt') return true
  return deps.audience !== undefined
}

function reasonOf(error: InstanceType<typeof errors.JOSEError>): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return 'The token is not valid yet'
    if (error.claim === 'iss') return 'The token is from another issuer'
    if (error.claim === 'aud') return 'The token is for another audience'
    return `The claim ${error.claim} is missing or wrong`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The signature algorithm is not allowed'
  if (error instanceof errors.JWKSNoMatchingKey) return 'The token is signed with an unknown key'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature is wrong'
  return 'The token is malformed'
}

function rejected(reason: string): Verification {
  return { kind: 'rejected', reason }
}

/**
 * Who a verified token speaks for. `undefined` when the token names nobody (`sub` is not text).
 * @param ownClient the hub's own client id at the issuer
 */
function toPrincipal(claims: JWTPayload, token: string, ownClient: string): Verified | undefined {
  const subject = text(claims.sub)
  if (subject === undefined) return undefined
  return {
    kind: 'verified',
    subject,
    client: text(claims['azp']) ?? text(claims['client_id']) ?? subject,
    name: text(claims['preferred_username']) ?? subject,
    roles: rolesOf(claims, ownClient),
    token,
  }
}

/**
 * The union of `realm_access.roles` and the hub's own `resource_access.<client>.roles` (decision D60). An `ADMIN` of
 * another application of the realm is none here.
 */
function rolesOf(claims: JWTPayload, ownClient: string): ReadonlySet<string> {
  const holders = [claims['realm_access'], fieldsOf(claims['resource_access'])[ownClient]]
  return new Set(holders.flatMap((holder) => texts(fieldsOf(holder)['roles'])))
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
