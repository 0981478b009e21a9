import type { PushGrant } from '../access/index.ts'
import type { Client, FixedAccounts, User } from './account.ts'

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
