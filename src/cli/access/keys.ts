import { Command } from 'commander'
import { listKeys, rotateKeys } from '../../identity/index.ts'
import type { Context } from '../context.ts'
import { inStore } from '../in-store.ts'
import { printRows } from '../print-rows.ts'
import type { ListOptions } from '../print-rows.ts'

type Rotated = { readonly distrust?: true }

export const keysCommand = (context: Context) => {
  const command = new Command('keys').description('Keys that the token service signs with')
  command
    .command('list')
    .option('--json', 'for programs')
    .action((options: ListOptions) =>
      inStore(context, async ({ database, now }) => {
        printRows(context, await listKeys(database, now), options)
      }),
    )
  command
    .command('rotate')
    .description('Sign with a new key; tokens signed so far stay good until they expire')
    .option('--distrust', 'a key has leaked: believe nothing that was signed so far')
    .action(({ distrust }: Rotated) =>
      inStore(context, async ({ database, now }) => {
        await rotateKeys(database, distrust === true ? 'distrust' : 'keep', now)
        context.print(
          distrust === true
            ? 'A new key signs. All earlier tokens are worthless within 5 s; everybody logs in again.'
            : 'There is a new key. It signs in half a minute, when every node has heard of it.',
        )
      }),
    )
  return command
}
