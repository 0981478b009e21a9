import { Command } from 'commander'
import { writeFile } from 'node:fs/promises'
import { loadBodyOf, loadMessage } from '../../push/index.ts'
import { inStore } from '../in-store.ts'
import type { Context } from '../context.ts'

type Options = { readonly output?: string }

export const showCommand = (context: Context) =>
  new Command('show')
    .description('Everything about one message, as JSON')
    .argument('<id>', 'as the push was answered')
    .option('--output <file>', 'write its body there instead, unpacked')
    .action((id: string, { output }: Options) =>
      inStore(context, async ({ database }) => {
        const message = await loadMessage(database, id)
        if (message === undefined) throw new Error(`There is no message ${id}.`)
        if (output === undefined) context.print(JSON.stringify(message, null, 2))
        else await writeFile(output, await loadBodyOf(database, id))
      }),
    )
