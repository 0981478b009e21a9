import { Command, Option } from 'commander'
import {
  addUser,
  changeUser,
  forgetUser,
  listRoles,
  logOutUser,
  renewKeys,
} from '../../admin/index.ts'
import type { UserChange } from '../../admin/index.ts'
import { listGrants, listRules } from '../../access/index.ts'
import type { PushScope } from '../../access/index.ts'
import { hashSecret, listClients, listKeys, listUsers } from '../../identity/index.ts'
import type { User } from '../../identity/index.ts'
import { change, inStore, warnOfExternal } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { parseList, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import { clientCommand, toRow as toClientRow } from './client.ts'
import { parseClientRoles, parseUserName, readPassword, takesPassword, toTexts } from './options.ts'
import type { NewSecret, SecretOptions } from './options.ts'
import { grantCommand, revokeCommand, roleCommand, ruleCommand } from './rules.ts'

type Options = SecretOptions & {
  readonly roles?: readonly string[]
  readonly clientRoles?: User['clientRoles']
  readonly email?: string
  readonly givenName?: string
  readonly familyName?: string
  readonly newPassword?: true
  readonly enable?: true
  readonly disable?: true
}

const userCommand = (context: Context) => {
  const command = new Command('user').description('Manage users: people who log in')
  command
    .command('list')
    .description('List all users')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, (await listUsers(database)).map(toRow), options)
      }),
    )
  takesAttributes(command.command('add'))
    .description(
      'Add a user; without --password-file and --ask the password is generated and printed once',
    )
    .argument('<name>', 'user name, case-insensitive', parseUserName)
    .action((name: string, options: Options) => addOne(context, name, options))
  takesAttributes(command.command('change'))
    .description('Change a user; other settings stay')
    .argument('<name>')
    .addOption(newPasswordOption())
    .option('--enable', 'allow logins again')
    .addOption(new Option('--disable', 'keep the user, but refuse logins').conflicts('enable'))
    .action((name: string, options: Options) => changeOne(context, name, options))
  command
    .command('logout')
    .description('End all sessions and revoke all tokens of a user')
    .argument('<name>')
    .action((name: string) => logOutOne(context, name))
  command
    .command('remove')
    .description('Remove a user permanently, and end all sessions')
    .argument('<name>')
    .action((name: string) => forgetOne(context, name))
  return command
}

function newPasswordOption(): Option {
  const option = new Option('--new-password', 'generate a new password and print it')
  return option.conflicts(['ask', 'passwordFile'])
}

function takesAttributes(command: Command): Command {
  return takesPassword(command)
    .option('--roles <list>', 'all roles of the user, such as BDP_A22,HUB_ROLE_PREMIUM', parseList)
    .option(
      '--client-roles <client=list>',
      'client roles of the user; can be repeated',
      parseClientRoles,
    )
    .option('--email <address>')
    .option('--given-name <name>')
    .option('--family-name <name>')
}

/** Returns the changes that the options specify, except the password. */
function toChange(options: Options): UserChange {
  const { email, givenName, familyName, roles, clientRoles } = options
  const enabled = options.disable === true ? false : options.enable
  return { email, givenName, familyName, roles, clientRoles, enabled }
}

async function addOne(context: Context, name: string, options: Options): Promise<void> {
  const password = await readPassword(options, context)
  const hash = await hashSecret(password.text)
  await change(context, async ({ tx, config }) => {
    await addUser(tx, name, { ...toChange(options), hash })
    warnOfExternal(config, context)
  })
  context.print(`Added the user ${name}.`)
  report(context, password)
}

async function changeOne(context: Context, name: string, options: Options): Promise<void> {
  const isNew = (options.newPassword ?? options.ask ?? options.passwordFile) !== undefined
  const password = isNew ? await readPassword(options, context) : undefined
  const hash = password === undefined ? undefined : await hashSecret(password.text)
  await change(context, async ({ tx, config, now }) => {
    await changeUser(tx, { name, now }, { ...toChange(options), hash })
    warnOfExternal(config, context)
  })
  context.print(`Changed the user ${name}.`)
  if (password !== undefined) report(context, password)
}

async function logOutOne(context: Context, name: string): Promise<void> {
  await change(context, ({ tx, now }) => logOutUser(tx, { name, now }))
  context.print(`${name} is logged out everywhere; all tokens become invalid within 5 s.`)
}

async function forgetOne(context: Context, name: string): Promise<void> {
  await change(context, ({ tx, now }) => forgetUser(tx, { name, now }))
  context.print(`Removed the user ${name} and its push permissions.`)
}

function report({ print }: Context, { text, origin }: NewSecret): void {
  if (origin === 'generated') print(`Password (shown only once): ${text}`)
}

function toRow({ username, enabled, email, roles, clientRoles }: User) {
  return { username, enabled, roles, clientRoles: toTexts(clientRoles), email }
}

const listCommand = (context: Context) =>
  new Command('list')
    .description('List everything that determines access')
    .option('--json', 'print JSON')
    .action(({ json }: ListOptions) =>
      inStore(context, async ({ database, now }) => {
        const all = {
          users: (await listUsers(database)).map(toRow),
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

function scopeOf(scope: PushScope) {
  const parts = Object.entries(scope).flatMap(([name, value]) => {
    if (value === null || value === false) return []
    return value === true ? [name] : [`${name}: ${value.join(',')}`]
  })
  return { scope: parts.join('; ') }
}

async function renewAll(context: Context, earlier: 'keep' | 'distrust'): Promise<void> {
  await change(context, ({ tx, now, secrets }) => renewKeys(tx, { earlier, now, secrets }))
  context.print(
    earlier === 'distrust'
      ? 'A new key signs. All earlier tokens become invalid within 5 s; everybody must log in again.'
      : 'Created a new key. It signs in half a minute, when every node knows it.',
  )
}

type Rotated = { readonly distrust?: true }

const keysCommand = (context: Context) => {
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
    .action(({ distrust }: Rotated) => renewAll(context, distrust === true ? 'distrust' : 'keep'))
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
