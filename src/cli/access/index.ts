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
    .description('List everything that determines access')
    .option('--json', 'print JSON')
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
  const command = new Command('keys').description('Manage the signing keys of the token service')
  command
    .command('list')
    .description('List all signing keys')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      inStore(context, async ({ database, now }) => {
        printRows(context, await listKeys(database, now), options)
      }),
    )
  command
    .command('rotate')
    .description('Create a new signing key; existing tokens stay valid until they expire')
    .option('--distrust', 'a key has leaked: reject everything signed so far')
    .action(({ distrust }: Rotated) =>
      inStore(context, async ({ database, now }) => {
        await rotateKeys(database, distrust === true ? 'distrust' : 'keep', now)
        context.print(
          distrust === true
            ? 'A new key signs. All earlier tokens become invalid within 5 s; everybody must log in again.'
            : 'Created a new key. It signs in half a minute, when every node knows it.',
        )
      }),
    )
  return command
}

export const accessCommand: MakeCommand = (context) => {
  const command = new Command('access').addHelpText(
    'after',
    '\nA running hub applies changes within 5 s.',
  )
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
