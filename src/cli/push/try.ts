import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { openExisting, previewDeps } from '../../compose/index.ts'
import { loadOne, mappingsOf, previewer, printPreview, tryOut } from '../../push/index.ts'
import type { LoadedMapping } from '../../push/index.ts'
import { prepare } from '../context.ts'
import type { Context } from '../context.ts'
import type { MakeCommand } from '../make-command.ts'
import { parseTime } from '../parse-values.ts'

type Options = {
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
    .action(async (named: string, file: string, options: Options) => {
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
  const { config, surroundings } = prepare(context, 'quiet')
  const { preview, close } = previewer([mapping], previewDeps(config, surroundings))
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
  const { config, surroundings } = prepare(context, 'quiet')
  const { kinds, ...options } = previewDeps(config, surroundings)
  const { database, pipelines } = await openExisting(config, surroundings)
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
