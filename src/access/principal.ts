import { errors, jwtVerify } from 'jose'
import type { JWTPayload, JWTVerifyResult } from 'jose'
import { LRUCache } from 'lru-cache'
import { AppError } from '../errors/index.ts'
import { fieldsOf } from '../lang/json.ts'
import type { KeySource } from './identity-provider.ts'

/**
 * A caller without a token, or with an invalid one on an endpoint that needs none (decision D6).
 */
export type Anonymous = {
  readonly kind: 'anonymous'
  /** Why the token that was sent is rejected, phrased for `error_description`. */
  readonly rejected?: string
}

/** The bearer of a verified token. */
export type Verified = {
  readonly kind: 'verified'
  /** The claim `sub`: the user, or the service account of the client. */
  readonly subject: string
  /** The claim `azp`: the client that got the token. */
  readonly client: string
  /** The claim `preferred_username`, for people and logs. */
  readonly name: string
  /**
   * The union of `realm_access.roles` and the roles of the hub's own client in `resource_access`
   * (decision D60).
   */
  readonly roles: ReadonlySet<string>
  /**
   * The token itself, to query the identity provider on the bearer's behalf (decision D52). Never
   * logged.
   */
  readonly token: string
}

/** The caller. Created once per request from its token, and the only source of rights. */
export type Principal = Anonymous | Verified

export const anonymous: Anonymous = { kind: 'anonymous' }

/**
 * Returns the value of `WWW-Authenticate` (RFC 6750, section 3) for a caller that is not
 * authenticated: for a 401, and for a 200 despite an invalid token (decision D6).
 */
export function challenge(principal: Principal): string | undefined {
  if (principal.kind === 'verified') return undefined
  if (principal.rejected === undefined) return 'Bearer realm="hub"'
  return `Bearer realm="hub", error="invalid_token", error_description="${principal.rejected}"`
}

const asBearer = 'Authorization: Bearer <token>'

/** The reason for rejecting a header without a token in the form of RFC 6750, section 2.1. */
export const notBearer = `The header is not of the form ${asBearer}`

/**
 * Returns the verified caller. @throws AppError HUB-ACC-001 without a token, HUB-ACC-002 with an
 * invalid one
 */
export function requirePrincipal(principal: Principal): Verified {
  if (principal.kind === 'verified') return principal
  const headers = { 'www-authenticate': challenge(principal) ?? '' }
  if (principal.rejected === undefined) {
    throw new AppError('HUB-ACC-001', 'This request requires a bearer token.', {
      headers,
      hint: `Get a token from the token endpoint and send it as ${asBearer}.`,
    })
  }
  throw new AppError('HUB-ACC-002', `${principal.rejected}.`, {
    headers,
    hint:
      principal.rejected === notBearer
        ? `Send the token as ${asBearer}.`
        : 'Get a new token from the token endpoint.',
  })
}

/**
 * Returns the verified caller if it has one of the roles. @throws AppError HUB-ACC-001,
 * HUB-ACC-002, HUB-ACC-003
 */
export function requireRole(
  principal: Principal,
  ...roles: readonly [string, ...string[]]
): Verified {
  const verified = requirePrincipal(principal)
  if (roles.some((role) => verified.roles.has(role))) return verified
  const wanted =
    roles.length === 1 ? `the role ${roles[0]}` : `one of the roles ${roles.join(', ')}`
  throw new AppError('HUB-ACC-003', `${verified.name} may not do this: it needs ${wanted}.`, {
    headers: { 'www-authenticate': 'Bearer realm="hub", error="insufficient_scope"' },
    hint: 'Ask the operator of the hub for the role.',
  })
}

/**
 * The result of verifying a token. `reason` is phrased for `error_description` (RFC 6750, section
 * 3).
 */
export type Verification =
  | { readonly kind: 'verified'; readonly principal: Verified; readonly claims: JWTPayload }
  | { readonly kind: 'rejected'; readonly reason: string }

/**
 * Verifies an access token: signature, issuer, audience, times.
 * @throws AppError HUB-ACC-004 if the keys of the issuer are not available
 */
export type VerifyToken = (token: string) => Promise<Verification>

type VerifierDeps = {
  readonly issuer: string
  /** If set, a token must contain it in `aud`. */
  readonly audience?: string | undefined
  /**
   * The hub's own client id at the issuer. Of the client roles in a token, only those of this
   * client count.
   */
  readonly ownClient: string
  /** The issuer's public keys: `KeyStore.resolve` of the embedded service, or `remoteKeys`. */
  readonly keys: KeySource
  /** Seconds by which the clock of the issuer may differ: 0 for the hub's own tokens. */
  readonly toleranceSeconds: 0 | 5
  readonly now: () => Date
}

/**
 * Asymmetric algorithms only: a shared-secret algorithm here would let a public key pass as the
 * secret.
 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
const LONGEST_TOKEN = 20_000
/** Bound of the cache in characters of tokens: about 10,000 tokens of the usual size. */
const CACHED_CHARACTERS = 16_000_000

type Cached = {
  readonly found: Verification
  readonly until: number
  /** Version of the keys that verified the token. */
  readonly version: unknown
}

/**
 * Returns the verifier of one issuer. A verified token is cached until it expires or the issuer's
 * keys change, because the key of the token may have been removed.
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
 * Distinguishes access tokens from ID tokens, which an issuer signs with the same keys. Keycloak
 * marks them by the claim `typ`, RFC 9068 by the header; without either, only a configured audience
 * makes it certain.
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
 * Returns the bearer of a verified token, or `undefined` if the token has no subject (`sub` is not
 * a text).
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
 * Returns the union of `realm_access.roles` and the hub's own `resource_access.<client>.roles`
 * (decision D60). An `ADMIN` of another application of the realm has no such role here.
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
