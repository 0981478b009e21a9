import { Command } from 'commander'
import { firstKept, listPartitions, planRetirement } from '../../timeseries/index.ts'
import type { Context } from '../context.ts'
import { inStore } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'

export const listCommand = (context: Context) =>
  new Command('list')
    .description('All of them, the oldest first, with what the settings make of each')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nrows is what PostgreSQL last estimated, bytes are with indexes. States: attached; detaching,' +
        '\nwhile reads that began before use it; detached: a table beside; moved: in measurement_archive.',
    )
    .action(({ json }: ListOptions) =>
      inStore(context, async ({ database, config, now }) => {
        const due = await planRetirement(database, {
          firstKept: firstKept(config.HUB_MEASUREMENT_KEEP_MONTHS, now),
          retirement: config.HUB_MEASUREMENT_RETIREMENT,
        })
        const names = new Set(due.map(({ name }) => name))
        const rows = (await listPartitions(database)).map((partition) => ({
          ...partition,
          next: names.has(partition.name) ? config.HUB_MEASUREMENT_RETIREMENT : 'stays',
        }))
        printRows(context, rows, json === true ? { json } : {})
      }),
    )
