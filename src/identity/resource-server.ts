import type { Context, ResourceServerInfo } from 'oidc-provider'
import { ACCESS_TOKEN } from './lifetimes.ts'
import { scopes } from './token-claims.ts'
import { tokenError } from './token-error.ts'

/**
 * oidc-provider issues JWT access tokens only for a resource (RFC 8707). The hub is the one there
 * is, so it stands in for the parameter that clients of Keycloak never send.
 */
export const HUB = 'urn:hub'

/** Describes the hub to oidc-provider, and refuses other resources and unknown scopes. */
export function resourceServers(audience: string) {
  const hub: ResourceServerInfo = {
    scope: scopes.join(' '),
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN,
    jwt: { sign: { alg: 'RS256' } },
  }
  return {
    enabled: true,
    defaultResource: () => HUB,
    useGrantedResource: () => true,
    getResourceServerInfo: ({ oidc }: Context, resource: string) => {
      if (resource !== HUB) throw tokenError(400, 'invalid_target', 'There is no such resource')
      assertScopes(oidc.params['scope'])
      return hub
    },
  }
}

/** Left alone, oidc-provider would drop unknown scopes without a word. */
export function assertScopes(requested: string | undefined): void {
  const unknown = (requested ?? '')
    .split(' ')
    .filter((scope) => scope !== '' && !scopes.includes(scope))
  if (unknown.length > 0) {
    throw tokenError(400, 'invalid_scope', `Invalid scopes: ${unknown.join(' ')}`)
  }
}
