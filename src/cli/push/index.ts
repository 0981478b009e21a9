import { Command, InvalidArgumentError, Option } from 'commander'
import { writeFile } from 'node:fs/promises'
import {
  deleteMessages,
  isUuid,
  listMessages,
  listStreams,
  loadBodyOf,
  loadMessage,
  replayMessages,
  storeStream,
} from '../../push/index.ts'
import type { MessageFilter, StreamSettings } from '../../push/index.ts'
import { change, inStore } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { parseCount, parseTime, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import { checkCommand, mappingsCommand, testCommand, tryCommand } from './mappings.ts'

type FilterOptions = Omit<MessageFilter, 'ids'>

const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

function withFilter(command: Command): Command {
  return command
    .option(
      '--stream <provider/dataset>',
      'only this stream; provider/* selects all of a provider',
      parseStream,
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

function parseStream(text: string): string {
  const plain = text.startsWith('/') ? text.slice(1) : text
  if (/^[A-Za-z0-9_.-]{1,100}\/([A-Za-z0-9_.-]{1,100}|\*)$/.test(plain)) return plain
  throw new InvalidArgumentError('Expected provider/dataset, or provider/* for all of a provider.')
}

/** For `[id...]`: the ids so far and one more. */
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
      .argument('[id...]', 'ids of messages; default: all that the options select', collectIds, []),
  )
    .addOption(stateOption())
    .action((ids: readonly string[], filter: FilterOptions) =>
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
      'Configure a stream; without arguments, list all streams with settings of their own',
    )
    .argument('[provider/dataset]', 'the stream', parseWhole)
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
    .action((stream: string | undefined, { json, ...wishes }: Options) => {
      if (stream === undefined) return list(context, json === true ? { json } : {})
      return set(context, stream, wishes)
    })

async function list(context: Context, options: ListOptions): Promise<void> {
  await inStore(context, async ({ database }) => {
    printRows(context, await listStreams(database), options)
  })
}

async function set(context: Context, stream: string, wishes: Options): Promise<void> {
  const { ordered, keepDays, mediaTypes } = wishes
  await change(context, async ({ tx }) => {
    const known = (await listStreams(tx)).find((one) => one.stream === stream)
    const settings: StreamSettings = {
      stream,
      isOrdered: ordered === undefined ? (known?.isOrdered ?? false) : ordered === 'on',
      keepDays: keepDays === undefined ? (known?.keepDays ?? null) : keepDays,
      mediaTypes: mediaTypes === undefined ? (known?.mediaTypes ?? null) : mediaTypes,
    }
    await storeStream(tx, settings)
    printRows(context, [settings], {})
  })
}

function parseWhole(text: string): string {
  const stream = parseStream(text)
  if (!stream.endsWith('/*')) return stream
  throw new InvalidArgumentError('Expected one stream: provider/dataset.')
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
    '\ncheck, try and test need no database.',
  )
  const messages = [listCommand, showCommand, replayCommand, deadCommand, streamCommand]
  const mappings = [mappingsCommand, checkCommand, tryCommand, testCommand]
  for (const verb of [...messages, ...mappings]) command.addCommand(verb(context, setExitCode))
  return command
}
