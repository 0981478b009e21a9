import { UMA_TICKET } from './push-decision.ts'
import { paths } from './paths.ts'

/**
 * What a collector needs to ask for decisions (UMA 2.0 Grant, section 2; push-traffic-auth.md 4.4).
 * Grants are made by the operator, so there are no endpoints for managing them.
 */
export function umaConfiguration(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${paths.authorization}`,
    token_endpoint: `${issuer}${paths.token}`,
    introspection_endpoint: `${issuer}${paths.introspection}`,
    end_session_endpoint: `${issuer}${paths.end_session}`,
    jwks_uri: `${issuer}${paths.jwks}`,
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'password',
      'client_credentials',
      UMA_TICKET,
    ],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: ['openid', 'profile', 'email', 'roles', 'address', 'phone'],
  }
}
