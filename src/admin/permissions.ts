import {
  addGrant,
  listGrants,
  listRules,
  personHolder,
  removeGrant,
  removeRules,
} from '../access/index.ts'
import type { PushGrant, PushScope } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { demoAccounts, listClients, listUsers } from '../identity/index.ts'
import type { Transaction } from '../storage/index.ts'
import { hintAt } from '../lang/index.ts'
import { noSuch } from './fields.ts'

/** The names that the scope of a push permission can contain. */
export type ScopeNames = Readonly<Record<'kinds' | 'entities', readonly string[]>>

type Granted = PushGrant & {
  readonly scope: PushScope
  readonly known: ScopeNames
  /**
   * Where clients are managed. Clients of an external provider are unknown to the hub, and not
   * checked.
   */
  readonly identity: 'embedded' | 'external'
}

/**
 * Permits a client or a user to push to a path, or sets the scope of an existing permission.
 * Returns 0 if nothing changed.
 * @throws AppError HUB-ACC-005 if the holder does not exist, HUB-BDY-001 for an unknown name or an
 * empty list in the scope
 */
export async function grantPush(tx: Transaction, granted: Granted): Promise<number> {
  const { client, pathPattern, scope, known, identity } = granted
  assertNotEmpty(scope)
  assertKnown('kinds', scope, known)
  assertKnown('entities', scope, known)
  if (identity === 'embedded') await assertHolder(tx, client)
  const sources = scope.sources?.map((source) => source.toLowerCase()) ?? null
  return await addGrant(tx, { client, pathPattern }, { ...scope, sources })
}

/** Rejects a list that would cover nothing, as rules do. @throws AppError HUB-BDY-001 */
function assertNotEmpty({ station_types: stationTypes, ...scope }: PushScope) {
  const { kinds, entities, origins, sources } = scope
  const lists = { kinds, entities, stationTypes, origins, sources }
  for (const [name, list] of Object.entries(lists)) {
    if (list?.length !== 0) continue
    const detail = `${name} is an empty list; leave it out for the default.`
    throw new AppError('HUB-BDY-001', detail, { issues: [{ pointer: `/${name}`, detail }] })
  }
}

const meanings = { kinds: 'a kind of push', entities: 'an entity' }

/**
 * Rejects a name in the scope that is not known. @throws AppError HUB-BDY-001 that suggests the
 * nearest name
 */
function assertKnown(list: keyof ScopeNames, scope: PushScope, { [list]: known }: ScopeNames) {
  const named = scope[list] ?? []
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const { hint = `Known: ${known.join(', ')}.` } = hintAt(unknown, known)
  const detail = `${unknown} is not ${meanings[list]}.`
  throw new AppError('HUB-BDY-001', `${detail} ${hint}`, {
    issues: [{ pointer: `/${list}/${String(named.indexOf(unknown))}`, detail, expected: known }],
  })
}

/**
 * Returns the holder of a permission as it is stored: a client id, or `user:<name>` in lower case.
 */
export function toHolder(text: string): string {
  const name = /^user:(.+)$/.exec(text)?.[1]
  return name === undefined ? text : personHolder(name)
}

async function assertHolder(tx: Transaction, holder: string): Promise<void> {
  const users = [...(await listUsers(tx)), ...demoAccounts.users]
  if (users.some(({ username }) => personHolder(username) === holder)) return
  const name = /^user:(.+)$/.exec(holder)?.[1]
  if (name === undefined) await assertClient(tx, holder)
  else throw noSuch({ kind: 'user', name, known: users.map(({ username }) => username) })
}

async function assertClient(tx: Transaction, client: string): Promise<void> {
  const stored = (await listClients(tx)).map(({ clientId }) => clientId)
  const known = [...stored, ...demoAccounts.clients.map(({ clientId }) => clientId)]
  if (!known.includes(client)) throw noSuch({ kind: 'client', name: client, known })
}

/**
 * Revokes a push permission. @throws AppError HUB-ACC-005 that lists the permissions of the client
 */
export async function revokePush(
  tx: Transaction,
  { client, pathPattern }: PushGrant,
): Promise<void> {
  if ((await removeGrant(tx, { client, pathPattern })) > 0) return
  const grants = (await listGrants(tx)).filter((grant) => grant.client === client)
  const has = grants.length === 0 ? 'none' : grants.map((grant) => grant.pathPattern).join(', ')
  throw new AppError(
    'HUB-ACC-005',
    `${client} has no permission for ${pathPattern}. It has: ${has}.`,
  )
}

/**
 * Removes rules by their numbers: all of them, or none if one does not exist. @throws AppError
 * HUB-ACC-005
 */
export async function forgetRules(tx: Transaction, ids: readonly string[]): Promise<number> {
  const known = (await listRules(tx)).map(({ id }) => id)
  const unknown = ids.filter((id) => !known.includes(id))
  if (unknown.length === 0) return await removeRules(tx, ids)
  throw new AppError('HUB-ACC-005', `There is no rule ${unknown.join(', ')}. List the rules first.`)
}
