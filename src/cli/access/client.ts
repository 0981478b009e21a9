import { Command } from 'commander'
import { removeGrantsOf } from '../../access/index.ts'
import {
  endSessionsOf,
  hashSecret,
  listClients,
  removeClient,
  storeClient,
} from '../../identity/index.ts'
import type { StoredClient } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { assertUsable, toChanged, toNewClient } from './client-options.ts'
import type { ClientOptions } from './client-options.ts'
import { takesClientOptions } from './client-options.ts'
import { findClient } from './find.ts'
import { change, inStore, warnOfExternal } from '../in-store.ts'
import { parseClientId } from './parse-options.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'
import { generateSecret } from './read-secret.ts'
import { toTexts } from './user.ts'

export const clientCommand = (context: Context) => {
  const command = new Command('client').description('Programs that ask for tokens')
  command
    .command('list')
    .option('--json', 'for programs')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, (await listClients(database)).map(toRow), options)
      }),
    )
  takesClientOptions(command.command('add'))
    .description('Add a client; its secret is made and printed once')
    .argument('<id>', 'client id', parseClientId)
    .option('--public', 'a program in the hands of its users, which can keep no secret')
    .action((id: string, options: ClientOptions) => addClient(context, id, options))
  takesClientOptions(command.command('change'))
    .description('Change a client; what is not named stays')
    .argument('<id>')
    .option('--enable', 'let it have tokens again')
    .option('--disable', 'keep it, but give it no tokens')
    .action((id: string, options: ClientOptions) => changeClient(context, id, options))
  command
    .command('secret')
    .description('Make a new secret and print it once; the old one and its tokens end')
    .argument('<id>')
    .action((id: string) => renewSecret(context, id))
  command
    .command('logout')
    .description('End all tokens that a client has, its users’ too')
    .argument('<id>')
    .action((id: string) => logOutClient(context, id))
  command
    .command('remove')
    .description('Remove a client for good, with its tokens and push permissions')
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
      throw new Error(`There is a client ${id} already. Change it with: hub access client change`)
    }
    const client = toNewClient({ id, hash, options })
    assertUsable(client)
    await storeClient(tx, client)
    warnOfExternal(config, context)
  })
  context.print(`Added the client ${id}.`)
  if (secret !== undefined) context.print(`Secret, shown this once: ${secret}`)
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
  context.print(`Secret of ${id}, shown this once: ${text}`)
}

async function logOutClient(context: Context, id: string): Promise<void> {
  await change(context, async ({ tx, now }) => {
    await findClient(tx, id)
    await endSessionsOf(tx, { kind: 'client', id }, now)
  })
  context.print(`All tokens of ${id} are worthless within 5 s.`)
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
