import { Command } from 'commander'
import { attachPartition, firstKept } from '../../timeseries/index.ts'
import type { Month } from '../../timeseries/index.ts'
import type { Context } from '../context.ts'
import { inStore } from '../in-store.ts'
import { parseMonth } from './parse-month.ts'

export const attachCommand = (context: Context) =>
  new Command('attach')
    .description('Put a month that was detached or moved back among those that are read')
    .argument('<month>', 'such as 2024-05', parseMonth)
    .action((month: Month) =>
      inStore(context, async ({ database, config, now }) => {
        const kept = firstKept(config.HUB_MEASUREMENT_KEEP_MONTHS, now)
        await attachPartition(database, month, kept)
        context.print(`${month} is read again.`)
      }),
    )
