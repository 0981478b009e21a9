import { Command } from 'commander'
import { replayMessages } from '../../push/index.ts'
import { inStore } from '../in-store.ts'
import type { Context } from '../context.ts'
import { collectIds, stateOption, withFilter } from './filter.ts'
import type { FilterOptions } from './filter.ts'

export const replayCommand = (context: Context) =>
  withFilter(
    new Command('replay')
      .description('Let messages be worked on again; what a younger one wrote stays')
      .argument('[id...]', 'messages; none: all that the options name', collectIds, []),
  )
    .addOption(stateOption())
    .action((ids: readonly string[], filter: FilterOptions) =>
      inStore(context, async ({ database }) => {
        const named = ids.length > 0 ? { ids } : {}
        if (ids.length === 0 && Object.keys(filter).length === 0) {
          throw new Error('Say which messages: by id, --stream, --from, --to or --state.')
        }
        const count = await replayMessages(database, { ...filter, ...named })
        context.print(`${String(count)} messages are worked on again, by the next hub that runs.`)
      }),
    )
