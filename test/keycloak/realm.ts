import { CALLBACK, FORBIDDEN, PORTAL, clients, users } from './accounts.ts'
import type { TestClient, TestUser } from './accounts.ts'

/** Client id of the resource server that holds the streams. */
export const PUSH_AUDIENCE = 'hub-push'
/**
 * A user who must change the password first. Only Keycloak has this state; the embedded service
 * does not.
 */
export const newcomer = { username: 'newcomer', password: 'first password' }

/** Returns the accounts as a realm for `kc.sh import` (Keycloak's realm representation). */
export function toRealm(name: string): object {
  const realmRoles = [...clients, ...users].flatMap(({ roles = [] }) => roles)
  return {
    realm: name,
    enabled: true,
    sslRequired: 'none',
    accessTokenLifespan: 300,
    ssoSessionIdleTimeout: 7_200,
    ssoSessionMaxLifespan: 36_000,
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    roles: {
      realm: [...new Set(realmRoles)].map((role) => ({ name: role })),
      client: { [PORTAL]: [{ name: 'READER' }] },
    },
    clients: [
      { clientId: PORTAL, bearerOnly: true },
      ...clients.map(toClient),
      { ...confidential(PUSH_AUDIENCE, 'hub-push secret'), ...authorizationServices() },
    ],
    scopeMappings: clients.flatMap(({ clientId, scopeRoles }) =>
      scopeRoles === undefined ? [] : [{ client: clientId, roles: scopeRoles }],
    ),
    users: [...users.map(toUser), toNewcomer(), ...clients.flatMap(toServiceAccount)],
  }
}

function toClient(client: TestClient): object {
  const { clientId, secret, grants, scopeRoles, refreshSeconds } = client
  return {
    ...(secret === undefined ? { clientId, publicClient: true } : confidential(clientId, secret)),
    serviceAccountsEnabled: grants.includes('client_credentials'),
    directAccessGrantsEnabled: grants.includes('password'),
    standardFlowEnabled: grants.includes('authorization_code'),
    redirectUris: grants.includes('authorization_code') ? [CALLBACK] : [],
    fullScopeAllowed: scopeRoles === undefined,
    attributes: {
      'pkce.code.challenge.method': grants.includes('authorization_code') ? 'S256' : '',
      ...(refreshSeconds === undefined
        ? {}
        : { 'client.session.max.lifespan': String(refreshSeconds) }),
    },
    protocolMappers: [audienceMapper('hub'), audienceMapper('inspector')],
  }
}

function confidential(clientId: string, secret: string) {
  return { clientId, secret, publicClient: false, serviceAccountsEnabled: true }
}

/**
 * Adds an audience to tokens. From version 26.7 on, a token is inactive for a client that is not in
 * its audience.
 */
function audienceMapper(audience: string): object {
  return {
    name: `audience ${audience}`,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: {
      'included.custom.audience': audience,
      'access.token.claim': 'true',
      'introspection.token.claim': 'true',
    },
  }
}

function toUser({ username, password, enabled, roles, portalRoles }: TestUser): object {
  return {
    username,
    enabled,
    email: `${username}@example.org`,
    emailVerified: false,
    firstName: username,
    lastName: 'Test',
    credentials: [{ type: 'password', value: password }],
    realmRoles: roles,
    clientRoles: { [PORTAL]: portalRoles },
  }
}

function toNewcomer(): object {
  const { username, password } = newcomer
  const user = toUser({ username, password, enabled: true, roles: [], portalRoles: [] })
  return { ...user, requiredActions: ['UPDATE_PASSWORD'] }
}

function toServiceAccount({ clientId, roles = [], portalRoles = [] }: TestClient): object[] {
  if (roles.length + portalRoles.length === 0) return []
  return [
    {
      username: `service-account-${clientId}`,
      enabled: true,
      serviceAccountClientId: clientId,
      realmRoles: roles,
      clientRoles: { [PORTAL]: portalRoles },
    },
  ]
}

/** Creates a resource per stream, a policy per client, and a permission that connects the two. */
function authorizationServices(): object {
  const pushers = clients.filter(({ mayPush = [] }) => mayPush.length > 0)
  const streams = pushers.flatMap(({ clientId, mayPush = [] }) =>
    mayPush.map((path) => ({ clientId, path })),
  )
  return {
    authorizationServicesEnabled: true,
    authorizationSettings: {
      policyEnforcementMode: 'ENFORCING',
      decisionStrategy: 'UNANIMOUS',
      resources: [...streams.map(({ path }) => path), FORBIDDEN].map((path) => ({
        name: path,
        uris: [path],
      })),
      policies: [
        ...pushers.map(({ clientId }) => ({
          name: `is ${clientId}`,
          type: 'client',
          config: { clients: JSON.stringify([clientId]) },
        })),
        ...streams.map(({ clientId, path }) => ({
          name: `${clientId} on ${path}`,
          type: 'resource',
          config: {
            resources: JSON.stringify([path]),
            applyPolicies: JSON.stringify([`is ${clientId}`]),
          },
        })),
      ],
    },
  }
}
