import { Command } from 'commander'
import { addGrant, listGrants, removeGrant } from '../../access/index.ts'
import type { PushGrant } from '../../access/index.ts'
import { demoAccounts, listClients } from '../../identity/index.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Context } from '../context.ts'
import { noSuch } from './find.ts'
import { change, warnOfExternal } from '../in-store.ts'
import { parsePathPattern } from './parse-options.ts'

const pattern = '/<provider>/<dataset>, /<provider>/* or /*'
const FOLLOWS = 'A running hub follows within 5 s.'

export const grantCommand = (context: Context) =>
  new Command('grant')
    .description('Let a client push to a path (interface 5.10)')
    .argument('<client>', 'client id')
    .argument('<path>', pattern, parsePathPattern)
    .action(async (client: string, pathPattern: string) => {
      const added = await change(context, async ({ tx, config }) => {
        warnOfExternal(config, context)
        // Clients of another provider are not known here, and it decides by itself (decision D52).
        if (config.HUB_IDENTITY === 'embedded') await assertClient(tx, client)
        return await addGrant(tx, { client, pathPattern })
      })
      const done = added === 0 ? 'could already push' : 'may push'
      context.print(`${client} ${done} to ${pathPattern}. ${FOLLOWS}`)
    })

export const revokeCommand = (context: Context) =>
  new Command('revoke')
    .description('Take away a permission to push')
    .argument('<client>', 'client id')
    .argument('<path>', 'as it was granted', parsePathPattern)
    .action(async (client: string, pathPattern: string) => {
      await change(context, async ({ tx }) => {
        const gone = await removeGrant(tx, { client, pathPattern })
        if (gone === 0) throw await noGrant(tx, { client, pathPattern })
      })
      context.print(`${client} may no longer push to ${pathPattern}. ${FOLLOWS}`)
    })

async function assertClient(database: Queryable, client: string): Promise<void> {
  const stored = (await listClients(database)).map(({ clientId }) => clientId)
  const known = [...stored, ...demoAccounts.clients.map(({ clientId }) => clientId)]
  if (!known.includes(client)) throw noSuch({ kind: 'client', name: client, known })
}

async function noGrant(database: Queryable, { client, pathPattern }: PushGrant): Promise<Error> {
  const grants = (await listGrants(database)).filter((grant) => grant.client === client)
  const has = grants.length === 0 ? 'none' : grants.map((grant) => grant.pathPattern).join(', ')
  return new Error(`${client} has no permission for ${pathPattern}. It has: ${has}.`)
}
