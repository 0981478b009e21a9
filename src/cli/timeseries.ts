import { Command, InvalidArgumentError, Option } from 'commander'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config/index.ts'
import type { Database, Transaction } from '../storage/index.ts'
import {
  attachPartition,
  deletables,
  deleteTimeseries,
  firstKept,
  listWithPlan,
  makePartitions,
  monthPattern,
  planRetirement,
  rebuildRollups,
  retireBy,
  retirements,
} from '../timeseries/index.ts'
import type {
  Deletable,
  Deleted,
  Deletion,
  Month,
  Operator,
  Retirement,
} from '../timeseries/index.ts'
import { actorOf, inStore } from './context.ts'
import type { Context, MakeCommand } from './context.ts'
import { parseCount, parseTime, printRows } from './terminal.ts'
import type { ListOptions } from './terminal.ts'

function parseMonth(text: string): Month {
  if (new RegExp(monthPattern).test(text)) return text
  throw new InvalidArgumentError('Expected a month such as 2026-11.')
}

function parseMonths(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= 1200) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of months up to 1200; 0 keeps all.')
}

/** Option for what happens to old months in this run, instead of the setting. */
function retirementOption(): Option {
  return new Option(
    '--how <what>',
    'leave old tables in place, move them to measurement_archive, drop them, or move values to Parquet files; default: HUB_MEASUREMENT_RETIREMENT',
  ).choices(retirements)
}

/** Option for moving values to files: a more readable form of `--how parquet`. */
function formatOption(): Option {
  return new Option(
    '--to <format>',
    'move the values to files in HUB_COLD_PLACE that can still be read; the same as --how parquet',
  )
    .choices(['parquet'])
    .conflicts('how')
}

const listCommand = (context: Context) =>
  new Command('list')
    .description('List all partitions, oldest first, and what the settings will do with each')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nrows is the last estimate of PostgreSQL; bytes includes indexes. States: attached; detaching,' +
        '\nwhile earlier reads use it; detached, a table of its own; moved to measurement_archive; cold, with' +
        '\nvalues in a file; the table contains those that are being read.',
    )
    .action(({ json }: ListOptions) =>
      inStore(context, async ({ database, config, now }) => {
        const rows = await listWithPlan(database, policyOf(config, {}, now))
        printRows(context, rows, json === true ? { json } : {})
      }),
    )

type MakeOptions = { readonly from: Month; readonly to: Month }

const makeCommand = (context: Context) =>
  new Command('make')
    .description('Create the partitions of more months, for example before a long import')
    .requiredOption('--from <month>', 'first month, such as 2026-01', parseMonth)
    .requiredOption('--to <month>', 'last month', parseMonth)
    .action(({ from, to }: MakeOptions) =>
      inStore(context, async ({ database }) => {
        if (from > to)
          throw new Error(`--from ${from} is after --to ${to}. Put the earlier month first.`)
        const made = await makePartitions(database, { first: from, last: to })
        context.print(
          made.length === 0 ? 'All partitions exist already.' : `Created: ${made.join(', ')}.`,
        )
      }),
    )

type RetireOptions = {
  readonly keepMonths?: number
  readonly how?: Retirement
  readonly to?: 'parquet'
  readonly dryRun?: true
}

const retireCommand = (context: Context) =>
  new Command('retire')
    .description('Remove months that are too old from reads, and complete interrupted retirements')
    .option(
      '--keep-months <number>',
      'months to keep; default: HUB_MEASUREMENT_KEEP_MONTHS',
      parseMonths,
    )
    .addOption(retirementOption())
    .addOption(formatOption())
    .option('--dry-run', 'only list what would be retired')
    .addHelpText(
      'after',
      '\nReads and writes continue meanwhile. waiting: earlier reads use this month, or another is retired' +
        '\nfirst; busy: something else, such as a vacuum, uses the tables. Run the command again later.' +
        '\nA running hub follows its own settings, also for the values that it accepts.',
    )
    .action(({ dryRun, ...wishes }: RetireOptions) =>
      inStore(context, async ({ database, cold, config, now }) => {
        const policy = { ...policyOf(config, wishes, now), cold }
        const found =
          dryRun === true
            ? (await planRetirement(database, policy)).map(({ name, state, rows, bytes }) => {
                return { name, state, rows, bytes, next: policy.retirement }
              })
            : (await retireBy(database, policy, operatorOf(context))).map((retired) => ({
                ...retired,
              }))
        printRows(context, found, {})
      }),
    )

function operatorOf(context: Context): Operator {
  const name = actorOf(context)
  return { subject: name, name, client: 'hub', request: randomUUID() }
}

function policyOf(config: Config, { keepMonths, how, to }: RetireOptions, now: Date) {
  return {
    firstKept: firstKept(keepMonths ?? config.HUB_MEASUREMENT_KEEP_MONTHS, now),
    retirement: how ?? to ?? config.HUB_MEASUREMENT_RETIREMENT,
  }
}

