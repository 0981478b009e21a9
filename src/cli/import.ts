import { Command } from 'commander'
import { importFile, listFiles } from '../push/index.ts'
import type { Rejection } from '../push/index.ts'
import type { OpenStore } from '../compose/index.ts'
import type { Context } from './context.ts'
import { openHub } from './in-store.ts'
import type { MakeCommand } from './make-command.ts'
import { drawProgress } from './progress.ts'

type Options = { readonly stream: string; readonly anew?: true }

export const importCommand: MakeCommand = (context, setExitCode) =>
  new Command('import')
    .argument(
      '<path...>',
      'files to read, or folders: all their .json, .ndjson, .jsonl, and .gz of them',
    )
    .option('--stream <provider/dataset>', 'stream that the data belongs to', 'import/files')
    .option('--anew', 'from the first line, also where an import was interrupted')
    .addHelpText(
      'after',
      '\nAn import that was interrupted goes on where it ended when it is run again.' +
        '\nExit code 1 when an item was rejected; each is named with its reason.',
    )
    .action(async (paths: readonly string[], options: Options) => {
      const files = await listFiles(paths)
      const store = await openHub(context)
      try {
        let rejected = 0
        for (const file of files) rejected += await importOne(context, store, { file, ...options })
        setExitCode(rejected > 0 ? 1 : 0)
      } finally {
        await store.database.close()
      }
    })

/** @returns how many items were rejected */
async function importOne(
  context: Context,
  { database, pipelines, now }: OpenStore,
  { file, stream, anew }: Options & { readonly file: string },
): Promise<number> {
  const progress = drawProgress(context.progressTo, file)
  const onRejected = (rejection: Rejection) => {
    context.complain(JSON.stringify({ file, ...rejection }))
  }
  const deps = { database, pipelines, now }
  const onProgress = (done: number) => {
    progress.update(done, 1)
  }
  const isAnew = anew === true
  try {
    const request = { file, stream, isAnew, onProgress, onRejected }
    const { stored, rejected, resumedAfter } = await importFile(deps, request)
    const resumed = resumedAfter === 0 ? '' : ` (it went on after line ${String(resumedAfter)})`
    context.print(`${file}: ${String(stored)} stored, ${String(rejected)} rejected${resumed}`)
    return rejected
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: ${reason}`, { cause: error })
  } finally {
    progress.stop()
  }
}
