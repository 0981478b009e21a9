import { sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { Secret, User } from './account.ts'
import type { StoredClient } from './load-accounts.ts'

/** Adds a client, or changes the one with its id. */
export async function storeClient(database: Queryable, client: StoredClient): Promise<void> {
  const { clientId, enabled, grantTypes, redirectUris, logoutUris, roles, scopeRoles } = client
  await database.execute(sql`
    insert into identity_client (client_id, secret_hash, enabled, grant_types, redirect_uris,
      logout_uris, roles, client_roles, scope_roles, refresh_seconds)
    values (${clientId}, ${hashOf(client.secret)}, ${enabled}, ${grantTypes}, ${redirectUris},
      ${logoutUris}, ${roles}, ${JSON.stringify(client.clientRoles)}::jsonb, ${scopeRoles},
      ${client.refreshSeconds})
    on conflict (client_id) do update
    set secret_hash = excluded.secret_hash, enabled = excluded.enabled,
      grant_types = excluded.grant_types, redirect_uris = excluded.redirect_uris,
      logout_uris = excluded.logout_uris, roles = excluded.roles,
      client_roles = excluded.client_roles, scope_roles = excluded.scope_roles,
      refresh_seconds = excluded.refresh_seconds`)
}

/** Adds a user, or changes the one with its id. Names differ in more than their case. */
export async function storeUser(database: Queryable, user: User): Promise<void> {
  const { id, username, enabled, email, givenName, familyName, roles } = user
  await database.execute(sql`
    insert into identity_user (id, username, password_hash, enabled, email, given_name,
      family_name, roles, client_roles)
    values (${id}, ${username}, ${hashOf(user.password)}, ${enabled}, ${email}, ${givenName},
      ${familyName}, ${roles}, ${JSON.stringify(user.clientRoles)}::jsonb)
    on conflict (id) do update
    set password_hash = excluded.password_hash, enabled = excluded.enabled, email = excluded.email,
      given_name = excluded.given_name, family_name = excluded.family_name, roles = excluded.roles,
      client_roles = excluded.client_roles`)
}

export async function removeClient(database: Queryable, clientId: string): Promise<void> {
  await database.execute(sql`delete from identity_client where client_id = ${clientId}`)
}

export async function removeUser(database: Queryable, id: string): Promise<void> {
  await database.execute(sql`delete from identity_user where id::text = ${id}`)
}

/** Demo accounts, whose secret is known openly, are never stored. */
function hashOf(secret: Secret | null): string | null {
  if (secret === null) return null
  if (secret.kind === 'hash') return secret.hash
  throw new Error('Only hashes of secrets are stored.')
}
