import { UMA_TICKET } from './push-decision.ts'
import { tokenError } from './token-error.ts'

/** What the token endpoint offers. */
const grantTypes = [
  'client_credentials',
  'password',
  'refresh_token',
  'authorization_code',
  UMA_TICKET,
]

/**
 * Checks the form of a token request, which comes before its client, as with Keycloak
 * (push-traffic-auth.md 4.3). @throws token errors 400
 */
export function assertTokenForm(form: URLSearchParams): void {
  const grantType = form.get('grant_type')
  if (grantType === null || grantType === '') {
    throw tokenError(400, 'invalid_request', 'Missing form parameter: grant_type')
  }
  if (!grantTypes.includes(grantType)) {
    throw tokenError(400, 'unsupported_grant_type', 'Unsupported grant_type')
  }
  if (grantType === 'refresh_token' && !form.get('refresh_token')) {
    throw tokenError(400, 'invalid_request', 'No refresh token')
  }
  // Only a decision request may ask for several permissions.
  const names = [...form.keys()].filter(
    (name) => !(grantType === UMA_TICKET && name === 'permission'),
  )
  if (new Set(names).size < names.length) {
    throw tokenError(400, 'invalid_request', 'duplicated parameter')
  }
}
