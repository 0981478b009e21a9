import { listClients, listUsers } from '../../identity/index.ts'
import type { StoredClient, User } from '../../identity/index.ts'
import { nearest } from '../../lang/index.ts'
import type { Queryable } from '../../storage/database.ts'

/** The user with a name, in any case. @throws Error that names the nearest one */
export async function findUser(database: Queryable, name: string): Promise<User> {
  const users = await listUsers(database)
  const found = users.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  if (found !== undefined) return found
  const known = users.map(({ username }) => username)
  throw noSuch({ kind: 'user', name, known })
}

/** The client with an id. @throws Error that names the nearest one */
export async function findClient(database: Queryable, id: string): Promise<StoredClient> {
  const clients = await listClients(database)
  const found = clients.find(({ clientId }) => clientId === id)
  if (found !== undefined) return found
  const known = clients.map(({ clientId }) => clientId)
  throw noSuch({ kind: 'client', name: id, known })
}

type Unknown = { readonly kind: string; readonly name: string; readonly known: readonly string[] }

/** Names that are listed in full; more would hide the rest of the message. */
const LISTED = 20

export function noSuch({ kind, name, known }: Unknown): Error {
  const meant = nearest(name, known)
  if (meant !== undefined) return new Error(`There is no ${kind} ${name}. Did you mean ${meant}?`)
  const listed = known.slice(0, LISTED).join(', ')
  const more = known.length > LISTED ? `, and ${String(known.length - LISTED)} more` : ''
  const all = known.length === 0 ? 'There are none yet.' : `Known: ${listed}${more}.`
  return new Error(`There is no ${kind} ${name}. ${all}`)
}
