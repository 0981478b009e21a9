import { Command } from 'commander'
import { listMessages } from '../../push/index.ts'
import { inStore } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'
import type { Context } from '../context.ts'
import { parseCount } from '../parse-values.ts'
import { stateOption, withFilter } from './filter.ts'
import type { FilterOptions } from './filter.ts'

type Options = FilterOptions & ListOptions & { readonly limit: number }

export const listCommand = (context: Context) =>
  withFilter(new Command('list').description('Messages, the newest first'))
    .addOption(stateOption())
    .option('--limit <number>', 'so many at most', parseCount, 50)
    .option('--json', 'for programs')
    .action(({ json, limit, ...filter }: Options) =>
      inStore(context, async ({ database }) => {
        const messages = await listMessages(database, filter, limit)
        printRows(context, messages, json === true ? { json } : {})
      }),
    )
