import { Command } from 'commander'
import { deleteMessages, listMessages } from '../../push/index.ts'
import { inStore } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'
import type { Context } from '../context.ts'
import { parseCount } from '../parse-values.ts'
import { withFilter } from './filter.ts'
import type { FilterOptions } from './filter.ts'

type Options = FilterOptions & ListOptions & { readonly limit: number; readonly delete?: true }

export const deadCommand = (context: Context) =>
  withFilter(
    new Command('dead').description('Messages that were given up after their last attempt'),
  )
    .option('--limit <number>', 'so many at most are listed', parseCount, 50)
    .option('--json', 'for programs')
    .option('--delete', 'delete them for good, instead of listing them')
    .addHelpText(
      'after',
      '\nThe log says why, by the id. hub push replay --state dead tries again.',
    )
    .action(({ json, limit, delete: deletes, ...filter }: Options) =>
      inStore(context, async ({ database }) => {
        const dead = { ...filter, state: 'dead' }
        if (deletes === true) {
          context.print(`${String(await deleteMessages(database, dead))} messages are deleted.`)
          return
        }
        const messages = await listMessages(database, dead, limit)
        printRows(context, messages, json === true ? { json } : {})
      }),
    )
