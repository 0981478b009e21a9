import cliProgress from 'cli-progress'
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import type { Context } from './context.ts'

type Cell = string | number | null | readonly string[] | Date | boolean
type PrintedRow = Readonly<Record<string, Cell>>

/** Options of commands that list rows. */
export type ListOptions = { readonly json?: true }

/** Prints rows as aligned columns for people, or as one JSON array for programs. */
export function printRows(
  { print }: Pick<Context, 'print'>,
  rows: readonly PrintedRow[],
  { json }: ListOptions,
): void {
  if (json === true) {
    print(JSON.stringify(rows, null, 2))
    return
  }
  const [first] = rows
  if (first === undefined) {
    print('(none)')
    return
  }
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => shown(row[name] ?? null)))]
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  for (const line of lines) {
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

function shown(cell: Cell): string {
  if (cell === null) return '-'
  if (cell instanceof Date) return cell.toISOString()
  const text = typeof cell === 'object' ? cell.join(',') : String(cell)
  // Control characters in a name must not reach the terminal.
  return text === '' ? '-' : text.replace(/\p{Cc}/gu, '?')
}

/** A progress bar, drawn only on terminals. */
type Progress = {
  readonly update: (done: number, total: number) => void
  readonly stop: () => void
}

export function drawProgress(stream: NodeJS.WriteStream, label: string): Progress {
  if (!stream.isTTY) return { update: () => undefined, stop: () => undefined }
  const bar = new cliProgress.SingleBar(
    { stream, format: `${label} {bar} {percentage} %`, hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  )
  bar.start(1, 0)
  return {
    update: (done, total) => {
      bar.setTotal(total)
      bar.update(done)
    },
    stop: () => {
      bar.stop()
    },
  }
}

/** Parses a day or time in ISO 8601. Without a time zone it is UTC. */
export function parseTime(text: string): Date {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  const hasZone = form?.[1] === undefined || form[4] !== undefined
  const time = new Date(hasZone ? text : `${text}Z`)
  // `new Date` would read 31 February as 3 March (decision D49).
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate()
  const exists = !Number.isNaN(time.getTime()) && day === Number(text.slice(8, 10))
  if (form !== null && exists) return time
  throw new InvalidArgumentError('Expected a time in ISO 8601, such as 2026-11-20T10:00Z.')
}

export function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of at least 1.')
}

const name = '[A-Za-z0-9_.-]{1,100}'
const oneStream = new RegExp(`^/?(${name}/${name})$`)
const streams = new RegExp(`^/?(${name}/(?:${name}|\\*))$`)

/** Parses the name of a stream. It has no leading slash, unlike the path of the push. */
export function parseStream(text: string): string {
  const [, stream] = oneStream.exec(text) ?? []
  if (stream !== undefined) return stream
  throw new InvalidArgumentError('Expected one stream: provider/dataset.')
}

/** Parses the name of a stream, or `provider/*` for all of a provider. */
export function parseStreams(text: string): string {
  const [, stream] = streams.exec(text) ?? []
  if (stream !== undefined) return stream
  throw new InvalidArgumentError('Expected provider/dataset, or provider/* for all of a provider.')
}

/** Parses a list such as `A,B` without spaces and duplicates. An empty text is an empty list. */
export function parseList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  return [...new Set(items.filter((item) => item !== ''))]
}

/** Refuses an option that every user of the machine could read. The error must not repeat it. */
export function refuseSecret(command: Command, name: string, instead: string): Option {
  return new Option(`--${name} <${name}>`)
    .hideHelp()
    .argParser(() =>
      command.error(`error: --${name} would be visible to every user of this machine. ${instead}`),
    )
}

/** Returns the first line of a file, or of standard input if the file is `-`. */
export async function firstLine(file: string, { input }: Pick<Context, 'input'>): Promise<string> {
  const text = file === '-' ? await allOf(input) : await readFile(file, 'utf8')
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function allOf(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
