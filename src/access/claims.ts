import type { JWTPayload } from 'jose'
import type { Verified } from './principal.ts'

/**
 * Who a verified token speaks for. `undefined` when the token names nobody (`sub` is no text).
 * @param ownClient the hub's own client id at the issuer
 */
export function toPrincipal(
  claims: JWTPayload,
  token: string,
  ownClient: string,
): Verified | undefined {
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
  const holders = [claims['realm_access'], members(claims['resource_access'])[ownClient]]
  return new Set(holders.flatMap((holder) => texts(members(holder)['roles'])))
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
