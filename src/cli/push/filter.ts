import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { isUuid } from '../../push/index.ts'
import type { MessageFilter } from '../../push/index.ts'
import { parseTime } from '../parse-values.ts'

/** Which messages are meant, as options say it. */
export type FilterOptions = Omit<MessageFilter, 'ids'>

const states = ['accepted', 'processing', 'visible', 'rejected', 'empty', 'dead'] as const

/** The options that tell which messages are meant. */
export function withFilter(command: Command): Command {
  return command
    .option(
      '--stream <provider/dataset>',
      'of this stream; provider/* means all of one',
      parseStream,
    )
    .option('--from <time>', 'received then or later: 2026-11-20 or 2026-11-20T10:00Z', parseTime)
    .option('--to <time>', 'received before', parseTime)
}

export function stateOption(): Option {
  return new Option('--state <state>', 'in this state').choices(states)
}

export function parseStream(text: string): string {
  const plain = text.startsWith('/') ? text.slice(1) : text
  if (/^[A-Za-z0-9_.-]{1,100}\/([A-Za-z0-9_.-]{1,100}|\*)$/.test(plain)) return plain
  throw new InvalidArgumentError('It is provider/dataset, or provider/* for all of one.')
}

/** For `[id...]`: the ids so far and one more. */
export function collectIds(text: string, before: readonly string[] = []): readonly string[] {
  if (isUuid(text)) return [...before, text]
  throw new InvalidArgumentError('It is the id that the push was answered with.')
}
