import { Command } from 'commander'
import { listGrants, listRules } from '../../access/index.ts'
import type { PushScope } from '../../access/index.ts'
import { listClients, listKeys, listUsers, rotateKeys } from '../../identity/index.ts'
import { inStore } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import { clientCommand, toRow as toClientRow } from './client.ts'
import { grantCommand, listRoles, revokeCommand, roleCommand, ruleCommand } from './rules.ts'
import { toRow as toUserRow, userCommand } from './user.ts'

export const listCommand = (context: Context) =>
  new Command('list')
    .description('All that decides about access')
    .option('--json', 'for programs')
    .action(({ json }: ListOptions) =>
      inStore(context, async ({ database, now }) => {
        const all = {
          users: (await listUsers(database)).map(toUserRow),
          clients: (await listClients(database)).map(toClientRow),
          roles: await listRoles(database),
          rules: await listRules(database),
          grants: (await listGrants(database)).map(({ client, pathPattern, ...scope }) => ({
            client,
            path: pathPattern,
            ...scopeOf(scope),
          })),
          keys: await listKeys(database, now),
        }
        if (json === true) {
          context.print(JSON.stringify(all, null, 2))
          return
        }
        for (const [title, rows] of Object.entries(all)) {
          context.print(`\n${title}`)
          printRows(context, rows, {})
        }
      }),
    )

/** What a permission covers, in one column. */
function scopeOf(scope: PushScope) {
  const parts = Object.entries(scope).flatMap(([name, value]) => {
    if (value === null || value === false) return []
    return value === true ? [name] : [`${name}: ${value.join(',')}`]
  })
  return { scope: parts.join('; ') }
}

type Rotated = { readonly distrust?: true }

export const keysCommand = (context: Context) => {
  const command = new Command('keys').description('Keys that the token service signs with')
  command
    .command('list')
    .option('--json', 'for programs')
    .action((options: ListOptions) =>
      inStore(context, async ({ database, now }) => {
        printRows(context, await listKeys(database, now), options)
      }),
    )
  command
    .command('rotate')
    .description('Sign with a new key; tokens signed so far stay good until they expire')
    .option('--distrust', 'a key has leaked: trust nothing that was signed so far')
    .action(({ distrust }: Rotated) =>
      inStore(context, async ({ database, now }) => {
        await rotateKeys(database, distrust === true ? 'distrust' : 'keep', now)
        context.print(
          distrust === true
            ? 'A new key signs. All earlier tokens are worthless within 5 s; everybody logs in again.'
            : 'There is a new key. It signs in half a minute, when every node has heard of it.',
        )
      }),
    )
  return command
}

export const accessCommand: MakeCommand = (context) => {
  const command = new Command('access').addHelpText('after', '\nA running hub follows within 5 s.')
  const nouns = [
    listCommand,
    userCommand,
    clientCommand,
    roleCommand,
    ruleCommand,
    grantCommand,
    revokeCommand,
    keysCommand,
  ]
  for (const noun of nouns) command.addCommand(noun(context))
  return command
}
