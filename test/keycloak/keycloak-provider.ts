import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { bearer } from './provider.ts'
import type { TokenProvider } from './provider.ts'
import { toRealm } from './realm.ts'

/** A Keycloak with the realm of this folder, and the administrator that it was started with. */
export type RunningKeycloak = {
  /** URL of the server, without `/realms`. */
  readonly url: string
  readonly realm: string
  readonly administrator: { readonly username: string; readonly password: string }
}

export function keycloakProvider(keycloak: RunningKeycloak): TokenProvider {
  const { url, realm } = keycloak
  let priority = 1_000
  return {
    kind: 'keycloak',
    issuer: `${url}/realms/${realm}`,
    rotateKeys: async () => {
      priority += 1
      await addKey(keycloak, priority)
    },
  }
}

/** Creates the realm with its accounts. */
export async function createRealm(keycloak: RunningKeycloak): Promise<void> {
  const headers = await asAdministrator(keycloak)
  const body = JSON.stringify(toRealm(keycloak.realm))
  const response = await fetch(`${keycloak.url}/admin/realms`, { method: 'POST', headers, body })
  if (response.status === 201) return
  throw new Error(`Keycloak did not take the realm: ${await response.text()}`)
}

const granted = Type.Object({ access_token: Type.String() })
const realmOf = Type.Object({ id: Type.String() })

/**
 * Adds a key with the given priority. The key with the highest priority signs; the older keys
 * remain valid.
 */
async function addKey(keycloak: RunningKeycloak, priority: number): Promise<void> {
  const headers = await asAdministrator(keycloak)
  const admin = `${keycloak.url}/admin/realms/${keycloak.realm}`
  const { id } = Parse(realmOf, await (await fetch(admin, { headers })).json())
  const body = JSON.stringify({
    name: `key ${String(priority)}`,
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    parentId: id,
    config: {
      priority: [String(priority)],
      enabled: ['true'],
      active: ['true'],
      algorithm: ['RS256'],
      keySize: ['2048'],
    },
  })
  const { status } = await fetch(`${admin}/components`, { method: 'POST', headers, body })
  if (status !== 201) throw new Error(`Keycloak made no new key: ${String(status)}`)
}

async function asAdministrator(keycloak: RunningKeycloak) {
  return { ...bearer(await adminToken(keycloak)), 'content-type': 'application/json' }
}

async function adminToken({ url, administrator }: RunningKeycloak): Promise<string> {
  const login = { grant_type: 'password', client_id: 'admin-cli', ...administrator }
  const address = `${url}/realms/master/protocol/openid-connect/token`
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams(login) })
  return Parse(granted, await response.json()).access_token
}
