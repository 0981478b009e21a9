import { Command, Option } from 'commander'
import {
  addClient,
  changeClient,
  forgetClient,
  generateSecret,
  grantTypes,
  logOutClient,
  renewSecret,
} from '../../admin/index.ts'
import type { ClientChange } from '../../admin/index.ts'
import { hashSecret, listClients } from '../../identity/index.ts'
import type { StoredClient } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { change, inStore, warnOfExternal } from '../context.ts'
import { parseList, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import {
  parseClientId,
  parseClientRoles,
  parseGrantTypes,
  parseSeconds,
  toTexts,
} from './options.ts'

type ClientOptions = {
  readonly public?: true
  readonly grants?: readonly string[]
  readonly redirectUri?: readonly string[]
  readonly logoutUri?: readonly string[]
  readonly roles?: readonly string[]
  readonly clientRoles?: StoredClient['clientRoles']
  readonly scopeRoles?: readonly string[]
  readonly fullScope?: true
  readonly refreshSeconds?: number
  readonly sessionRefresh?: true
  readonly enable?: true
  readonly disable?: true
}

function takesClientOptions(command: Command): Command {
  return command
    .option('--grants <list>', `grant types it can use: ${grantTypes.join(', ')}`, parseGrantTypes)
    .option('--redirect-uri <address...>', 'exact redirect URIs after login; can be repeated')
    .option('--logout-uri <address...>', 'further redirect URIs after logout')
    .option('--roles <list>', 'roles in its own tokens, such as BDP_A22', parseList)
    .option(
      '--client-roles <client=list>',
      'client roles in its own tokens; can be repeated',
      parseClientRoles,
    )
    .option('--scope-roles <list>', 'the only roles that its users’ tokens can contain', parseList)
    .addOption(
      new Option('--full-scope', 'its users’ tokens contain all their roles (default)').conflicts(
        'scopeRoles',
      ),
    )
    .option(
      '--refresh-seconds <number>',
      'limit for the lifetime of its refresh tokens',
      parseSeconds,
    )
    .addOption(
      new Option('--session-refresh', 'no limit except those of the session (default)').conflicts(
        'refreshSeconds',
      ),
    )
}

function toChange(options: ClientOptions): ClientChange {
  return {
    enabled: options.disable === true ? false : options.enable,
    grantTypes: options.grants,
    redirectUris: options.redirectUri,
    logoutUris: options.logoutUri,
    roles: options.roles,
    clientRoles: options.clientRoles,
    scopeRoles: options.fullScope === true ? null : options.scopeRoles,
    refreshSeconds: options.sessionRefresh === true ? null : options.refreshSeconds,
  }
}

const listCommand = (context: Context) =>
  new Command('list')
    .description('List all clients')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, (await listClients(database)).map(toRow), options)
      }),
    )

export const clientCommand = (context: Context) => {
  const command = new Command('client').description('Manage clients: programs that request tokens')
  command.addCommand(listCommand(context))
  takesClientOptions(command.command('add'))
    .description('Add a client; its secret is generated and printed once')
    .argument('<id>', 'client id', parseClientId)
    .option(
      '--public',
      'a public client: a program on its users’ devices, which cannot keep a secret',
    )
    .action((id: string, options: ClientOptions) => addOne(context, id, options))
  takesClientOptions(command.command('change'))
    .description('Change a client; other settings stay')
    .argument('<id>')
    .option('--enable', 'allow tokens again')
    .addOption(new Option('--disable', 'keep the client, but refuse tokens').conflicts('enable'))
    .action((id: string, options: ClientOptions) => changeOne(context, id, options))
  command
    .command('secret')
    .description(
      'Generate a new secret and print it once; the old secret and its tokens become invalid',
    )
    .argument('<id>')
    .action((id: string) => renewSecretOf(context, id))
  command
    .command('logout')
    .description('Revoke all tokens of a client and of its users')
    .argument('<id>')
    .action((id: string) => logOutOne(context, id))
  command
    .command('remove')
    .description('Remove a client permanently, with its tokens and push permissions')
    .argument('<id>')
    .action((id: string) => forgetOne(context, id))
  return command
}

async function addOne(context: Context, id: string, options: ClientOptions): Promise<void> {
  const secret = options.public === true ? undefined : generateSecret()
  const hash = secret === undefined ? undefined : await hashSecret(secret)
  await change(context, async ({ tx, config }) => {
    await addClient(tx, { id, hash, change: toChange(options) })
    warnOfExternal(config, context)
  })
  context.print(`Added the client ${id}.`)
  if (secret !== undefined) context.print(`Secret (shown only once): ${secret}`)
}

async function changeOne(context: Context, id: string, options: ClientOptions): Promise<void> {
  await change(context, async ({ tx, config, now }) => {
    await changeClient(tx, { id, now }, toChange(options))
    warnOfExternal(config, context)
  })
  context.print(`Changed the client ${id}.`)
}

async function renewSecretOf(context: Context, id: string): Promise<void> {
  const secret = generateSecret()
  const hash = await hashSecret(secret)
  await change(context, ({ tx, now }) => renewSecret(tx, { id, now }, hash))
  context.print(`Secret of ${id} (shown only once): ${secret}`)
}

async function logOutOne(context: Context, id: string): Promise<void> {
  await change(context, ({ tx, now }) => logOutClient(tx, { id, now }))
  context.print(`All tokens of ${id} become invalid within 5 s.`)
}

async function forgetOne(context: Context, id: string): Promise<void> {
  await change(context, ({ tx, now }) => forgetClient(tx, { id, now }))
  context.print(`Removed the client ${id} and its push permissions.`)
}

export function toRow(client: StoredClient) {
  const { clientId, enabled, secret, grantTypes, redirectUris, logoutUris } = client
  return {
    client: clientId,
    kind: secret === null ? 'public' : 'confidential',
    enabled,
    grants: grantTypes,
    roles: client.roles,
    clientRoles: toTexts(client.clientRoles),
    scope: client.scopeRoles === null ? 'full' : client.scopeRoles,
    refreshSeconds: client.refreshSeconds,
    redirectUris,
    logoutUris,
  }
}
