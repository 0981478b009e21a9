import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Client, User } from './account.ts'

/** Reads a client, enabled or not. */
export async function loadClient(
  database: Queryable,
  clientId: string,
): Promise<StoredClient | undefined> {
  const [row] = await database.query<ClientRow>(sql`
    select client_id, secret_hash, grant_types, redirect_uris, logout_uris, roles,
      client_roles::text as client_roles, scope_roles, refresh_seconds, enabled
    from identity_client
    where client_id = ${clientId}`)
  return row === undefined ? undefined : { ...toClient(row), enabled: row.enabled }
}

/** Reads a user by name, in any case, enabled or not. */
export async function loadUserByName(
  database: Queryable,
  username: string,
): Promise<User | undefined> {
  const [row] = await database.query<UserRow>(sql`
    select id::text as id, username, password_hash, enabled, email, given_name, family_name, roles,
      client_roles::text as client_roles
    from identity_user
    where lower(username) = lower(${username})`)
  return row === undefined ? undefined : toUser(row)
}

/** Reads a user by `sub`, enabled or not. */
export async function loadUserById(database: Queryable, id: string): Promise<User | undefined> {
  const [row] = await database.query<UserRow>(sql`
    select id::text as id, username, password_hash, enabled, email, given_name, family_name, roles,
      client_roles::text as client_roles
    from identity_user
    where id::text = ${id}`)
  return row === undefined ? undefined : toUser(row)
}

/** Reads all clients, enabled or not, by name. */
export async function listClients(database: Queryable): Promise<readonly StoredClient[]> {
  const rows = await database.query<ClientRow>(sql`
    select client_id, secret_hash, grant_types, redirect_uris, logout_uris, roles,
      client_roles::text as client_roles, scope_roles, refresh_seconds, enabled
    from identity_client order by client_id`)
  return rows.map((row) => ({ ...toClient(row), enabled: row.enabled }))
}

/** Reads all users, by name. */
export async function listUsers(database: Queryable): Promise<readonly User[]> {
  const rows = await database.query<UserRow>(sql`
    select id::text as id, username, password_hash, enabled, email, given_name, family_name, roles,
      client_roles::text as client_roles
    from identity_user order by lower(username)`)
  return rows.map(toUser)
}

/** A client as it is stored; a disabled one gets no tokens. */
export type StoredClient = Client & { readonly enabled: boolean }

type ClientRow = {
  readonly client_id: string
  readonly secret_hash: string | null
  readonly grant_types: readonly string[]
  readonly redirect_uris: readonly string[]
  readonly logout_uris: readonly string[]
  readonly roles: readonly string[]
  readonly client_roles: string
  readonly scope_roles: readonly string[] | null
  readonly refresh_seconds: number | null
  readonly enabled: boolean
}

type UserRow = {
  readonly id: string
  readonly username: string
  readonly password_hash: string
  readonly enabled: boolean
  readonly email: string | null
  readonly given_name: string | null
  readonly family_name: string | null
  readonly roles: readonly string[]
  readonly client_roles: string
}

function toClient(row: ClientRow): Client {
  return {
    clientId: row.client_id,
    secret: row.secret_hash === null ? null : { kind: 'hash', hash: row.secret_hash },
    grantTypes: row.grant_types,
    redirectUris: row.redirect_uris,
    logoutUris: row.logout_uris,
    roles: row.roles,
    clientRoles: toRolesByClient(row.client_roles),
    scopeRoles: row.scope_roles,
    refreshSeconds: row.refresh_seconds,
  }
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    password: { kind: 'hash', hash: row.password_hash },
    enabled: row.enabled,
    email: row.email,
    givenName: row.given_name,
    familyName: row.family_name,
    roles: row.roles,
    clientRoles: toRolesByClient(row.client_roles),
  }
}

function toRolesByClient(json: string): Readonly<Record<string, readonly string[]>> {
  const found: unknown = JSON.parse(json)
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : []
  return Object.fromEntries(
    entries.map(([client, roles]: [string, unknown]) => [
      client,
      Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    ]),
  )
}
