import type { PushGrant } from '../access/index.ts'
import type { Client, FixedAccounts, User } from './account.ts'

/** The id of the client that the Explorer is in the demo. */
export const EXPLORER_CLIENT = 'hub-explorer'

/**
 * Accounts whose secret is their name. They exist in demo mode only and are never stored,
 * so that no deployment can come to have them by accident.
 */
export const demoAccounts: FixedAccounts = {
  clients: [
    client('demo-admin', 'ADMIN'),
    client('demo-provider'),
    client('demo-closed', 'BDP_VIEW_CLOSED_DATA'),
    client('demo-basic'),
    client('demo-advanced', 'HUB_ROLE_ADVANCED'),
    client('demo-premium', 'HUB_ROLE_PREMIUM'),
  ],
  users: [user('demo', 'BDP_VIEW_CLOSED_DATA')],
}

/** Where demo clients may push; `demo-admin` may everywhere by its role. */
export const demoPushGrants: readonly PushGrant[] = [
  { client: 'demo-provider', pathPattern: '/demo/*' },
]

function client(name: string, ...roles: readonly string[]): Client {
  return {
    clientId: name,
    secret: { kind: 'demo', text: name },
    grantTypes: ['client_credentials', 'password', 'refresh_token'],
    redirectUris: [],
    logoutUris: [],
    roles,
    clientRoles: {},
    scopeRoles: null,
    refreshSeconds: null,
  }
}

/** The Explorer, the page of the hub: a public client by which people log in to the demo. */
export function demoPageClient(publicUrl: string): Client {
  const origins = isLocal(publicUrl) ? ['http://localhost', 'http://127.0.0.1'] : [publicUrl]
  return {
    ...client(EXPLORER_CLIENT),
    secret: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: origins.map((origin) => `${origin}/login/done`),
    logoutUris: origins.map((origin) => `${origin}/`),
  }
}

/** On this very machine any port will do (RFC 8252, section 7.3): the one of `npm run web`, too. */
function isLocal(url: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(url)
}

function user(name: string, ...roles: readonly string[]): User {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    username: name,
    password: { kind: 'demo', text: name },
    enabled: true,
    email: null,
    givenName: 'Demo',
    familyName: 'User',
    roles,
    clientRoles: {},
  }
}
