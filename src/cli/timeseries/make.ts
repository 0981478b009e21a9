import { Command } from 'commander'
import { makePartitions } from '../../timeseries/index.ts'
import type { Month } from '../../timeseries/index.ts'
import type { Context } from '../context.ts'
import { inStore } from '../in-store.ts'
import { parseMonth } from './parse-month.ts'

type Options = { readonly from: Month; readonly to: Month }

export const makeCommand = (context: Context) =>
  new Command('make')
    .description('Make those of further months ahead, such as before a long import')
    .requiredOption('--from <month>', 'the first, such as 2026-01', parseMonth)
    .requiredOption('--to <month>', 'the last', parseMonth)
    .action(({ from, to }: Options) =>
      inStore(context, async ({ database }) => {
        if (from > to) throw new Error(`${from} is after ${to}: the earlier month comes first.`)
        const made = await makePartitions(database, { first: from, last: to })
        context.print(made.length === 0 ? 'Nothing was missing.' : `Made: ${made.join(', ')}.`)
      }),
    )
