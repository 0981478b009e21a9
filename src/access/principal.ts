import { AppError } from '../errors/index.ts'

/** Nobody in particular: no token, or one that could not be trusted on an open address (decision D6). */
export type Anonymous = {
  readonly kind: 'anonymous'
  /** Why the token that was sent does not count, in words fit for `error_description`. */
  readonly rejected?: string
}

/** The bearer of a verified token. */
export type Verified = {
  readonly kind: 'verified'
  /** `sub`: the user, or the service account of the client. */
  readonly subject: string
  /** `azp`: the client that got the token. */
  readonly client: string
  /** `preferred_username`, for people and logs. */
  readonly name: string
  /** Union of `realm_access.roles` and those of the hub's own client in `resource_access` (decision D60). */
  readonly roles: ReadonlySet<string>
  /** The token itself, to ask the identity provider on the bearer's behalf (decision D52). Never logged. */
  readonly token: string
}

/** The caller. Made once per request from its token, and the only source of rights. */
export type Principal = Anonymous | Verified

export const anonymous: Anonymous = { kind: 'anonymous' }

/**
 * The value of `WWW-Authenticate` (RFC 6750, section 3) for a principal that has proved nothing:
 * for a 401, and beside a 200 whose token did not count (decision D6).
 */
export function challenge(principal: Principal): string | undefined {
  if (principal.kind === 'verified') return undefined
  if (principal.rejected === undefined) return 'Bearer realm="hub"'
  return `Bearer realm="hub", error="invalid_token", error_description="${principal.rejected}"`
}

/** Insists on a verified token. @throws AppError HUB-ACC-001 without a token, HUB-ACC-002 with a bad one */
export function requirePrincipal(principal: Principal): Verified {
  if (principal.kind === 'verified') return principal
  const headers = { 'www-authenticate': challenge(principal) ?? '' }
  if (principal.rejected === undefined) {
    throw new AppError('HUB-ACC-001', 'This address needs a bearer token.', {
      headers,
      hint: 'Get a token from the token endpoint and send it as Authorization: Bearer <token>.',
    })
  }
  throw new AppError('HUB-ACC-002', `${principal.rejected}.`, {
    headers,
    hint: 'Get a new token from the token endpoint.',
  })
}

/** Insists on one of the roles. @throws AppError HUB-ACC-001, HUB-ACC-002, HUB-ACC-003 */
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
