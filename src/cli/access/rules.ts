import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { addRules, listRules, parseRuleFile, removeAllRules, toRules } from '../../access/index.ts'
import type { PushScope, WrittenRule } from '../../access/index.ts'
import {
  changeClient,
  changeUser,
  findClient,
  findUser,
  forgetRules,
  grantPush,
  listRoles,
  revokePush,
  toHolder,
} from '../../admin/index.ts'
import type { Holder } from '../../admin/index.ts'
import { scopeNamesOf } from '../../push/index.ts'
import type { Context } from '../context.ts'
import { change, inStore, warnOfExternal } from '../context.ts'
import { parseList, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import { parsePathPattern, parseRole } from './options.ts'

type Options = { readonly user?: string; readonly client?: string; readonly of?: string }

export const roleCommand = (context: Context) => {
  const command = new Command('role').description('Manage the roles of users and clients')
  command
    .command('list')
    .description('List all roles and who has them')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, await listRoles(database), options)
      }),
    )
  for (const verb of ['grant', 'revoke'] as const) {
    command
      .command(verb)
      .description(verb === 'grant' ? 'Grant a role' : 'Revoke a role')
      .argument(
        '<role>',
        'such as ADMIN, BDP_A22, HUB_ROLE_PREMIUM or Accommodation_Update',
        parseRole,
      )
      .option('--user <name>', 'the user')
      .option('--client <id>', 'the client, for its own tokens')
      .option('--of <client>', 'a role of this client (resource_access) instead of the realm')
      .action((role: string, options: Options) => changeHolder(context, { verb, role, ...options }))
  }
  return command
}

type Holding = Options & { readonly verb: 'grant' | 'revoke'; readonly role: string }

async function changeHolder(context: Context, holding: Holding): Promise<void> {
  const { user, client, role } = holding
  if ((user === undefined) === (client === undefined)) {
    throw new Error('Specify either --user <name> or --client <id>.')
  }
  await change(context, async ({ tx, config, now }) => {
    if (user !== undefined) {
      await changeUser(tx, { name: user, now }, changed(await findUser(tx, user), holding))
    } else if (client !== undefined) {
      await changeClient(tx, { id: client, now }, changed(await findClient(tx, client), holding))
    }
    warnOfExternal(config, context)
  })
  const done =
    holding.verb === 'grant'
      ? `has the role ${role}, starting with the next token`
      : `no longer has the role ${role}; tokens with it become invalid within 5 s`
  context.print(`${user ?? client ?? ''} ${done}.`)
}

function changed({ roles, clientRoles }: Holder, { verb, role, of }: Holding): Holder {
  const held = of === undefined ? roles : (clientRoles[of] ?? [])
  const others = held.filter((other) => other !== role)
  if (verb === 'revoke' && others.length === held.length) {
    const all = held.length === 0 ? 'none' : held.join(', ')
    throw new Error(`The role ${role} is not granted. Granted roles: ${all}.`)
  }
  const now = verb === 'grant' ? [...others, role] : others
  return of === undefined
    ? { roles: now, clientRoles }
    : { roles, clientRoles: { ...clientRoles, [of]: now } }
}

type Added = Omit<WrittenRule, 'role'>
type Imported = { readonly replace?: true }

export const ruleCommand = (context: Context) => {
  const command = new Command('rule').description('Manage rules, which open closed data to a role')
  command
    .command('list')
    .description('List all rules')
    .option('--json', 'print JSON')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, await listRules(database), options)
      }),
    )
  command
    .command('add')
    .description('Add a rule; an omitted option matches everything')
    .argument('<role>', 'GUEST for everybody, or a role such as BDP_A22')
    .option('--area <area>', 'content, timeseries or event')
    .option('--origin <list>', 'sources of records, origins of stations and events', parseList)
    .option('--type <list>', 'entity types, station types or event categories', parseList)
    .option('--data-type <list>', 'data types of measurements', parseList)
    .option('--period <list>', 'periods of measurements, in seconds', parseList)
    .action((role: string, options: Added) => addRule(context, { role, ...options }))
  command
    .command('remove')
    .description('Remove rules by their numbers in the list')
    .argument('<number...>')
    .action((ids: readonly string[]) => removeNumbered(context, ids))
  command
    .command('import')
    .description('Add the rules of a file (YAML or JSON; docs/examples/rules.yaml)')
    .argument('<file>')
    .option('--replace', 'remove all other rules')
    .action((file: string, options: Imported) => importRules(context, file, options))
  return command
}

