import { Command } from 'commander'
import { listGrants, listRules } from '../../access/index.ts'
import type { PushScope } from '../../access/index.ts'
import { listClients, listKeys, listUsers } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { toRow as toClientRow } from './client.ts'
import { inStore } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'
import { listRoles } from './role.ts'
import { toRow as toUserRow } from './user.ts'

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
