import type { JWTPayload } from 'jose'
import type { Verified } from './principal.ts'

/** Who a verified token speaks for. `undefined` when the token names nobody (`sub` is no text). */
export function toPrincipal(claims: JWTPayload, token: string): Verified | undefined {
  const subject = text(claims.sub)
  if (subject === undefined) return undefined
  return {
    kind: 'verified',
    subject,
    client: text(claims['azp']) ?? text(claims['client_id']) ?? subject,
    name: text(claims['preferred_username']) ?? subject,
    roles: rolesOf(claims),
    token,
  }
}

/** The union of `realm_access.roles` and every `resource_access.<client>.roles` (decision D60). */
function rolesOf(claims: JWTPayload): ReadonlySet<string> {
  const holders = [claims['realm_access'], ...Object.values(members(claims['resource_access']))]
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
