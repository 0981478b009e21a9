import { Command } from 'commander'
import type { MakeCommand } from '../make-command.ts'
import { deadCommand } from './dead.ts'
import { listCommand } from './list.ts'
import { replayCommand } from './replay.ts'
import { showCommand } from './show.ts'
import { streamCommand } from './stream.ts'

export const pushCommand: MakeCommand = (context) => {
  const command = new Command('push')
    .description('Pushed messages: look at them, replay them, say how streams are treated')
    .addHelpText('after', '\nWith the embedded database, stop the hub first.')
  const verbs = [listCommand, showCommand, replayCommand, deadCommand, streamCommand]
  for (const verb of verbs) command.addCommand(verb(context))
  return command
}
