import { randomUUID } from 'node:crypto'
import { Command, InvalidArgumentError, Option } from 'commander'
import { deletables, deleteTimeseries } from '../../timeseries/index.ts'
import type { Deletable, Deleted, Deletion } from '../../timeseries/index.ts'
import type { Database, Transaction } from '../../storage/index.ts'
import { actorOf } from '../context.ts'
import type { Context } from '../context.ts'
import { inStore } from '../in-store.ts'
import { parseCount, parseTime } from '../parse-values.ts'

type Options = {
  readonly type: string
  readonly what: Deletable
  readonly dataType?: string
  readonly period?: number
  readonly from?: Date
  readonly to?: Date
  readonly really?: true
}

export const deleteCommand = (context: Context) =>
  new Command('delete')
    .description('Delete values, series or stations for good; without --really only count them')
    .argument('<code...>', 'of the stations')
    .requiredOption('--type <type>', 'of the stations, such as ParkingStation')
    .addOption(
      new Option('--what <what>', 'values, series with them, or stations with these')
        .choices(deletables)
        .default('measurements'),
    )
    .option('--data-type <name>', 'only of this data type')
    .option('--period <seconds>', 'only of this period', parseCount)
    .option('--from <time>', 'only values of then or later', parseTime)
    .option('--to <time>', 'only values before', parseTime)
    .option('--really', 'do it')
    .addHelpText(
      'after',
      '\nhub audit tells of it afterwards. Providers delete what is theirs by a push: docs/push-formats.md.',
    )
    .action((codes: readonly string[], options: Options) => {
      assertFits(options)
      return inStore(context, async ({ database }) => {
        const name = actorOf(context)
        const by = { subject: name, name, client: 'hub', request: randomUUID() }
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

function assertFits({ what, dataType, period, from, to }: Options): void {
  if (what !== 'measurements' && (from ?? to) !== undefined)
    throw new InvalidArgumentError('--from and --to go with --what measurements.')
  if (what === 'stations' && (dataType ?? period) !== undefined)
    throw new InvalidArgumentError(
      'A station is deleted with all its series: no --data-type, no --period.',
    )
}

function toDeletion(code: string, { dataType, period, from, to }: Options): Deletion {
  return { code, dataType, period, from: from?.toISOString(), to: to?.toISOString() }
}

type Write = Parameters<typeof deleteTimeseries>[1]

const unlimited = { statementTimeout: 0 }

function remove(database: Database, write: Write): Promise<Deleted> {
  return database.transaction((tx) => deleteTimeseries(tx, write), unlimited)
}

/** What is only counted is deleted, too, and taken back. */
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
