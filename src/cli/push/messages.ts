import { Command, InvalidArgumentError, Option } from 'commander'
import { writeFile } from 'node:fs/promises'
import {
  deleteMessages,
  isUuid,
  listMessages,
  loadBodyOf,
  loadMessage,
  replayMessages,
} from '../../push/index.ts'
import type { MessageFilter } from '../../push/index.ts'
import { inStore } from '../context.ts'
import type { Context } from '../context.ts'
import { parseCount, parseTime, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'

/** Which messages are meant, as options say it. */
type FilterOptions = Omit<MessageFilter, 'ids'>

const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

/** The options that tell which messages are meant. */
function withFilter(command: Command): Command {
  return command
    .option(
      '--stream <provider/dataset>',
      'of this stream; provider/* means all of one',
      parseStream,
    )
    .option('--from <time>', 'received then or later: 2026-11-20 or 2026-11-20T10:00Z', parseTime)
    .option('--to <time>', 'received before', parseTime)
}

function stateOption(): Option {
  return new Option('--state <state>', 'in this state').choices(states)
}

export function parseStream(text: string): string {
  const plain = text.startsWith('/') ? text.slice(1) : text
  if (/^[A-Za-z0-9_.-]{1,100}\/([A-Za-z0-9_.-]{1,100}|\*)$/.test(plain)) return plain
  throw new InvalidArgumentError('It is provider/dataset, or provider/* for all of one.')
}

/** For `[id...]`: the ids so far and one more. */
function collectIds(text: string, before: readonly string[] = []): readonly string[] {
  if (isUuid(text)) return [...before, text]
  throw new InvalidArgumentError('It is the id that the push was answered with.')
}

type ListingOptions = FilterOptions & ListOptions & { readonly limit: number }

export const listCommand = (context: Context) =>
  withFilter(new Command('list').description('Messages, the newest first'))
    .addOption(stateOption())
    .option('--limit <number>', 'so many at most', parseCount, 50)
    .option('--json', 'for programs')
    .action(({ json, limit, ...filter }: ListingOptions) =>
      inStore(context, async ({ database }) => {
        const messages = await listMessages(database, filter, limit)
        printRows(context, messages, json === true ? { json } : {})
      }),
    )

type ShowOptions = { readonly output?: string }

export const showCommand = (context: Context) =>
  new Command('show')
    .description('Everything about one message, as JSON')
    .argument('<id>', 'as the push was answered')
    .option('--output <file>', 'write its body there instead, unpacked')
    .action((id: string, { output }: ShowOptions) =>
      inStore(context, async ({ database }) => {
        const message = await loadMessage(database, id)
        if (message === undefined) throw new Error(`There is no message ${id}.`)
        if (output === undefined) context.print(JSON.stringify(message, null, 2))
        else await writeFile(output, await loadBodyOf(database, id))
      }),
    )

export const replayCommand = (context: Context) =>
  withFilter(
    new Command('replay')
      .description('Let messages be worked on again; what a younger one wrote stays')
      .argument('[id...]', 'messages; none: all that the options name', collectIds, []),
  )
    .addOption(stateOption())
    .action((ids: readonly string[], filter: FilterOptions) =>
      inStore(context, async ({ database }) => {
        const named = ids.length > 0 ? { ids } : {}
        if (ids.length === 0 && Object.keys(filter).length === 0) {
          throw new Error('Say which messages: by id, --stream, --from, --to or --state.')
        }
        const count = await replayMessages(database, { ...filter, ...named })
        context.print(`${String(count)} messages are worked on again, by the next hub that runs.`)
      }),
    )

type DeadOptions = FilterOptions & ListOptions & { readonly limit: number; readonly delete?: true }

export const deadCommand = (context: Context) =>
  withFilter(
    new Command('dead').description('Messages that were given up after their last attempt'),
  )
    .option('--limit <number>', 'so many at most are listed', parseCount, 50)
    .option('--json', 'for programs')
    .option('--delete', 'delete them for good, instead of listing them')
    .addHelpText(
      'after',
      '\nThe log says why, by the id. hub push replay --state dead tries again.',
    )
    .action(({ json, limit, delete: deletes, ...filter }: DeadOptions) =>
      inStore(context, async ({ database }) => {
        const dead = { ...filter, state: 'dead' }
        if (deletes === true) {
          context.print(`${String(await deleteMessages(database, dead))} messages are deleted.`)
          return
        }
        const messages = await listMessages(database, dead, limit)
        printRows(context, messages, json === true ? { json } : {})
      }),
    )
