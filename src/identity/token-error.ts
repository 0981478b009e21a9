import { errors } from 'oidc-provider'
import type { Context, OidcError } from 'oidc-provider'

/** An error of the token endpoint (RFC 6749, section 5.2). */
export type TokenError = {
  readonly status: number
  readonly error: string
  readonly description: string
}

/** Returns an error that oidc-provider sends unchanged. */
export function tokenError(status: number, error: string, description: string): OidcError {
  return Object.assign(new errors.OIDCProviderError(status, error), {
    error_description: description,
    // oidc-provider reports only such errors to callers, with any status.
    expose: true,
  })
}

/**
 * Returns the error during a pause after wrong secrets. The right secret gets it too (RFC 6585,
 * section 4).
 */
export function tooManyAttempts(seconds: number): OidcError {
  const wait = `Too many failed attempts; try again in ${String(seconds)} s`
  return Object.assign(tokenError(429, 'temporarily_unavailable', wait), { retryAfter: seconds })
}

/**
 * Returns the seconds after which a refused request may be sent again, or undefined if retrying is
 * pointless.
 */
export function retryAfter({ statusCode, retryAfter: seconds }: OidcError): string | undefined {
  if (seconds !== undefined) return String(seconds)
  return statusCode === 503 ? '2' : undefined
}

const badClient = 'Invalid client or Invalid client credentials'
const otherClient = "Invalid refresh token. Token client and authorized client don't match"

/** Errors by the description of oidc-provider, as clients of Keycloak expect them. */
const known: Readonly<Record<string, TokenError>> = {
  'no client authentication mechanism provided': answer(
    400,
    'invalid_client',
    'Missing client_id parameter',
  ),
  'client not found': answer(401, 'invalid_client', badClient),
  'invalid secret provided': answer(401, 'unauthorized_client', badClient),
  'the provided authentication mechanism does not match the registered client authentication method':
    answer(401, 'unauthorized_client', badClient),
  'refresh token not found': invalidGrant('Invalid refresh token'),
  'refresh token is expired': invalidGrant('Token is not active'),
  'refresh token already used': invalidGrant('Maximum allowed refresh token reuse exceeded'),
  'refresh token invalid (referenced account not found)': invalidGrant('Account disabled'),
  'client mismatch': invalidGrant(otherClient),
  'grant not found': invalidGrant('Session not active'),
  'grant is expired': invalidGrant('Session not active'),
}

/**
 * Returns the error for a client that may not use a grant. It depends on the grant and on the kind
 * of client.
 */
function notAllowed({ oidc }: Context): TokenError {
  const grant = oidc.params['grant_type']
  if (grant === 'password') {
    return answer(400, 'unauthorized_client', 'Client not allowed for direct access grants')
  }
  if (grant !== 'client_credentials') {
    return answer(400, 'unauthorized_client', 'Client not allowed for this grant_type')
  }
  return oidc.client.clientAuthMethod === 'none'
    ? answer(401, 'unauthorized_client', 'Public client not allowed to retrieve service account')
    : answer(401, 'unauthorized_client', 'Client not enabled to retrieve service account')
}

/**
 * Returns the error of a token request as Keycloak words it (push-traffic-auth.md 4.3, decision
 * D64), or undefined if the two do not differ. `assertTokenForm` has already reported faults of the
 * form.
 */
export function toKeycloakError(ctx: Context, error: OidcError): TokenError | undefined {
  const description = error.error_description ?? ''
  if (error.statusCode >= 500) return undefined
  if (description === 'requested grant type is not allowed for this client') return notAllowed(ctx)
  // oidc-provider would add a field `scope`, which RFC 6749, section 5.2, does not have.
  if (error.scope !== undefined)
    return answer(400, 'invalid_scope', `Invalid scopes: ${error.scope}`)
  return known[error.error_detail ?? ''] ?? known[description]
}

function invalidGrant(description: string): TokenError {
  return answer(400, 'invalid_grant', description)
}

function answer(status: number, error: string, description: string): TokenError {
  return { status, error, description }
}
