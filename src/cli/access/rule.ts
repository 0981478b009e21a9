import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import {
  addRules,
  listRules,
  parseRuleFile,
  removeAllRules,
  removeRules,
  toRules,
} from '../../access/index.ts'
import type { WrittenRule } from '../../access/index.ts'
import type { Context } from '../context.ts'
import { change, inStore } from '../in-store.ts'
import { parseList } from './parse-options.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'

type Added = Omit<WrittenRule, 'role'>
type Imported = { readonly replace?: true }

export const ruleCommand = (context: Context) => {
  const command = new Command('rule').description('Rules open closed data to the bearers of a role')
  command
    .command('list')
    .option('--json', 'for programs')
    .action((options: ListOptions) =>
      inStore(context, async ({ database }) => {
        printRows(context, await listRules(database), options)
      }),
    )
  command
    .command('add')
    .description('Add a rule; what is not named is open whatever it is')
    .argument('<role>', 'GUEST for everybody, or a role such as BDP_A22')
    .option('--area <area>', 'content, timeseries or event')
    .option('--origin <list>', 'sources of records, origins of stations and events', parseList)
    .option('--type <list>', 'entity types, station types or event categories', parseList)
    .option('--data-type <list>', 'data types of measurements', parseList)
    .option('--period <list>', 'periods of measurements, in seconds', parseList)
    .action((role: string, options: Added) => addRule(context, { role, ...options }))
  command
    .command('remove')
    .description('Remove rules by the numbers that the list shows')
    .argument('<number...>')
    .action((ids: readonly string[]) => forgetRules(context, ids))
  command
    .command('import')
    .description('Add the rules of a file (YAML or JSON; docs/examples/rules.yaml)')
    .argument('<file>')
    .option('--replace', 'remove all other rules')
    .action((file: string, options: Imported) => importRules(context, file, options))
  return command
}

const FOLLOWS = 'A running hub follows within 5 s.'

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
  if (gone > 0) context.print(`${String(gone)} rules were removed.`)
  report(context, { wanted: rules.length, added })
}

type Outcome = { readonly wanted: number; readonly added: number }

function report({ print }: Context, { wanted, added }: Outcome): void {
  const known = wanted === added ? '' : `; ${String(wanted - added)} were there already`
  print(`${String(added)} rules were added${known}. ${FOLLOWS}`)
}

async function forgetRules(context: Context, ids: readonly string[]): Promise<void> {
  const gone = await change(context, async ({ tx }) => {
    const known = (await listRules(tx)).map(({ id }) => id)
    const unknown = ids.filter((id) => !known.includes(id))
    if (unknown.length > 0) {
      throw new Error(`There is no rule ${unknown.join(', ')}. See: hub access rule list`)
    }
    return await removeRules(tx, ids)
  })
  context.print(`${String(gone)} rules were removed. ${FOLLOWS}`)
}
