import { Command } from 'commander'
import type { Config } from '../../config/index.ts'
import { firstKept, planRetirement, retirePartitions } from '../../timeseries/index.ts'
import type { Retirement } from '../../timeseries/index.ts'
import type { Context } from '../context.ts'
import { inStore } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import { parseMonths, retirementOption } from './parse-month.ts'

type Options = {
  readonly keepMonths?: number
  readonly how?: Retirement
  readonly dryRun?: true
}

export const retireCommand = (context: Context) =>
  new Command('retire')
    .description('Take months that are too old out of what is read, and finish what was begun')
    .option('--keep-months <number>', 'default: HUB_MEASUREMENT_KEEP_MONTHS', parseMonths)
    .addOption(retirementOption())
    .option('--dry-run', 'say what would be retired, and retire nothing')
    .addHelpText(
      'after',
      '\nReads and writes go on meanwhile. waiting: reads that began before use a month, and others leave' +
        '\nafter it; busy: something else works on the tables, such as a vacuum. Run it again later.' +
        '\nA running hub keeps to its own settings and takes values as they say.',
    )
    .action(({ dryRun, ...wishes }: Options) =>
      inStore(context, async ({ database, config, now }) => {
        const policy = policyOf(config, wishes, now)
        const found =
          dryRun === true
            ? (await planRetirement(database, policy)).map(({ name, state, rows, bytes }) => {
                return { name, state, rows, bytes, next: policy.retirement }
              })
            : (await retirePartitions(database, policy)).map((retired) => ({ ...retired }))
        printRows(context, found, {})
      }),
    )

function policyOf(config: Config, { keepMonths, how }: Options, now: Date) {
  return {
    firstKept: firstKept(keepMonths ?? config.HUB_MEASUREMENT_KEEP_MONTHS, now),
    retirement: how ?? config.HUB_MEASUREMENT_RETIREMENT,
  }
}
