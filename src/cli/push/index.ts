import { Command, InvalidArgumentError, Option } from 'commander'
import { listStreams, storeStream } from '../../push/index.ts'
import type { StreamSettings } from '../../push/index.ts'
import { change, inStore } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'
import { checkCommand, testCommand, tryCommand } from './mappings.ts'
import { deadCommand, listCommand, parseStream, replayCommand, showCommand } from './messages.ts'

type Options = ListOptions & {
  readonly ordered?: 'on' | 'off'
  readonly keepDays?: number | null
  readonly mediaTypes?: readonly string[] | null
}

export const streamCommand = (context: Context) =>
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
  const mappings = [checkCommand, tryCommand, testCommand]
  for (const verb of [...messages, ...mappings]) command.addCommand(verb(context, setExitCode))
  return command
}
