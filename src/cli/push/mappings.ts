import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { openExisting, previewDeps } from '../../compose/index.ts'
import {
  MappingError,
  loadMappings,
  loadOne,
  loadSampled,
  mappingsOf,
  previewer,
  printPreview,
  runSamples,
  tryOut,
} from '../../push/index.ts'
import type { LoadedMapping, SampleResult } from '../../push/index.ts'
import { prepare } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { parseTime } from '../terminal.ts'

export const checkCommand: MakeCommand = (context, setExitCode) =>
  new Command('check')
    .description('Look for everything that is wrong with mappings; needs no database')
    .argument('[folder]', 'of the mappings; default: HUB_MAPPINGS')
    .addHelpText('after', '\nExit code 1 when something is wrong; each fault has its place.')
    .action(async (given: string | undefined) => {
      const folder = given ?? prepare(context, 'quiet').config.HUB_MAPPINGS
      if (folder === undefined) throw new Error('Name a folder of mappings, or set HUB_MAPPINGS.')
      try {
        const mappings = await loadMappings(folder)
        for (const { name, version, stream } of mappings) {
          context.print(`${name} ${version} takes ${stream}`)
        }
        context.print(`${String(mappings.length)} mappings can be used.`)
      } catch (error) {
        if (!(error instanceof MappingError)) throw error
        context.complain(error.message)
        setExitCode(1)
      }
    })

type TestOptions = { readonly update?: true }

export const testCommand: MakeCommand = (context, setExitCode) =>
  new Command('test')
    .description('Map the samples beside mappings, and compare them with what is expected')
    .argument('<folder>', 'of a mapping, or of mappings')
    .option('--update', 'write what they become as what is expected')
    .addHelpText(
      'after',
      '\nA sample is samples/<case>.<any ending>, and samples/<case>.expected.json what it becomes.' +
        '\nNeeds no database. Exit code 1 when something is different, or there is no sample.',
    )
    .action(async (folder: string, { update }: TestOptions) => {
      const results = await run(context, folder, update === true ? 'write' : 'compare')
      for (const { name, outcome, differences } of results) {
        context.print(`${name}: ${outcome}`)
        for (const line of differences) context.print(`  ${line}`)
      }
      const different = results.filter(({ outcome }) => outcome === 'different')
      context.print(
        `${String(results.length)} samples, ${String(different.length)} are not as expected.`,
      )
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

export const tryCommand: MakeCommand = (context, setExitCode) =>
  new Command('try')
    .description('Show what a mapping makes of a file, and what would be stored of it')
    .argument('<mapping>', 'its name in HUB_MAPPINGS, its folder, or its file')
    .argument('<file>', 'a body, as its provider pushes it')
    .option('--received <time>', 'as if it had come then', parseTime)
    .option('--content-type <type>', 'as if it had been sent with it')
    .option('--stream <provider/dataset>', 'as if it had come on that stream of the mapping')
    .option('--store', 'try it in the database of the hub, too; nothing of it stays')
    .addHelpText(
      'after',
      '\nWith DATABASE_URL it is tried in that database by itself. The schema of a database is' +
        '\nbrought up to date for that, as when a hub starts; nothing of the file stays in it.' +
        '\nExit code 1 when something of it is rejected.',
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

/** @returns whether nothing is rejected */
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

/** @returns whether nothing is rejected */
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
    const outcome = await tryOut({ database, pipelines, mappings }, trial)
    const { stored, rejected } = outcome
    context.complain(`Would be stored: ${String(stored)}, rejected: ${String(rejected.length)}`)
    for (const one of rejected) context.complain(JSON.stringify(one))
    return rejected.length === 0
  } finally {
    await mappings.close()
    await database.close()
  }
}
