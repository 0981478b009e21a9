import { Command } from 'commander'
import { removeGrantsOf } from '../../access/index.ts'
import {
  endSessionsOf,
  hashSecret,
  listClients,
  redirectFault,
  removeClient,
  storeClient,
} from '../../identity/index.ts'
import type { StoredClient } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { change, inStore, warnOfExternal } from '../context.ts'
import { printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import {
  findClient,
  generateSecret,
  grantTypes,
  parseClientId,
  parseClientRoles,
  parseGrantTypes,
  parseList,
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
    .option('--full-scope', 'its users’ tokens contain all their roles (default)')
    .option(
      '--refresh-seconds <number>',
      'limit for the lifetime of its refresh tokens',
      parseSeconds,
    )
    .option('--session-refresh', 'no limit except those of the session (default)')
}

type New = {
  readonly id: string
  /** Undefined for a public client. */
  readonly hash: string | undefined
  readonly options: ClientOptions
}

/** A client with the given options, and the defaults of its kind. */
export function toNewClient({ id, hash, options }: New): StoredClient {
  const usesBrowser = options.redirectUri !== undefined
  const forUsers = usesBrowser
    ? ['authorization_code', 'refresh_token']
    : ['password', 'refresh_token']
  const blank: StoredClient = {
    clientId: id,
    secret: hash === undefined ? null : { kind: 'hash', hash },
    enabled: true,
    grantTypes: hash === undefined || usesBrowser ? forUsers : ['client_credentials'],
    redirectUris: [],
    logoutUris: [],
    roles: [],
    clientRoles: {},
    scopeRoles: null,
    refreshSeconds: null,
  }
  return toChanged(blank, options)
}

/** The client with the given options changed. */
export function toChanged(client: StoredClient, options: ClientOptions): StoredClient {
  return {
    ...client,
    enabled: options.disable === true ? false : (options.enable ?? client.enabled),
    grantTypes: options.grants ?? client.grantTypes,
    redirectUris: options.redirectUri ?? client.redirectUris,
    logoutUris: options.logoutUri ?? client.logoutUris,
    roles: options.roles ?? client.roles,
    clientRoles: { ...client.clientRoles, ...options.clientRoles },
    scopeRoles: options.fullScope === true ? null : (options.scopeRoles ?? client.scopeRoles),
    refreshSeconds:
      options.sessionRefresh === true ? null : (options.refreshSeconds ?? client.refreshSeconds),
  }
}

/** @throws Error with the reason why this client could never get a token */
export function assertUsable(client: StoredClient): void {
  const { grantTypes: grants, redirectUris, logoutUris, secret } = client
  const fault = redirectFault([...redirectUris, ...logoutUris])
  if (fault !== undefined) throw new Error(`${fault}.`)
  if (grants.includes('authorization_code') && redirectUris.length === 0) {
    throw new Error('The grant authorization_code needs --redirect-uri, the URI after login.')
  }
  if (grants.includes('client_credentials') && secret === null) {
    throw new Error(
      'A public client has no secret, so it cannot get tokens of its own. Remove client_credentials or --public.',
    )
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
    .action((id: string, options: ClientOptions) => addClient(context, id, options))
  takesClientOptions(command.command('change'))
    .description('Change a client; other settings stay')
    .argument('<id>')
    .option('--enable', 'allow tokens again')
    .option('--disable', 'keep the client, but refuse tokens')
    .action((id: string, options: ClientOptions) => changeClient(context, id, options))
  command
    .command('secret')
    .description(
      'Generate a new secret and print it once; the old secret and its tokens become invalid',
    )
    .argument('<id>')
    .action((id: string) => renewSecret(context, id))
  command
    .command('logout')
    .description('Revoke all tokens of a client and of its users')
    .argument('<id>')
    .action((id: string) => logOutClient(context, id))
  command
    .command('remove')
    .description('Remove a client permanently, with its tokens and push permissions')
    .argument('<id>')
    .action((id: string) => forgetClient(context, id))
  return command
}

async function addClient(context: Context, id: string, options: ClientOptions): Promise<void> {
  const secret = options.public === true ? undefined : generateSecret().text
  const hash = secret === undefined ? undefined : await hashSecret(secret)
  await change(context, async ({ tx, config }) => {
    const known = await listClients(tx)
    if (known.some(({ clientId }) => clientId === id)) {
      throw new Error(`The client ${id} already exists. Change it with: hub access client change`)
    }
    const client = toNewClient({ id, hash, options })
    assertUsable(client)
    await storeClient(tx, client)
    warnOfExternal(config, context)
  })
  context.print(`Added the client ${id}.`)
  if (secret !== undefined) context.print(`Secret (shown only once): ${secret}`)
}

async function changeClient(context: Context, id: string, options: ClientOptions): Promise<void> {
  await change(context, async ({ tx, config, now }) => {
    const client = toChanged(await findClient(tx, id), options)
    assertUsable(client)
    await storeClient(tx, client)
    if (!client.enabled) await endSessionsOf(tx, { kind: 'client', id }, now)
    warnOfExternal(config, context)
  })
  context.print(`Changed the client ${id}.`)
}

async function renewSecret(context: Context, id: string): Promise<void> {
  const { text } = generateSecret()
  const hash = await hashSecret(text)
  await change(context, async ({ tx, now }) => {
    const client = await findClient(tx, id)
    if (client.secret === null) throw new Error(`${id} is a public client and has no secret.`)
    await storeClient(tx, { ...client, secret: { kind: 'hash', hash } })
    await endSessionsOf(tx, { kind: 'client', id }, now)
  })
  context.print(`Secret of ${id} (shown only once): ${text}`)
}

async function logOutClient(context: Context, id: string): Promise<void> {
  await change(context, async ({ tx, now }) => {
    await findClient(tx, id)
    await endSessionsOf(tx, { kind: 'client', id }, now)
  })
  context.print(`All tokens of ${id} become invalid within 5 s.`)
}

async function forgetClient(context: Context, id: string): Promise<void> {
  await change(context, async ({ tx, now }) => {
    await findClient(tx, id)
    await removeClient(tx, id)
    await removeGrantsOf(tx, id)
    await endSessionsOf(tx, { kind: 'client', id }, now)
  })
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
