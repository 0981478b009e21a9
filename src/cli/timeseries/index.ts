import { Command } from 'commander'
import type { MakeCommand } from '../make-command.ts'
import { attachCommand } from './attach.ts'
import { deleteCommand } from './delete.ts'
import { listCommand } from './list.ts'
import { makeCommand } from './make.ts'
import { retireCommand } from './retire.ts'

export const timeseriesCommand: MakeCommand = (context) => {
  const partitions = new Command('partitions').addHelpText(
    'after',
    '\nThe hub makes and retires them by itself, by HUB_MEASUREMENT_KEEP_MONTHS.',
  )
  partitions.addCommand(listCommand(context), { isDefault: true })
  for (const verb of [makeCommand, retireCommand, attachCommand]) {
    partitions.addCommand(verb(context))
  }
  return new Command('timeseries')
    .description('Measurements: where they lie, and how long')
    .addCommand(partitions)
    .addCommand(deleteCommand(context))
}
