import { listClients, listUsers, storeRevocation } from '../identity/index.ts'
import type { User } from '../identity/index.ts'
import type { Queryable, Transaction } from '../storage/index.ts'

/** The roles that a user or a client holds: those of the realm, and those of clients. */
export type Holder = Pick<User, 'roles' | 'clientRoles'>

/** Returns the names of the held roles. A role of a client is written `client/ROLE`. */
function rolesOf({ roles, clientRoles }: Holder): readonly string[] {
  return [
    ...roles,
    ...Object.entries(clientRoles).flatMap(([of, held]) => held.map((role) => `${of}/${role}`)),
  ]
}

/** Returns each role with its holders. */
export async function listRoles(database: Queryable) {
  const users = (await listUsers(database)).map((user) => ({ ...user, holder: user.username }))
  const clients = (await listClients(database)).map((client) => ({
    ...client,
    holder: client.clientId,
  }))
  const names = [...new Set([...users, ...clients].flatMap(rolesOf))].sort()
  return names.map((role) => {
    const holds = (holder: Holder) => rolesOf(holder).includes(role)
    return {
      role,
      users: users.filter(holds).map(({ holder }) => holder),
      clients: clients.filter(holds).map(({ holder }) => holder),
    }
  })
}

type Change = {
  readonly before: Holder
  readonly after: Holder
  readonly holder: { readonly kind: 'user' | 'client'; readonly id: string }
  readonly now: Date
}

/**
 * Ends the access tokens of a holder who lost a role. Refresh tokens and sessions stay, because new
 * access tokens from them do not have the role.
 */
export async function endTokensWithout(
  tx: Transaction,
  { before, after, holder, now }: Change,
): Promise<void> {
  const kept = rolesOf(after)
  if (rolesOf(before).every((role) => kept.includes(role))) return
  await storeRevocation(tx, holder, now)
}
