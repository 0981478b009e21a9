import { isPersonHolder, noteChange, removeGrantsOf } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import {
  endSessionsOf,
  listClients,
  redirectFault,
  removeClient,
  storeClient,
} from '../identity/index.ts'
import type { StoredClient } from '../identity/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'
import { noSuch } from './fields.ts'
import { endTokensWithout } from './roles.ts'

/** A change of a client. An undefined field stays unchanged. */
export type ClientChange = {
  readonly enabled?: boolean | undefined
  readonly grantTypes?: readonly string[] | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly logoutUris?: readonly string[] | undefined
  readonly roles?: readonly string[] | undefined
  /** Replaces the roles at the clients it names; roles at other clients stay. */
  readonly clientRoles?: StoredClient['clientRoles'] | undefined
  /** Null: the tokens of its users contain all their roles. */
  readonly scopeRoles?: readonly string[] | null | undefined
  /** Limit in seconds on its refresh tokens. Null: only the limits of the session apply. */
  readonly refreshSeconds?: number | null | undefined
}

type Named = { readonly id: string; readonly now: Date }

/** Returns the client with an id. @throws AppError HUB-ACC-005 that suggests the nearest id */
export async function findClient(database: Queryable, id: string): Promise<StoredClient> {
  const clients = await listClients(database)
  const found = clients.find(({ clientId }) => clientId === id)
  if (found !== undefined) return found
  throw noSuch({ kind: 'client', name: id, known: clients.map(({ clientId }) => clientId) })
}

type New = {
  readonly id: string
  /** The hash of its secret; undefined for a public client. */
  readonly hash: string | undefined
  readonly change: ClientChange
}

/** Returns a new client with the given settings, and defaults for its kind. */
export function toNewClient({ id, hash, change }: New): StoredClient {
  const usesBrowser = change.redirectUris !== undefined && change.redirectUris.length > 0
  const forUsers = usesBrowser
    ? ['authorization_code', 'refresh_token']
    : ['password', 'refresh_token']
  const blank: StoredClient = {
    clientId: id,
    secret: hash === undefined ? null : { kind: 'hash', hash },
    enabled: true,
    grantTypes: hash === undefined || usesBrowser ? forUsers : ['client_credentials'],
    redirectUris: [],
    logoutUris: [],
    roles: [],
    clientRoles: {},
    scopeRoles: null,
    refreshSeconds: null,
  }
  return toChangedClient(blank, change)
}

/** Returns a client with the given settings changed. */
export function toChangedClient(client: StoredClient, change: ClientChange): StoredClient {
  const { scopeRoles, refreshSeconds } = change
  return {
    ...client,
    enabled: change.enabled ?? client.enabled,
    grantTypes: change.grantTypes ?? client.grantTypes,
    redirectUris: change.redirectUris ?? client.redirectUris,
    logoutUris: change.logoutUris ?? client.logoutUris,
    roles: change.roles ?? client.roles,
    clientRoles: { ...client.clientRoles, ...change.clientRoles },
    scopeRoles: scopeRoles === undefined ? client.scopeRoles : scopeRoles,
    refreshSeconds: refreshSeconds === undefined ? client.refreshSeconds : refreshSeconds,
  }
}

/**
 * Rejects settings with which a client could never get a token. @throws AppError HUB-BDY-001 with
 * the reason
 */
export function assertUsable(client: StoredClient): void {
  const { grantTypes: grants, redirectUris, logoutUris, secret } = client
  const fault = redirectFault([...redirectUris, ...logoutUris])
  if (fault !== undefined) throw unusable(`${fault}.`)
  if (grants.includes('authorization_code') && redirectUris.length === 0) {
    throw unusable('The grant authorization_code needs a redirect URI, the URI after login.')
  }
  if (grants.includes('client_credentials') && secret === null) {
    throw unusable(
      'A public client has no secret, so it cannot get tokens of its own. Remove the grant client_credentials, or add the client with a secret.',
    )
  }
}

const unusable = (why: string) => new AppError('HUB-BDY-001', why)

/**
 * Adds a client. @throws AppError HUB-ACC-006 if the id exists already, HUB-BDY-001 if the client
 * could never get a token
 */
export async function addClient(tx: Transaction, added: New): Promise<void> {
  const { id } = added
  if (isPersonHolder(id)) {
    throw unusable(
      `The client id ${id} begins with "user:", which names a user in push permissions.`,
    )
  }
  const known = await listClients(tx)
  if (known.some(({ clientId }) => clientId === id)) {
    throw new AppError('HUB-ACC-006', `The client ${id} already exists. Change it instead.`)
  }
  const client = toNewClient(added)
  assertUsable(client)
  await storeClient(tx, client)
}

/**
 * Changes a client. Disabling it ends all its tokens and sessions; removing a role ends its access
 * tokens.
 */
export async function changeClient(
  tx: Transaction,
  { id, now }: Named,
  change: ClientChange,
): Promise<void> {
  const before = await findClient(tx, id)
  const after = toChangedClient(before, change)
  assertUsable(after)
  await storeClient(tx, after)
  const holder = { kind: 'client', id } as const
  if (!after.enabled) await endSessionsOf(tx, holder, now)
  else await endTokensWithout(tx, { before, after, holder, now })
}

/** Replaces the secret of a client, and ends all sessions and tokens obtained with the old one. */
export async function renewSecret(
  tx: Transaction,
  { id, now }: Named,
  hash: string,
): Promise<void> {
  const client = await findClient(tx, id)
  if (client.secret === null) {
    throw new AppError('HUB-ACC-006', `${id} is a public client and has no secret.`)
  }
  await storeClient(tx, { ...client, secret: { kind: 'hash', hash } })
  await endSessionsOf(tx, { kind: 'client', id }, now)
}

/** Ends all tokens of a client and of its users. */
export async function logOutClient(tx: Transaction, { id, now }: Named): Promise<void> {
  await findClient(tx, id)
  await endSessionsOf(tx, { kind: 'client', id }, now)
  await noteChange(tx, { operation: 'Delete', dataset: 'Session', id })
}

/** Removes a client, with its tokens and push permissions. */
export async function forgetClient(tx: Transaction, { id, now }: Named): Promise<void> {
  await findClient(tx, id)
  await removeClient(tx, id)
  // An older client may have such an id. The permissions under it are those of a user.
  if (!isPersonHolder(id)) await removeGrantsOf(tx, id)
  await endSessionsOf(tx, { kind: 'client', id }, now)
}
