import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { openExisting, previewDeps } from '../../compose/index.ts'
import {
  MappingError,
  loadMappings,
  loadOne,
  listMappings,
  loadSampled,
  mappingsOf,
  previewer,
  printPreview,
  runSamples,
  storedMappings,
  tryOut,
} from '../../push/index.ts'
import type { LoadedMapping, SampleResult } from '../../push/index.ts'
import { inStore, prepare } from '../context.ts'
import type { Context, MakeCommand } from '../context.ts'
import { parseTime, printRows } from '../terminal.ts'
import type { ListOptions } from '../terminal.ts'

/** Where the mapping of each stream comes from. */
export const mappingsCommand: MakeCommand = (context) =>
  new Command('mappings')
    .description('List all mappings, from files and saved over HTTP')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA file of HUB_MAPPINGS goes before a stored mapping of the same stream.',
    )
    .action(({ json }: ListOptions) =>
      inStore(context, async ({ database, config }) => {
        const files = await loadMappings(config.HUB_MAPPINGS)
        const stored = await storedMappings(database).look()
        printRows(context, listMappings(files, stored), json === true ? { json } : {})
      }),
    )

export const checkCommand: MakeCommand = (context, setExitCode) =>
  new Command('check')
    .description('Find all faults in mappings; needs no database')
    .argument('[folder]', 'folder of mappings; default: HUB_MAPPINGS')
    .addHelpText('after', '\nReports each fault with its position; the exit code is then 1.')
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

export const testCommand: MakeCommand = (context, setExitCode) =>
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

export const tryCommand: MakeCommand = (context, setExitCode) =>
  new Command('try')
    .description('Show the result of a mapping for a file, and what would be stored')
    .argument('<mapping>', 'name in HUB_MAPPINGS, folder or file of the mapping')
    .argument('<file>', 'a body as the provider pushes it')
    .option('--received <time>', 'time at which the message arrived', parseTime)
    .option('--content-type <type>', 'Content-Type of the message')
    .option('--stream <provider/dataset>', 'stream of the message, if the mapping has several')
    .option('--store', 'also try storing it in the database of the hub, and roll back')
    .addHelpText(
      'after',
      '\nIf DATABASE_URL is set, it also tries storing in that database, and rolls back. This migrates' +
        '\nthe database first, as the start of a hub does. The exit code is 1 if an item is rejected.',
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
