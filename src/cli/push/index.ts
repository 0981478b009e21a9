import { Command, InvalidArgumentError, Option } from 'commander'
import { readFile, writeFile } from 'node:fs/promises'
import {
  MappingError,
  countRejected,
  deleteMessages,
  isUuid,
  listMappings,
  listMessages,
  listStreams,
  loadBodyOf,
  loadMappings,
  loadMessage,
  loadOne,
  loadSampled,
  mappingsOf,
  previewer,
  printPreview,
  replayMessages,
  runSamples,
  storeStream,
  storedMappings,
  tryOut,
} from '../../push/index.ts'
import type {
  LoadedMapping,
  MessageFilter,
  SampleResult,
  StreamSettings,
} from '../../push/index.ts'
import { change, inStore, prepare } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { parseCount, parseStream, parseStreams, parseTime, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import type { Queryable } from '../../storage/index.ts'
import { openExisting, previewDeps } from '../../compose/index.ts'

type FilterOptions = Omit<MessageFilter, 'ids'>

const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

function withFilter(command: Command): Command {
  return command
    .option(
      '--stream <provider/dataset>',
      'only this stream; provider/* selects all of a provider',
      parseStreams,
    )
    .option(
      '--from <time>',
      'received at this time or later: 2026-11-20 or 2026-11-20T10:00Z',
      parseTime,
    )
    .option('--to <time>', 'received before this time', parseTime)
}

function stateOption(): Option {
  return new Option('--state <state>', 'only this state').choices(states)
}

/** Collects the values of `[id...]`: returns the ids so far and one more. */
function collectIds(text: string, before: readonly string[] = []): readonly string[] {
  if (isUuid(text)) return [...before, text]
  throw new InvalidArgumentError('Expected the id in the response to the push.')
}

type ListingOptions = FilterOptions & ListOptions & { readonly limit: number }

const listCommand = (context: Context) =>
  withFilter(new Command('list').description('List messages, newest first'))
    .addOption(stateOption())
    .option('--limit <number>', 'maximum number of messages', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ json, limit, ...filter }: ListingOptions) =>
      inStore(context, async ({ database }) => {
        const messages = await listMessages(database, filter, limit)
        printRows(context, messages, json === true ? { json } : {})
      }),
    )

type ShowOptions = { readonly output?: string }

const showCommand = (context: Context) =>
  new Command('show')
    .description('Show everything about a message, as JSON')
    .argument('<id>', 'id in the response to the push')
    .option('--output <file>', 'write the decompressed body to this file instead')
    .action((id: string, { output }: ShowOptions) =>
      inStore(context, async ({ database }) => {
        const message = await loadMessage(database, id)
        if (message === undefined) throw new Error(`There is no message ${id}.`)
        if (output === undefined) context.print(JSON.stringify(message, null, 2))
        else await writeFile(output, await loadBodyOf(database, id))
      }),
    )

const replayCommand = (context: Context) =>
  withFilter(
    new Command('replay')
      .description('Process messages again; data from newer messages stays')
      .argument('[id...]', 'ids of messages; default: all that the options select', collectIds),
  )
    .addOption(stateOption())
    .action((ids: readonly string[] = [], filter: FilterOptions = {}) =>
      inStore(context, async ({ database }) => {
        const named = ids.length > 0 ? { ids } : {}
        if (ids.length === 0 && Object.keys(filter).length === 0) {
          throw new Error('Specify messages by id, --stream, --from, --to or --state.')
        }
        const count = await replayMessages(database, { ...filter, ...named })
        context.print(`Messages to replay: ${String(count)}. A running hub processes them.`)
      }),
    )

type DeadOptions = FilterOptions & ListOptions & { readonly limit: number; readonly delete?: true }

const deadCommand = (context: Context) =>
  withFilter(new Command('dead').description('List messages that failed at their last attempt'))
    .option('--limit <number>', 'maximum number of messages to list', parseCount, 50)
    .option('--json', 'print JSON')
    .option('--delete', 'delete them permanently instead of listing them')
    .addHelpText(
      'after',
      '\nThe log contains the reason for each id. hub push replay --state dead tries again.',
    )
    .action(({ json, limit, delete: deletes, ...filter }: DeadOptions) =>
      inStore(context, async ({ database }) => {
        const dead = { ...filter, state: 'dead' }
        if (deletes === true) {
          context.print(`Messages deleted: ${String(await deleteMessages(database, dead))}.`)
          return
        }
        const messages = await listMessages(database, dead, limit)
        printRows(context, messages, json === true ? { json } : {})
      }),
    )

type Options = ListOptions & {
  readonly ordered?: 'on' | 'off'
  readonly keepDays?: number | null
  readonly mediaTypes?: readonly string[] | null
}

