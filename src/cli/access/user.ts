import { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import {
  endSessionsOf,
  hashSecret,
  listUsers,
  removeUser,
  storeUser,
} from '../../identity/index.ts'
import type { User } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { change, inStore, warnOfExternal } from '../context.ts'
import { printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import {
  findUser,
  parseClientRoles,
  parseList,
  parseUserName,
  readPassword,
  takesPassword,
} from './options.ts'
import type { NewSecret, SecretOptions } from './options.ts'

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

export const userCommand = (context: Context) => {
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
    .action((name: string, options: Options) => addUser(context, name, options))
  takesAttributes(command.command('change'))
    .description('Change a user; other settings stay')
    .argument('<name>')
    .option('--new-password', 'generate a new password and print it')
    .option('--enable', 'allow logins again')
    .option('--disable', 'keep the user, but refuse logins')
    .action((name: string, options: Options) => changeUser(context, name, options))
  command
    .command('logout')
    .description('End all sessions and revoke all tokens of a user')
    .argument('<name>')
    .action((name: string) => logOutUser(context, name))
  command
    .command('remove')
    .description('Remove a user permanently, and end all sessions')
    .argument('<name>')
    .action((name: string) => forgetUser(context, name))
  return command
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

async function addUser(context: Context, name: string, options: Options): Promise<void> {
  const password = await readPassword(options, context)
  const hash = await hashSecret(password.text)
  await change(context, async ({ tx, config }) => {
    const known = (await listUsers(tx)).map(({ username }) => username.toLowerCase())
    if (known.includes(name.toLowerCase())) {
      throw new Error(`The user ${name} already exists. Change it with: hub access user change`)
    }
    await storeUser(tx, {
      id: randomUUID(),
      username: name,
      password: { kind: 'hash', hash },
      enabled: true,
      email: options.email ?? null,
      givenName: options.givenName ?? null,
      familyName: options.familyName ?? null,
      roles: options.roles ?? [],
      clientRoles: options.clientRoles ?? {},
    })
    warnOfExternal(config, context)
  })
  context.print(`Added the user ${name}.`)
  report(context, password)
}

async function changeUser(context: Context, name: string, options: Options): Promise<void> {
  const isNew = (options.newPassword ?? options.ask ?? options.passwordFile) !== undefined
  const password = isNew ? await readPassword(options, context) : undefined
  const hash = password === undefined ? undefined : await hashSecret(password.text)
  await change(context, async ({ tx, config, now }) => {
    const user = await findUser(tx, name)
    const enabled = options.disable === true ? false : (options.enable ?? user.enabled)
    await storeUser(tx, {
      ...user,
      enabled,
      password: hash === undefined ? user.password : { kind: 'hash', hash },
      email: options.email ?? user.email,
      givenName: options.givenName ?? user.givenName,
      familyName: options.familyName ?? user.familyName,
      roles: options.roles ?? user.roles,
      clientRoles: { ...user.clientRoles, ...options.clientRoles },
    })
    const ends = !enabled || hash !== undefined
    if (ends) await endSessionsOf(tx, { kind: 'user', id: user.id }, now)
    warnOfExternal(config, context)
  })
  context.print(`Changed the user ${name}.`)
  if (password !== undefined) report(context, password)
}

async function logOutUser(context: Context, name: string): Promise<void> {
  await change(context, async ({ tx, now }) => {
    const { id } = await findUser(tx, name)
    await endSessionsOf(tx, { kind: 'user', id }, now)
  })
  context.print(`${name} is logged out everywhere; all tokens become invalid within 5 s.`)
}

async function forgetUser(context: Context, name: string): Promise<void> {
  await change(context, async ({ tx, now }) => {
    const { id } = await findUser(tx, name)
    await removeUser(tx, id)
    await endSessionsOf(tx, { kind: 'user', id }, now)
  })
  context.print(`Removed the user ${name}.`)
}

function report({ print }: Context, { text, origin }: NewSecret): void {
  if (origin === 'generated') print(`Password (shown only once): ${text}`)
}

export function toRow({ username, enabled, email, roles, clientRoles }: User) {
  return { username, enabled, roles, clientRoles: toTexts(clientRoles), email }
}

/** `client=ROLE,ROLE` for each client. */
export function toTexts(byClient: User['clientRoles']): readonly string[] {
  return Object.entries(byClient)
    .filter(([, roles]) => roles.length > 0)
    .map(([client, roles]) => `${client}=${roles.join('+')}`)
}
