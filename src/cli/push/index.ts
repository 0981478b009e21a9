import { Command } from 'commander'
import type { MakeCommand } from '../make-command.ts'
import { checkCommand } from './check.ts'
import { deadCommand } from './dead.ts'
import { listCommand } from './list.ts'
import { replayCommand } from './replay.ts'
import { showCommand } from './show.ts'
import { streamCommand } from './stream.ts'
import { testCommand } from './test.ts'
import { tryCommand } from './try.ts'

export const pushCommand: MakeCommand = (context, setExitCode) => {
  const command = new Command('push').addHelpText(
    'after',
    '\ncheck, try and test need no database.',
  )
  const messages = [listCommand, showCommand, replayCommand, deadCommand, streamCommand]
  const mappings = [checkCommand, tryCommand, testCommand]
  for (const verb of [...messages, ...mappings]) command.addCommand(verb(context, setExitCode))
  return command
}
