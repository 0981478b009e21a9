import { Command } from 'commander'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listAudit } from '../admin/index.ts'
import type { AuditFilter } from '../admin/index.ts'
import { backupPlace, openForBackup, openStore, placeOf, restoreStore } from '../compose/index.ts'
import type { OpenStore } from '../compose/index.ts'
import { exportAvailability, exportEntity, inImportOrder } from '../content/index.ts'
import { nearest } from '../lang/index.ts'
import { importFile, listFiles } from '../push/index.ts'
import type { Rejection } from '../push/index.ts'
import { distributeMeasurements, exportTimeseries, timeseriesExports } from '../timeseries/index.ts'
import { inStore, openHub, prepare } from './context.ts'
import type { Context, MakeCommand } from './context.ts'
import { parseAddress, parseEvery, runFollow } from './follow.ts'
import type { FollowOptions } from './follow.ts'
import { drawProgress, parseCount, parseStream, parseTime, printRows } from './terminal.ts'
import type { ListOptions } from './terminal.ts'
import { makeBackup, readBackup } from '../backup/index.ts'
import type { Manifest } from '../backup/index.ts'

export const migrateCommand: MakeCommand = (context) =>
  new Command('migrate')
    .option(
      '--distribute',
      'also distribute measurements over the nodes of Citus: docs/operation.md',
    )
    .action(async ({ distribute }: { readonly distribute?: true }) => {
      const { config, environment } = prepare(context, 'quiet')
      const { database } = await openStore(config, environment)
      try {
        context.print('The database is up to date.')
        if (distribute !== true) return
        const { outcome, nodes } = await distributeMeasurements(database)
        const when = outcome === 'already' ? 'were already distributed' : 'are distributed now'
        context.print(`Measurements ${when}, over nodes: ${String(nodes)}.`)
      } finally {
        await database.close()
      }
    })

type AuditOptions = AuditFilter & ListOptions & { readonly limit: number }

/**
 * Reads the log of HTTP writes and access changes, which nothing can alter
 * (docs/content-writes.md).
 */
export const auditCommand: MakeCommand = (context) =>
  new Command('audit')
    .option('--dataset <name>', 'only this entity, such as Event')
    .option('--id <id>', 'only this record')
    .option('--by <name>', 'only this user, client or subject of a token')
    .option('--from <time>', 'at this time or later: 2026-11-20 or 2026-11-20T10:00Z', parseTime)
    .option('--to <time>', 'before this time', parseTime)
    .option('--limit <number>', 'maximum number of entries', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ json, limit, ...filter }: AuditOptions) =>
      inStore(context, async ({ database }) => {
        const entries = await listAudit(database, filter, limit)
        printRows(context, entries, json === true ? { json } : {})
      }),
    )

type ImportOptions = { readonly stream: string; readonly anew?: true }

export const importCommand: MakeCommand = (context, setExitCode) => {
  const command = new Command('import')
    .argument('[path...]', 'files, or folders with .json, .ndjson and .jsonl files, also as .gz')
    .option('--stream <provider/dataset>', 'stream of the data', parseStream, 'import/files')
    .option('--anew', 'start from the first line, even if an earlier import was interrupted')
    .option(
      '--follow <url>',
      'instead of files: keep pushing what this DATEX II 2 traffic feed publishes to a running hub',
      parseAddress,
    )
    .option('--origin <name>', 'with --follow: origin of the events; default: as in the feed')
    .option('--hub <url>', 'with --follow: URL of the hub; default: HUB_PUBLIC_URL')
    .option('--client <id>', 'with --follow: client that may push to the stream')
    .option('--secret-file <file>', 'with --follow: file with its secret; - is standard input')
    .option(
      '--every <seconds>',
      'with --follow: time between requests, at least 10',
      parseEvery,
      60,
    )
    .option('--once', 'with --follow: take the current document, then exit')
    .addHelpText(
      'after',
      '\nRun an interrupted import again to resume it.' +
        '\nIf items are rejected, they are listed with their reasons, and the exit code is 1.',
    )
  return command.action(
    async (paths: readonly string[], options: ImportOptions & Partial<FollowOptions>) => {
      const { follow, every = 60 } = options
      if ((follow === undefined) === (paths.length === 0))
        command.error('error: specify either a path or --follow')
      const isTaken =
        follow === undefined
          ? await importFiles(context, paths, options)
          : await runFollow(context, { ...options, follow, every })
      setExitCode(isTaken ? 0 : 1)
    },
  )
}

/** @returns whether no item was rejected */
async function importFiles(
  context: Context,
  paths: readonly string[],
  options: ImportOptions,
): Promise<boolean> {
  const files = await listFiles(paths)
  const store = await openHub(context)
  try {
    let rejected = 0
    for (const file of files) rejected += await importOne(context, store, { file, ...options })
    return rejected === 0
  } finally {
    await store.database.close()
  }
}