const streamCommand = (context: Context) =>
  new Command('stream')
    .description(
      'Configure a stream; without options, show the settings of one, or of all that have their own',
    )
    .argument('[provider/dataset]', 'the stream', parseStream)
    .addOption(
      new Option('--ordered <on|off>', 'process its messages one after the other').choices([
        'on',
        'off',
      ]),
    )
    .option(
      '--keep-days <number>',
      'days to keep finished messages; 0: forever; default: the setting of the hub',
      parseDays,
    )
    .option(
      '--media-types <list>',
      'accept only these media types, comma-separated; any: all',
      parseTypes,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nA running hub applies changes within 5 s.')
    .action(async (stream: string | undefined, { json, ...wishes }: Options) => {
      const rows =
        Object.keys(wishes).length > 0
          ? [await set(context, named(stream), wishes)]
          : await find(context, stream)
      printRows(context, rows, json === true ? { json } : {})
    })

function named(stream: string | undefined): string {
  if (stream !== undefined) return stream
  throw new InvalidArgumentError('Specify the stream whose settings to change.')
}

function find(context: Context, stream?: string): Promise<readonly StreamSettings[]> {
  return inStore(context, async ({ database }) =>
    stream === undefined ? listStreams(database) : [await settingsOf(database, stream)],
  )
}

async function settingsOf(database: Queryable, stream: string): Promise<StreamSettings> {
  const known = (await listStreams(database)).find((one) => one.stream === stream)
  return known ?? { stream, isOrdered: false, keepDays: null, mediaTypes: null }
}

type Wishes = Omit<Options, 'json'>

function set(context: Context, stream: string, wishes: Wishes): Promise<StreamSettings> {
  const { ordered, keepDays, mediaTypes } = wishes
  return change(context, async ({ tx }) => {
    const before = await settingsOf(tx, stream)
    const settings = {
      stream,
      isOrdered: ordered === undefined ? before.isOrdered : ordered === 'on',
      keepDays: keepDays === undefined ? before.keepDays : keepDays,
      mediaTypes: mediaTypes === undefined ? before.mediaTypes : mediaTypes,
    }
    await storeStream(tx, settings)
    return settings
  })
}

function parseDays(text: string): number | null {
  if (text === 'default') return null
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of days, 0 for forever, or default.')
}

function parseTypes(text: string): readonly string[] | null {
  if (text === 'any') return null
  const types = text.split(',').map((type) => type.trim().toLowerCase())
  if (types.every((type) => /^[\w.+-]+\/[\w.+-]+$/.test(type))) return types
  throw new InvalidArgumentError('Expected a list such as application/json,text/csv, or any.')
}

export const pushCommand: MakeCommand = (context, setExitCode) => {
  const command = new Command('push').addHelpText(
    'after',
    '\ncheck and test need no database; try uses one only if it is given one.',
  )
  const messages = [listCommand, showCommand, replayCommand, deadCommand, streamCommand]
  const mappings = [mappingsCommand, checkCommand, tryCommand, testCommand]
  for (const verb of [...messages, ...mappings]) command.addCommand(verb(context, setExitCode))
  return command
}

/** Lists the mapping of each stream, and where it comes from. */
const mappingsCommand: MakeCommand = (context) =>
  new Command('mappings')
    .description('List all mappings, from files and saved over HTTP')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA file of HUB_MAPPINGS takes precedence over a stored mapping of the same stream.',
    )
    .action(({ json }: ListOptions) =>
      inStore(context, async ({ database, config }) => {
        const files = await loadMappings(config.HUB_MAPPINGS)
        const stored = await storedMappings(database).look()
        printRows(context, listMappings(files, stored), json === true ? { json } : {})
      }),
    )

const checkCommand: MakeCommand = (context, setExitCode) =>
  new Command('check')
    .description('Find all faults in mappings; needs no database')
    .argument('[folder]', 'folder of mappings; default: HUB_MAPPINGS')
    .addHelpText(
      'after',
      '\nIf there are faults, they are listed with their positions, and the exit code is 1.',
    )
    .action(async (given: string | undefined) => {
      const folder = given ?? prepare(context, 'quiet').config.HUB_MAPPINGS
      if (folder === undefined)
        throw new Error('Specify a folder of mappings, or set HUB_MAPPINGS.')
      try {
        const mappings = await loadMappings(folder)
        for (const { name, version, stream } of mappings) {
          context.print(`${name} ${version} maps ${stream}`)
        }
        context.print(`Valid mappings: ${String(mappings.length)}.`)
      } catch (error) {
        if (!(error instanceof MappingError)) throw error
        context.complain(error.message)
        setExitCode(1)
      }
    })