const attachCommand = (context: Context) =>
  new Command('attach')
    .description('Attach a detached, moved or cold month again')
    .argument('<month>', 'such as 2024-05', parseMonth)
    .action((month: Month) =>
      inStore(context, async ({ database, cold, config, now }) => {
        const { firstKept } = policyOf(config, {}, now)
        await attachPartition(database, month, { firstKept, cold, by: operatorOf(context) })
        context.print(`${month} is attached again.`)
      }),
    )

const rebuildCommand = (context: Context) =>
  new Command('rebuild')
    .description('Compute all hourly and daily aggregates from the values again')
    .action(() =>
      inStore(context, async ({ database }) => {
        const days = await rebuildRollups(database)
        context.print(`Rebuilt: ${String(days)} days.`)
      }),
    )

type DeleteOptions = {
  readonly type: string
  readonly what: Deletable
  readonly dataType?: string
  readonly period?: number
  readonly from?: Date
  readonly to?: Date
  readonly really?: true
}

const deleteCommand = (context: Context) =>
  new Command('delete')
    .description('Delete values, series or stations permanently; without --really only count them')
    .argument('<code...>', 'codes of the stations')
    .requiredOption('--type <type>', 'type of the stations, such as ParkingStation')
    .addOption(
      new Option('--what <what>', 'values, series with values, or stations with series')
        .choices(deletables)
        .default('measurements'),
    )
    .option('--data-type <name>', 'only this data type')
    .option('--period <seconds>', 'only this period', parseCount)
    .option('--from <time>', 'only values at this time or later', parseTime)
    .option('--to <time>', 'only values before this time', parseTime)
    .option('--really', 'delete instead of counting')
    .addHelpText(
      'after',
      '\nThe audit log records it (hub audit). Providers delete their own data by a push: docs/push-formats.md.',
    )
    .action((codes: readonly string[], options: DeleteOptions) => {
      assertFits(options)
      return inStore(context, async ({ database }) => {
        const by = operatorOf(context)
        const { type: stationType, what } = options
        const items = codes.map((code) => toDeletion(code, options))
        const write = { stationType, what, items, by }
        const deleted = await (options.really === true ? remove : count)(database, write)
        for (const { reason } of deleted.warnings ?? []) context.complain(`It ${reason}.`)
        const { measurements, series, stations } = deleted
        const counts = `measurements ${String(measurements)}, series ${String(series)}, stations ${String(stations)}`
        context.print(
          options.really === true
            ? `Deleted: ${counts}.`
            : `This would delete: ${counts}. Repeat it with --really.`,
        )
      })
    })

function assertFits({ what, dataType, period, from, to }: DeleteOptions): void {
  if (what !== 'measurements' && (from ?? to) !== undefined)
    throw new InvalidArgumentError('--from and --to require --what measurements.')
  if (what === 'stations' && (dataType ?? period) !== undefined)
    throw new InvalidArgumentError(
      'A station is deleted with all its series. Remove --data-type and --period.',
    )
}

function toDeletion(code: string, { dataType, period, from, to }: DeleteOptions): Deletion {
  return { code, dataType, period, from: from?.toISOString(), to: to?.toISOString() }
}

type Write = Parameters<typeof deleteTimeseries>[1]

const unlimited = { statementTimeout: 0 }

function remove(database: Database, write: Write): Promise<Deleted> {
  return database.transaction((tx) => deleteTimeseries(tx, write), unlimited)
}

/** Counts by deleting and rolling back. */
async function count(database: Database, write: Write): Promise<Deleted> {
  const counted: Deleted[] = []
  const work = async (tx: Transaction) => {
    counted.push(await deleteTimeseries(tx, write))
    throw new Error('Only counted')
  }
  return database.transaction(work, unlimited).catch((error: unknown) => {
    const [deleted] = counted
    if (deleted === undefined) throw error
    return deleted
  })
}

export const timeseriesCommand: MakeCommand = (context) => {
  const partitions = new Command('partitions')
    .description('List, create, retire and attach partitions (one table for each month)')
    .addHelpText(
      'after',
      '\nThe hub creates partitions automatically, and retires them by HUB_MEASUREMENT_KEEP_MONTHS.',
    )
  partitions.addCommand(listCommand(context), { isDefault: true })
  for (const verb of [makeCommand, retireCommand, attachCommand]) {
    partitions.addCommand(verb(context))
  }
  const rollups = new Command('rollups')
    .description('Rebuild the hourly and daily aggregates from which time buckets are computed')
    .addHelpText(
      'after',
      '\nThe hub keeps them automatically. A rebuild is needed only after changes of measurements in SQL;' +
        '\nreads and writes continue meanwhile. Aggregates of cold months stay: their files do not change.',
    )
    .addCommand(rebuildCommand(context))
  return new Command('timeseries')
    .description(
      'Manage monthly partitions (UTC) and aggregates of measurements, and delete measurements',
    )
    .addCommand(partitions)
    .addCommand(rollups)
    .addCommand(deleteCommand(context))
}