/** @returns the number of rejected items */
async function importOne(
  context: Context,
  { database, pipelines, now }: OpenStore,
  { file, stream, anew }: ImportOptions & { readonly file: string },
): Promise<number> {
  const progress = drawProgress(context.progressTo, file)
  const onRejected = (rejection: Rejection) => {
    context.complain(JSON.stringify({ file, ...rejection }))
  }
  const deps = { database, pipelines, now }
  const onProgress = (done: number) => {
    progress.update(done, 1)
  }
  const isAnew = anew === true
  try {
    const request = { file, stream, isAnew, onProgress, onRejected }
    const { stored, rejected, resumedAfter } = await importFile(deps, request)
    const resumed = resumedAfter === 0 ? '' : ` (resumed after line ${String(resumedAfter)})`
    context.print(`${file}: ${String(stored)} stored, ${String(rejected)} rejected${resumed}`)
    return rejected
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: ${reason}`, { cause: error })
  } finally {
    progress.stop()
  }
}

type ExportOptions = { readonly output?: string; readonly publish?: true }

type Dataset = { readonly name: string; readonly lines: () => AsyncIterable<string> }

export const exportCommand: MakeCommand = (context, setExitCode) =>
  new Command('export')
    .argument('[dataset...]', 'such as Accommodation, stations or measurements; default: all')
    .option('--output <file>', 'file to write; default: standard output')
    .option(
      '--publish',
      'publish the exports at GET /exports now instead; datasets as in GET /changes',
    )
    .action(async (names: readonly string[], { output, publish }: ExportOptions) => {
      const store = await openHub(context)
      try {
        if (publish === true) {
          setExitCode(await publishAll(context, store, names))
          return
        }
        const chosen = choose(datasetsOf(store), names)
        if (output === undefined) for await (const line of linesOf(chosen)) context.print(line)
        else await pipeline(Readable.from(withNewlines(linesOf(chosen))), createWriteStream(output))
        context.complain(`Exported: ${chosen.map(({ name }) => name).join(', ')}.`)
      } finally {
        await store.database.close()
      }
    })

/** @returns the exit code */
async function publishAll(
  context: Context,
  { config, ...store }: Awaited<ReturnType<typeof openHub>>,
  names: readonly string[],
): Promise<number> {
  const { publishExports } = await import('../compose/compose-exports.ts')
  let exitCode = 0
  const parts = { config, store, environment: { ...context, now: store.now } }
  await publishExports(parts, names, (outcome) => {
    if (outcome.kind === 'made') {
      const { dataset, count } = outcome.made
      context.print(`${dataset}: ${String(count)} records`)
      return
    }
    exitCode = 1
    const { dataset, error } = outcome
    context.complain(`${dataset}: ${error instanceof Error ? error.message : String(error)}`)
  })
  return exitCode
}

function datasetsOf({ database, cold, entities }: OpenStore): readonly Dataset[] {
  return [
    ...inImportOrder(entities).map((entity) => ({
      name: entity.name,
      lines: () => exportEntity(database.read, entity),
    })),
    { name: 'availability', lines: () => exportAvailability(database.read) },
    ...timeseriesExports.map((name) => ({
      name,
      lines: () => exportTimeseries(database.read, name, cold),
    })),
  ]
}

function choose(datasets: readonly Dataset[], names: readonly string[]): readonly Dataset[] {
  const known = datasets.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, known)
    const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${meant}?`
    throw new Error(`There is no dataset ${unknown}. ${hint}`)
  }
  return names.length === 0 ? datasets : datasets.filter(({ name }) => names.includes(name))
}

async function* linesOf(datasets: readonly Dataset[]): AsyncIterable<string> {
  for (const dataset of datasets) yield* dataset.lines()
}

async function* withNewlines(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`
}

const placeHelp = 'a folder, or the URL of a bucket with a prefix'

const storeHelp =
  '\n\nFor an S3-compatible store use a URL such as https://s3.example.org/bucket/2026-11-26. Access comes from' +
  '\nthe settings of the exports: HUB_EXPORT_S3_KEY_ID, HUB_EXPORT_S3_SECRET and HUB_EXPORT_S3_REGION.'

export const backupCommand: MakeCommand = (context) =>
  new Command('backup')
    .argument('<place>', `${placeHelp}; must be empty`)
    .addHelpText(
      'after',
      `\nThe hub can keep running. The backup contains everything at one moment: data, accounts, keys.\nKeep it as safe as the database.${storeHelp}`,
    )
    .action(async (named: string) => {
      const { config, environment } = prepare(context, 'quiet')
      const place = backupPlace(config, environment, named)
      const { database, close } = await openForBackup(config, environment)
      try {
        const { version, now } = context
        const made = await makeBackup({ database, place, version, now: now() })
        context.print(`Backed up ${placeOf(config)}: ${describe(made)}.`)
      } finally {
        await close()
        await place.end()
      }
    })

type RestoreOptions = { readonly check?: true }

export const restoreCommand: MakeCommand = (context) =>
  new Command('restore')
    .argument('<place>', placeHelp)
    .option('--check', 'only check that the backup is complete and unchanged')
    .addHelpText(
      'after',
      `\nThe database must be empty: PostgreSQL (DATABASE_URL) without a hub, or a new HUB_DATA_DIR.\nA backup of either engine is restored into either.${storeHelp}`,
    )
    .action(async (named: string, { check }: RestoreOptions) => {
      const { config, environment } = prepare(context, 'quiet')
      const place = backupPlace(config, environment, named)
      try {
        const backup = await readBackup(await place.load())
        const described = `${describe(backup.manifest)}, made ${backup.manifest.created}`
        if (check === true) {
          context.print(`The backup is complete: ${described}.`)
          return
        }
        await restoreStore(config, environment, backup)
        context.print(`Restored ${placeOf(config)}: ${described}.`)
      } finally {
        await place.end()
      }
    })

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

function describe({ tables, version }: Manifest): string {
  const sum = (of: 'rows' | 'bytes') => tables.reduce((all, table) => all + table[of], 0)
  const size = numbers.format(sum('bytes') / 1_000_000)
  return `${String(tables.length)} tables, ${numbers.format(sum('rows'))} rows, ${size} MB, version ${version}`
}
