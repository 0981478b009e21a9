import { randomUUID } from 'node:crypto'
import { noteChange, personHolder, removeGrantsOf } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { endSessionsOf, listUsers, removeUser, storeUser } from '../identity/index.ts'
import type { User } from '../identity/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'
import { noSuch } from './fields.ts'
import { endTokensWithout } from './roles.ts'

/** A change of a user. An undefined field stays unchanged. */
export type UserChange = {
  readonly enabled?: boolean | undefined
  /** The hash of a new password. */
  readonly hash?: string | undefined
  readonly email?: string | null | undefined
  readonly givenName?: string | null | undefined
  readonly familyName?: string | null | undefined
  readonly roles?: readonly string[] | undefined
  /** Replaces the roles at the clients it names; roles at other clients stay. */
  readonly clientRoles?: User['clientRoles'] | undefined
}

type Named = { readonly name: string; readonly now: Date }

/**
 * Returns the user with a name, ignoring case. @throws AppError HUB-ACC-005 that suggests the
 * nearest name
 */
export async function findUser(database: Queryable, name: string): Promise<User> {
  const users = await listUsers(database)
  const found = users.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  throw noSuch({ kind: 'user', name, known: users.map(({ username }) => username) })
}

/** Adds a user. @throws AppError HUB-ACC-006 if the name exists already, ignoring case */
export async function addUser(
  tx: Transaction,
  name: string,
  change: UserChange & { readonly hash: string },
): Promise<void> {
  const known = (await listUsers(tx)).map(({ username }) => username.toLowerCase())
  if (known.includes(name.toLowerCase())) {
    throw new AppError('HUB-ACC-006', `The user ${name} already exists. Change it instead.`)
  }
  const blank: User = {
    id: randomUUID(),
    username: name,
    password: { kind: 'hash', hash: change.hash },
    enabled: true,
    email: null,
    givenName: null,
    familyName: null,
    roles: [],
    clientRoles: {},
  }
  await storeUser(tx, toChanged(blank, change))
}

/**
 * Changes a user. Disabling the user or setting a new password ends all sessions; removing a role
 * ends the access tokens.
 */
export async function changeUser(
  tx: Transaction,
  { name, now }: Named,
  change: UserChange,
): Promise<void> {
  const before = await findUser(tx, name)
  const after = toChanged(before, change)
  await storeUser(tx, after)
  const holder = { kind: 'user', id: before.id } as const
  if (!after.enabled || change.hash !== undefined) await endSessionsOf(tx, holder, now)
  else await endTokensWithout(tx, { before, after, holder, now })
}

function toChanged(user: User, change: UserChange): User {
  const { hash, email, givenName, familyName } = change
  return {
    ...user,
    enabled: change.enabled ?? user.enabled,
    password: hash === undefined ? user.password : { kind: 'hash', hash },
    email: email === undefined ? user.email : email,
    givenName: givenName === undefined ? user.givenName : givenName,
    familyName: familyName === undefined ? user.familyName : familyName,
    roles: change.roles ?? user.roles,
    clientRoles: { ...user.clientRoles, ...change.clientRoles },
  }
}

/** Ends all sessions and tokens of a user. */
export async function logOutUser(tx: Transaction, { name, now }: Named): Promise<void> {
  const { id, username } = await findUser(tx, name)
  await endSessionsOf(tx, { kind: 'user', id }, now)
  await noteChange(tx, { operation: 'Delete', dataset: 'Session', id: username })
}

/** Removes a user, with all sessions, tokens and push permissions. */
export async function forgetUser(tx: Transaction, { name, now }: Named): Promise<void> {
  const { id } = await findUser(tx, name)
  await removeUser(tx, id)
  await removeGrantsOf(tx, personHolder(name))
  await endSessionsOf(tx, { kind: 'user', id }, now)
}
