import type { Client } from './account.ts'
import { applicationType } from './redirect-uris.ts'

/**
 * A client as oidc-provider knows it (OpenID Connect Dynamic Client Registration 1.0, section 2).
 * It never learns the secret: it insists on having one, and asks `compareClientSecret` about it.
 */
export function toOidcClient(client: Client): Readonly<Record<string, unknown>> {
  const usesBrowser = client.grantTypes.includes('authorization_code')
  return {
    client_id: client.clientId,
    ...(client.secret === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'kept elsewhere' }),
    grant_types: client.grantTypes,
    response_types: usesBrowser ? ['code'] : [],
    redirect_uris: usesBrowser ? client.redirectUris : [],
    post_logout_redirect_uris: usesBrowser ? [...client.redirectUris, ...client.logoutUris] : [],
    application_type: applicationType(client.redirectUris),
    refresh_seconds: client.refreshSeconds,
  }
}
