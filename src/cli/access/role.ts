import { Command } from 'commander'
import { listClients, listUsers, storeClient, storeUser } from '../../identity/index.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Context } from '../context.ts'
import { findClient, findUser } from './find.ts'
import { change, inStore, warnOfExternal } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'

type Options = { readonly user?: string; readonly client?: string; readonly of?: string }

export const roleCommand = (context: Context) => {
  const command = new Command('role').description('Roles are names that users and clients hold')
  command
    .command('list')
    .description('Which roles there are, and who holds them')
    .option('--json', 'for programs')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, await listRoles(database), options)
      }),
    )
  for (const verb of ['grant', 'revoke'] as const) {
    command
      .command(verb)
      .description(verb === 'grant' ? 'Give a role' : 'Take a role away')
      .argument('<role>', 'such as ADMIN, BDP_A22, HUB_ROLE_PREMIUM or Accommodation_Update')
      .option('--user <name>', 'who holds it')
      .option('--client <id>', 'which client holds it, for its own tokens')
      .option('--of <client>', 'a role of that client (resource_access), not of the realm')
      .action((role: string, options: Options) => changeHolder(context, { verb, role, ...options }))
  }
  return command
}

type Holding = Options & { readonly verb: 'grant' | 'revoke'; readonly role: string }

async function changeHolder(context: Context, holding: Holding): Promise<void> {
  const { user, client, role } = holding
  if ((user === undefined) === (client === undefined)) {
    throw new Error('Say who: --user <name> or --client <id>.')
  }
  if (!/^[^\s,]{1,200}$/.test(role)) throw new Error('A role is one word, without commas.')
  await change(context, async ({ tx, config }) => {
    if (user !== undefined) {
      const found = await findUser(tx, user)
      await storeUser(tx, { ...found, ...changed(found, holding) })
    } else if (client !== undefined) {
      const found = await findClient(tx, client)
      await storeClient(tx, { ...found, ...changed(found, holding) })
    }
    warnOfExternal(config, context)
  })
  const done = holding.verb === 'grant' ? 'has' : 'no longer has'
  context.print(`${user ?? client ?? ''} ${done} the role ${role}, from the next token on.`)
}

type Holder = {
  readonly roles: readonly string[]
  readonly clientRoles: Readonly<Record<string, readonly string[]>>
}

function changed({ roles, clientRoles }: Holder, { verb, role, of }: Holding): Holder {
  const held = of === undefined ? roles : (clientRoles[of] ?? [])
  const others = held.filter((other) => other !== role)
  if (verb === 'revoke' && others.length === held.length) {
    const all = held.length === 0 ? 'none' : held.join(', ')
    throw new Error(`There is no role ${role} to take away. It holds: ${all}.`)
  }
  const now = verb === 'grant' ? [...others, role] : others
  return of === undefined
    ? { roles: now, clientRoles }
    : { roles, clientRoles: { ...clientRoles, [of]: now } }
}

/** Each role with its holders; a role of a client is written `client/ROLE`. */
export async function listRoles(database: Queryable) {
  const users = (await listUsers(database)).map((user) => ({ ...user, holder: user.username }))
  const clients = (await listClients(database)).map((client) => ({
    ...client,
    holder: client.clientId,
  }))
  const rolesOf = ({ roles, clientRoles }: Holder) => [
    ...roles,
    ...Object.entries(clientRoles).flatMap(([of, held]) => held.map((role) => `${of}/${role}`)),
  ]
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
