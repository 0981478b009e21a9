import { decodeProtectedHeader } from 'jose'
import { expect } from 'vitest'
import { hashSecret } from '../../src/identity/index.ts'
import { rotateKeys } from '../../src/identity/signing-keys.ts'
import { sql } from '../../src/sql/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { CALLBACK, PORTAL, clients, users } from './accounts.ts'
import type { TestClient, TestUser } from './accounts.ts'
import { startHubHere } from './start-hub-here.ts'
import { clientToken } from './provider.ts'
import type { TokenProvider } from './provider.ts'

/** Starts a hub with its own token service and the accounts of this folder. */
export async function startEmbeddedProvider(): Promise<
  TokenProvider & { readonly stop: () => Promise<void> }
> {
  const { url, hub, stop } = await startHubHere({ HUB_REALM: 'hub' })
  const { database, secrets } = hub.store
  for (const client of clients) await storeClient(database, client)
  for (const user of users) await storeUser(database, user)
  const provider: TokenProvider = {
    kind: 'embedded',
    issuer: `${url}/auth/realms/hub`,
    rotateKeys: async () => {
      const kid = async () => decodeProtectedHeader(await clientToken(provider, 'machine')).kid
      const before = await kid()
      await database.transaction((tx) => rotateKeys(tx, 'keep', { now: new Date(), secrets }))
      // A new key is not used until all nodes have loaded it; here they have.
      await database.execute(sql`update identity_key set created = created - interval '1 hour'`)
      await expect.poll(kid, { timeout: 15_000, interval: 250 }).not.toBe(before)
    },
  }
  return { ...provider, stop }
}

async function storeClient(database: Database, client: TestClient): Promise<void> {
  const { clientId, secret, grants, scopeRoles = null, refreshSeconds = null } = client
  const hash = secret === undefined ? null : await hashSecret(secret)
  const isForUsers = grants.some((grant) => grant !== 'client_credentials')
  const grantTypes = [...grants, ...(isForUsers ? ['refresh_token'] : [])]
  const redirects = grants.includes('authorization_code') ? [CALLBACK] : []
  await database.execute(sql`
    insert into identity_client (client_id, secret_hash, grant_types, redirect_uris, roles,
      client_roles, scope_roles, refresh_seconds)
    values (${clientId}, ${hash}, ${grantTypes}, ${redirects}, ${client.roles ?? []},
      ${rolesByClient(client.portalRoles)}::jsonb, ${scopeRoles}, ${refreshSeconds})`)
  for (const path of client.mayPush ?? []) {
    await database.execute(sql`
      insert into push_grant (client, path_pattern) values (${clientId}, ${path})`)
  }
}

async function storeUser(database: Database, user: TestUser): Promise<void> {
  const { username, password, enabled, roles, portalRoles } = user
  await database.execute(sql`
    insert into identity_user (username, password_hash, enabled, email, roles, client_roles)
    values (${username}, ${await hashSecret(password)}, ${enabled}, ${`${username}@example.org`},
      ${roles}, ${rolesByClient(portalRoles)}::jsonb)`)
}

function rolesByClient(portalRoles: readonly string[] = []): string {
  return JSON.stringify(portalRoles.length === 0 ? {} : { [PORTAL]: portalRoles })
}