const FOLLOWS = 'A running hub applies this within 5 s.'

async function addRule(context: Context, written: WrittenRule): Promise<void> {
  const rules = toRules(written)
  const added = await change(context, ({ tx }) => addRules(tx, rules))
  report(context, { wanted: rules.length, added })
}

async function importRules(context: Context, file: string, { replace }: Imported): Promise<void> {
  const rules = parseRuleFile(await readFile(file, 'utf8'))
  const { gone, added } = await change(context, async ({ tx }) => ({
    gone: replace === true ? await removeAllRules(tx) : 0,
    added: await addRules(tx, rules),
  }))
  if (gone > 0) context.print(`Rules removed: ${String(gone)}.`)
  report(context, { wanted: rules.length, added })
}

type Outcome = { readonly wanted: number; readonly added: number }

function report({ print }: Context, { wanted, added }: Outcome): void {
  const known = wanted === added ? '' : `; already present: ${String(wanted - added)}`
  print(`Rules added: ${String(added)}${known}. ${FOLLOWS}`)
}

async function removeNumbered(context: Context, ids: readonly string[]): Promise<void> {
  const gone = await change(context, ({ tx }) => forgetRules(tx, ids))
  context.print(`Rules removed: ${String(gone)}. ${FOLLOWS}`)
}

const pattern = '/<provider>/<dataset>, /<provider>/* or /*'

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
    .description('Allow a client or a user to push to a path, and set the scope')
    .argument('<client>', 'client id, or user:<name>', toHolder)
    .argument('<path>', pattern, parsePathPattern)
    .option('--kinds <list>', 'only these kinds, such as stations,measurements', parseList)
    .option('--entities <list>', 'only these content entities, such as Accommodation', parseList)
    .option('--station-types <list>', 'only these types of stations and edges', parseList)
    .option(
      '--origins <list>',
      'everything of these origins, whoever wrote it, and nothing else',
      parseList,
    )
    .option('--sources <list>', 'all records of these sources, and no others', parseList)
    .option('--may-delete', 'can delete records of --sources that other streams wrote')
    .option(
      '--may-complete',
      'a complete list can make stations of --origins inactive that other streams wrote',
    )
    .option('--may-publish-closed', 'can change closed data to open')
    .addHelpText(
      'after',
      '\nWithout options the scope is what the stream itself wrote (docs/push.md). Grant again to change it.',
    )
    .action(async (client: string, pathPattern: string, options: ScopeOptions) => {
      const added = await change(context, async ({ tx, config, entities }) => {
        const identity = config.HUB_IDENTITY
        // With an external provider, grants do not decide on paths (decision D52).
        if (identity === 'external')
          context.complain('Note: the identity provider decides on paths; only the scope applies.')
        const [scope, known] = [toScope(options), scopeNamesOf(entities)]
        return await grantPush(tx, { client, pathPattern, scope, known, identity })
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
    sources: names(options.sources),
    may_delete: options.mayDelete === true,
    may_complete: options.mayComplete === true,
    may_publish_closed: options.mayPublishClosed === true,
  }
}

export const revokeCommand = (context: Context) =>
  new Command('revoke')
    .description('Revoke a push permission')
    .argument('<client>', 'client id, or user:<name>', toHolder)
    .argument('<path>', 'path as granted', parsePathPattern)
    .action(async (client: string, pathPattern: string) => {
      await change(context, ({ tx }) => revokePush(tx, { client, pathPattern }))
      context.print(`${client} may no longer push to ${pathPattern}. ${FOLLOWS}`)
    })
