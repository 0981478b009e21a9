import { Command } from 'commander'
import { importFile } from '../push/index.ts'
import { openStore } from '../compose/index.ts'
import { prepare } from './context.ts'
import type { MakeCommand } from './make-command.ts'
import { drawProgress } from './progress.ts'

type Options = { readonly stream: string }

export const importCommand: MakeCommand = (context, setExitCode) =>
  new Command('import')
    .description(
      'Store files in the canonical formats (JSON or NDJSON), as a push by an ADMIN would',
    )
    .argument('<file...>', 'files to read')
    .option('--stream <provider/dataset>', 'stream that the data belongs to', 'import/files')
    .addHelpText('after', '\nExit code 1 when an item was rejected; each is named with its reason.')
    .action(async (files: readonly string[], { stream }: Options) => {
      const { config, surroundings } = prepare(context, 'quiet')
      const { database, pipelines } = await openStore(config, surroundings)
      try {
        let rejected = 0
        for (const file of files) {
          const progress = drawProgress(context.progressTo, file)
          const outcome = await importFile(
            { database, pipelines, now: context.now },
            { file, stream, onProgress: progress.update },
          )
          progress.stop()
          context.print(
            `${file}: ${String(outcome.stored)} stored, ${String(outcome.rejected.length)} rejected`,
          )
          for (const rejection of outcome.rejected) context.complain(JSON.stringify(rejection))
          rejected += outcome.rejected.length
        }
        setExitCode(rejected > 0 ? 1 : 0)
      } finally {
        await database.close()
      }
    })
