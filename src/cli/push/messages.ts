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

/** The options that select messages. */
type FilterOptions = Omit<MessageFilter, 'ids'>

const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

/** Adds the options that select messages. */
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

export function parseStream(text: string): string {
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

export const listCommand = (context: Context) =>
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

export const showCommand = (context: Context) =>
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

export const replayCommand = (context: Context) =>
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

export const deadCommand = (context: Context) =>
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
