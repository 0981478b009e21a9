import { LRUCache } from 'lru-cache'
import { personHolder } from '../access/index.ts'
import type { PushGrant } from '../access/index.ts'
import { parseObject } from '../lang/json.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Client, FixedAccounts, Secret, User } from './account.ts'
import { knownAddresses, secretChecker } from './check-secret.ts'

type Deps = {
  readonly database: Queryable
  readonly now: () => Date
  /** Fixed accounts, which hide stored ones of the same name: the demo accounts, or none. */
  readonly fixed: FixedAccounts
  /** `on`: any unregistered client id counts as a public client for users (decision D64). */
  readonly developmentClient: 'on' | 'off'
}

/** A secret or password as received, and the network address that sent it. */
type Tried = { readonly secret: string; readonly address: string }

/** The clients and users of the token service, at most five seconds behind the database. */
export type Accounts = {
  readonly findClient: (clientId: string) => Promise<Client | undefined>
  readonly findUser: (id: string) => Promise<User | undefined>
  /** Reports whether the secret is this client's; false for a public client, which has none. */
  readonly checkClientSecret: (client: Client, tried: Tried) => Promise<boolean>
  /**
   * Returns the user with this name if the password is right. The user may be disabled (`enabled`).
   */
  readonly checkPassword: (username: string, tried: Tried) => Promise<User | undefined>
}

// Any string is a client id (interface 5.4) except one with NUL, which PostgreSQL cannot store.
const CLIENT_ID = /^[^\0]{1,1000}$/u
const KEPT = 5_000
const CACHED = 2_000

export function openAccounts({ database, now, fixed, developmentClient }: Deps): Accounts {
  const clock = { now: () => now().getTime() }
  const clients = new LRUCache<string, { client: StoredClient | undefined }>({
    max: CACHED,
    ttl: KEPT,
    perf: clock,
  })
  const check = secretChecker({ now, known: knownAddresses(database, { now }) })

  const storedClient = async (clientId: string) => {
    const known = clients.get(clientId)
    if (known !== undefined) return known.client
    const [client] = await loadClients(database, sql`client_id = ${clientId}`)
    clients.set(clientId, { client })
    return client
  }

  return {
    findClient: async (clientId) => {
      if (!CLIENT_ID.test(clientId)) return undefined
      const fixedClient = fixed.clients.find((client) => client.clientId === clientId)
      if (fixedClient !== undefined) return fixedClient
      const stored = await storedClient(clientId)
      if (stored !== undefined) return stored.enabled ? stored : undefined
      return developmentClient === 'on' ? toDevelopmentClient(clientId) : undefined
    },
    findUser: async (id) =>
      fixed.users.find((user) => user.id === id) ?? (await loadUser(database, byId(id))),
    checkClientSecret: (client, { secret, address }) =>
      client.secret === null
        ? Promise.resolve(false)
        : check(client.secret, secret, { kind: 'client', account: client.clientId, address }),
    checkPassword: async (username, { secret, address }) => {
      const user =
        fixed.users.find((candidate) => candidate.username === username.toLowerCase()) ??
        (await loadUser(database, sql`lower(username) = lower(${username})`))
      const account = username.toLowerCase()
      const right = await check(user?.password, secret, { kind: 'user', account, address })
      return right ? user : undefined
    },
  }
}

function toDevelopmentClient(clientId: string): Client {
  return { ...bareClient(clientId), grantTypes: ['password', 'refresh_token'] }
}

const byId = (id: string) => sql`id::text = ${id}`

async function loadClients(database: Queryable, condition: Sql): Promise<readonly StoredClient[]> {
  const rows = await database.query<ClientRow>(sql`
    select client_id as "clientId", secret_hash as "secretHash", grant_types as "grantTypes",
      redirect_uris as "redirectUris", logout_uris as "logoutUris", roles,
      client_roles::text as "clientRoles", scope_roles as "scopeRoles",
      refresh_seconds as "refreshSeconds", enabled
    from identity_client where ${condition} order by client_id`)
  return rows.map(toClient)
}

async function loadUsers(database: Queryable, condition: Sql): Promise<readonly User[]> {
  const rows = await database.query<UserRow>(sql`
    select id::text as id, username, password_hash as "passwordHash", enabled, email,
      given_name as "givenName", family_name as "familyName", roles,
      client_roles::text as "clientRoles"
    from identity_user where ${condition} order by lower(username)`)
  return rows.map(toUser)
}

async function loadUser(database: Queryable, condition: Sql): Promise<User | undefined> {
  const [user] = await loadUsers(database, condition)
  return user
}

export function listClients(database: Queryable): Promise<readonly StoredClient[]> {
  return loadClients(database, sql`true`)
}

export function listUsers(database: Queryable): Promise<readonly User[]> {
  return loadUsers(database, sql`true`)
}

/** A client as stored. A disabled one gets no tokens. */
export type StoredClient = Client & { readonly enabled: boolean }

type ClientRow = Omit<StoredClient, 'secret' | 'clientRoles'> & {
  readonly secretHash: string | null
  readonly clientRoles: string
}

type UserRow = Omit<User, 'password' | 'clientRoles'> & {
  readonly passwordHash: string
  readonly clientRoles: string
}

function toClient({ secretHash, clientRoles, ...client }: ClientRow): StoredClient {
  return {
    ...client,
    secret: secretHash === null ? null : { kind: 'hash', hash: secretHash },
    clientRoles: toRolesByClient(clientRoles),
  }
}

