import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { isUuid } from '../../push/index.ts'
import type { MessageFilter } from '../../push/index.ts'

/** Which messages are meant, as options say it. */
export type FilterOptions = Omit<MessageFilter, 'ids'>

const states = ['accepted', 'processing', 'visible', 'rejected', 'dead'] as const

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

/** A day or a moment in ISO 8601; UTC where it names no zone. */
function parseTime(text: string): Date {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  const hasZone = form?.[1] === undefined || form[4] !== undefined
  const time = new Date(hasZone ? text : `${text}Z`)
  if (form !== null && !Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('It is a time in ISO 8601, such as 2026-11-20T10:00Z.')
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number from 1 on.')
}

/** For `[id...]`: the ids so far and one more. */
export function collectIds(text: string, before: readonly string[] = []): readonly string[] {
  if (isUuid(text)) return [...before, text]
  throw new InvalidArgumentError('It is the id that the push was answered with.')
}
