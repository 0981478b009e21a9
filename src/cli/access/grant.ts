import { Command } from 'commander'
import { addGrant, listGrants, removeGrant } from '../../access/index.ts'
import type { PushGrant, PushScope } from '../../access/index.ts'
import { demoAccounts, listClients } from '../../identity/index.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Context } from '../context.ts'
import { noSuch } from './find.ts'
import { change } from '../in-store.ts'
import { parseList, parsePathPattern } from './parse-options.ts'

const pattern = '/<provider>/<dataset>, /<provider>/* or /*'
const FOLLOWS = 'A running hub follows within 5 s.'

type ScopeOptions = {
  readonly kinds?: readonly string[]
  readonly entities?: readonly string[]
  readonly stationTypes?: readonly string[]
  readonly origins?: readonly string[]
  readonly sources?: readonly string[]
  readonly mayDelete?: true
  readonly mayComplete?: true
  readonly mayPublishClosed?: true
}

export const grantCommand = (context: Context) =>
  new Command('grant')
    .description('Let a client push to a path (interface 5.10), and set what that covers')
    .argument('<client>', 'client id')
    .argument('<path>', pattern, parsePathPattern)
    .option('--kinds <list>', 'only these kinds, such as stations,measurements', parseList)
    .option('--entities <list>', 'of content only these, such as Accommodation', parseList)
    .option('--station-types <list>', 'only these types of stations and edges', parseList)
    .option(
      '--origins <list>',
      'all under these origins, whoever wrote it, and no other',
      parseList,
    )
    .option('--sources <list>', 'all records of these sources, and no other', parseList)
    .option('--may-delete', 'delete records of --sources that other streams wrote')
    .option('--may-complete', 'end stations of --origins that other streams wrote')
    .option('--may-publish-closed', 'open what is closed')
    .addHelpText(
      'after',
      '\nWithout options it covers what the stream itself wrote (docs/push.md). Grant again to change it.',
    )
    .action(async (client: string, pathPattern: string, options: ScopeOptions) => {
      const added = await change(context, async ({ tx, config }) => {
        if (config.HUB_IDENTITY === 'embedded') await assertClient(tx, client)
        // Clients of another provider are not known here; it decides about paths (decision D52).
        else context.complain('Note: the identity provider decides about paths, the scope counts.')
        return await addGrant(tx, { client, pathPattern }, toScope(options))
      })
      const done = added === 0 ? 'could already push' : 'may push'
      context.print(`${client} ${done} to ${pathPattern}. ${FOLLOWS}`)
    })

function toScope(options: ScopeOptions): PushScope {
  const names = (list: readonly string[] | undefined) => (list === undefined ? null : [...list])
  return {
    kinds: names(options.kinds),
    entities: names(options.entities),
    station_types: names(options.stationTypes),
    origins: names(options.origins),
    sources: names(options.sources?.map((source) => source.toLowerCase())),
    may_delete: options.mayDelete === true,
    may_complete: options.mayComplete === true,
    may_publish_closed: options.mayPublishClosed === true,
  }
}

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