type TestOptions = { readonly update?: true }

const testCommand: MakeCommand = (context, setExitCode) =>
  new Command('test')
    .description('Map the samples of mappings, and compare the results with the expected ones')
    .argument('<folder>', 'folder of a mapping, or of several')
    .option('--update', 'write the results as the expected ones')
    .addHelpText(
      'after',
      '\nA sample is samples/<case>.<extension>; its expected result is samples/<case>.expected.json.' +
        '\nNeeds no database. The exit code is 1 if a result differs, or no sample exists.',
    )
    .action(async (folder: string, { update }: TestOptions) => {
      const results = await run(context, folder, update === true ? 'write' : 'compare')
      for (const { name, outcome, differences } of results) {
        context.print(`${name}: ${outcome}`)
        for (const line of differences) context.print(`  ${line}`)
      }
      const different = results.filter(({ outcome }) => outcome === 'different')
      context.print(`Samples: ${String(results.length)}, different: ${String(different.length)}.`)
      setExitCode(different.length > 0 || results.length === 0 ? 1 : 0)
    })

async function run(
  context: Context,
  folder: string,
  aim: 'compare' | 'write',
): Promise<readonly SampleResult[]> {
  const { config, environment } = prepare(context, 'quiet')
  const sampled = await loadSampled(folder)
  const mappings = sampled.map(({ mapping }) => mapping)
  const { preview, close } = previewer(mappings, previewDeps(config, environment))
  try {
    const results: SampleResult[] = []
    for (const one of sampled) results.push(...(await runSamples(one, { preview, aim })))
    return results
  } finally {
    await close()
  }
}

type TryOptions = {
  readonly received?: Date
  readonly contentType?: string
  readonly store?: true
  readonly stream?: string
}

const tryCommand: MakeCommand = (context, setExitCode) =>
  new Command('try')
    .description('Show the result of a mapping for a file, and what would be stored')
    .argument('<mapping>', 'name in HUB_MAPPINGS, folder or file of the mapping')
    .argument('<file>', 'a body as the provider pushes it')
    .option('--received <time>', 'time at which the message arrived', parseTime)
    .option('--content-type <type>', 'Content-Type of the message')
    .option(
      '--stream <provider/dataset>',
      'stream of the message, if the mapping has several',
      parseStream,
    )
    .option('--store', 'also try storing it in the database of the hub, and roll back')
    .addHelpText(
      'after',
      '\nIf DATABASE_URL is set, it also tries storing in that database, and rolls back. This migrates' +
        '\nthe database first, as a hub does when it starts. The exit code is 1 if an item is rejected.',
    )
    .action(async (named: string, file: string, options: TryOptions) => {
      const { config } = prepare(context, 'quiet')
      const loaded = await loadOne(named, config.HUB_MAPPINGS)
      const mapping = { ...loaded, stream: options.stream ?? loaded.stream }
      const received = options.received ?? context.now()
      const body = await readFile(file)
      const message = { body, received, contentType: options.contentType ?? null }
      const isGood = await show(context, mapping, message)
      const isStored =
        options.store === true || config.DATABASE_URL !== undefined
          ? await showStored(context, mapping, message)
          : true
      setExitCode(isGood && isStored ? 0 : 1)
    })

type Message = {
  readonly body: Uint8Array
  readonly received: Date
  readonly contentType: string | null
}

/** @returns whether no item is rejected */
async function show(context: Context, mapping: LoadedMapping, message: Message): Promise<boolean> {
  const { config, environment } = prepare(context, 'quiet')
  const { preview, close } = previewer([mapping], previewDeps(config, environment))
  try {
    const made = await preview(mapping, message)
    context.print(printPreview(made).trimEnd())
    return made.rejected.length === 0
  } finally {
    await close()
  }
}

/** @returns whether no item is rejected */
async function showStored(
  context: Context,
  mapping: LoadedMapping,
  message: Message,
): Promise<boolean> {
  const { config, environment } = prepare(context, 'quiet')
  const { kinds, ...options } = previewDeps(config, environment)
  const { database, pipelines } = await openExisting(config, environment)
  const mappings = mappingsOf({ ...options, mappings: [mapping] }, kinds)
  try {
    const trial = { ...message, stream: mapping.stream, sender: '', mayBackdate: false }
    const { stored, rejected } = await tryOut({ database, pipelines, mappings }, trial)
    const count = String(countRejected(rejected))
    context.complain(`Would be stored: ${String(stored)}, rejected: ${count}`)
    for (const one of rejected) context.complain(JSON.stringify(one))
    return rejected.length === 0
  } finally {
    await mappings.close()
    await database.close()
  }
}
