import { Command } from 'commander'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Store } from '../compose/index.ts'
import { exportAvailability, exportEntity, inImportOrder } from '../content/index.ts'
import { nearest } from '../lang/index.ts'
import { exportTimeseries, timeseriesExports } from '../timeseries/index.ts'
import { openHub } from './in-store.ts'
import type { MakeCommand } from './make-command.ts'

type Options = { readonly output?: string }

/** A dataset that can be written out, as lines of the canonical formats. */
type Dataset = { readonly name: string; readonly lines: () => AsyncIterable<string> }

export const exportCommand: MakeCommand = (context) =>
  new Command('export')
    .argument('[dataset...]', 'such as Accommodation, stations or measurements; none: all')
    .option('--output <file>', 'file to write; without it the lines go to standard output')
    .action(async (names: readonly string[], { output }: Options) => {
      const store = await openHub(context)
      try {
        const chosen = choose(datasetsOf(store), names)
        if (output === undefined) for await (const line of linesOf(chosen)) context.print(line)
        else await pipeline(Readable.from(withNewlines(linesOf(chosen))), createWriteStream(output))
        context.complain(`Exported: ${chosen.map(({ name }) => name).join(', ')}.`)
      } finally {
        await store.database.close()
      }
    })

function datasetsOf({ database, entities }: Store): readonly Dataset[] {
  return [
    ...inImportOrder(entities).map((entity) => ({
      name: entity.name,
      lines: () => exportEntity(database.read, entity),
    })),
    { name: 'availability', lines: () => exportAvailability(database.read) },
    ...timeseriesExports.map((name) => ({
      name,
      lines: () => exportTimeseries(database.read, name),
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