function toUser({ passwordHash, clientRoles, ...user }: UserRow): User {
  return {
    ...user,
    password: { kind: 'hash', hash: passwordHash },
    clientRoles: toRolesByClient(clientRoles),
  }
}

function toRolesByClient(json: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(parseObject(json)).map(([client, roles]) => [
      client,
      Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    ]),
  )
}

/** Adds a client, or replaces the one with the same id. */
export async function storeClient(database: Queryable, client: StoredClient): Promise<void> {
  const { clientId, enabled, grantTypes, redirectUris, logoutUris, roles, scopeRoles } = client
  await database.execute(sql`
    insert into identity_client (client_id, secret_hash, enabled, grant_types, redirect_uris,
      logout_uris, roles, client_roles, scope_roles, refresh_seconds)
    values (${clientId}, ${hashOf(client.secret)}, ${enabled}, ${once(grantTypes)},
      ${once(redirectUris)}, ${once(logoutUris)}, ${once(roles)}, ${toJson(client.clientRoles)}::jsonb,
      ${scopeRoles && once(scopeRoles)}, ${client.refreshSeconds})
    on conflict (client_id) do update
    set secret_hash = excluded.secret_hash, enabled = excluded.enabled,
      grant_types = excluded.grant_types, redirect_uris = excluded.redirect_uris,
      logout_uris = excluded.logout_uris, roles = excluded.roles,
      client_roles = excluded.client_roles, scope_roles = excluded.scope_roles,
      refresh_seconds = excluded.refresh_seconds`)
}

/**
 * Adds a user, or replaces the one with the same id, whose name stays. User names must differ in
 * more than case.
 */
export async function storeUser(database: Queryable, user: User): Promise<void> {
  const { id, username, enabled, email, givenName, familyName, roles } = user
  await database.execute(sql`
    insert into identity_user (id, username, password_hash, enabled, email, given_name,
      family_name, roles, client_roles)
    values (${id}, ${username}, ${hashOf(user.password)}, ${enabled}, ${email}, ${givenName},
      ${familyName}, ${once(roles)}, ${toJson(user.clientRoles)}::jsonb)
    on conflict (id) do update
    set password_hash = excluded.password_hash, enabled = excluded.enabled, email = excluded.email,
      given_name = excluded.given_name, family_name = excluded.family_name, roles = excluded.roles,
      client_roles = excluded.client_roles`)
}

/** Returns the items of a list without repetitions. */
const once = (items: readonly string[]) => [...new Set(items)]

function toJson(roles: User['clientRoles']): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(roles).map(([client, held]) => [client, once(held)])),
  )
}

export async function removeClient(database: Queryable, clientId: string): Promise<void> {
  await database.execute(sql`delete from identity_client where client_id = ${clientId}`)
}

export async function removeUser(database: Queryable, id: string): Promise<void> {
  await database.execute(sql`delete from identity_user where id::text = ${id}`)
}

/** Returns the hash to store. Demo accounts, whose secrets are public, must never be stored. */
function hashOf(secret: Secret | null): string | null {
  if (secret === null) return null
  if (secret.kind === 'hash') return secret.hash
  throw new Error('Only hashes of secrets are stored.')
}

/** Client id of the Explorer in the demo. */
export const EXPLORER_CLIENT = 'hub-explorer'

const demoUserIds = {
  demo: '00000000-0000-4000-8000-000000000001',
  'demo-clerk': '00000000-0000-4000-8000-000000000002',
  'demo-operator': '00000000-0000-4000-8000-000000000003',
  'demo-provider': '00000000-0000-4000-8000-000000000004',
} as const

/**
 * Demo accounts, whose secret is their name. They exist in demo mode only and are never stored, so
 * that no other deployment can have them by accident.
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
  users: [
    user('demo', 'BDP_VIEW_CLOSED_DATA'),
    user('demo-clerk', 'Accommodation_Create', 'Accommodation_Update', 'Accommodation_Delete'),
    user('demo-operator', 'ADMIN'),
    user('demo-provider'),
  ],
}

/** Push permissions of the demo accounts. `demo-admin` may push everywhere by its role. */
export const demoPushGrants: readonly PushGrant[] = [
  { client: 'demo-provider', pathPattern: '/demo/*' },
  { client: personHolder('demo-provider'), pathPattern: '/demo/*' },
]

function client(name: string, ...roles: readonly string[]): Client {
  return {
    ...bareClient(name),
    secret: { kind: 'demo', text: name },
    grantTypes: ['client_credentials', 'password', 'refresh_token'],
    roles,
  }
}

function bareClient(clientId: string): Client {
  return {
    clientId,
    secret: null,
    grantTypes: [],
    redirectUris: [],
    logoutUris: [],
    roles: [],
    clientRoles: {},
    scopeRoles: null,
    refreshSeconds: null,
  }
}

/**
 * Returns the client of the Explorer, the hub's web page: a public client for logging in to the
 * demo.
 */
export function demoPageClient(publicUrl: string): Client {
  // On the local machine any port is allowed (RFC 8252, section 7.3), including that of `npm run
  // web`.
  const origins = /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(publicUrl)
    ? ['http://localhost', 'http://127.0.0.1']
    : [publicUrl]
  return {
    ...client(EXPLORER_CLIENT),
    secret: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: origins.map((origin) => `${origin}/login/done`),
    logoutUris: origins.map((origin) => `${origin}/`),
  }
}

function user(name: keyof typeof demoUserIds, ...roles: readonly string[]): User {
  return {
    id: demoUserIds[name],
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
