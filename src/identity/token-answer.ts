import type { Context } from 'oidc-provider'
import { grantedScope } from './token-claims.ts'

/** A token answer with the members of Keycloak, in its order (push-traffic-auth.md 4.2). */
export function toTokenAnswer({ body, oidc }: Context): Readonly<Record<string, unknown>> {
  const answer: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {}
  const refresh = oidc.entities.RefreshToken
  const session = refresh?.grantId
  return {
    access_token: answer['access_token'],
    expires_in: answer['expires_in'],
    refresh_expires_in: refresh?.expiration ?? 0,
    ...(refresh === undefined ? {} : { refresh_token: answer['refresh_token'] }),
    token_type: 'Bearer',
    ...(answer['id_token'] === undefined ? {} : { id_token: answer['id_token'] }),
    'not-before-policy': 0,
    ...(session === undefined ? {} : { session_state: session }),
    scope: grantedScope(oidc.params['scope'] ?? refresh?.scope),
  }
}
