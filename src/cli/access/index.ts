import { Command } from 'commander'
import type { MakeCommand } from '../make-command.ts'
import { clientCommand } from './client.ts'
import { grantCommand, revokeCommand } from './grant.ts'
import { keysCommand } from './keys.ts'
import { listCommand } from './list.ts'
import { roleCommand } from './role.ts'
import { ruleCommand } from './rule.ts'
import { userCommand } from './user.ts'

export const accessCommand: MakeCommand = (context) => {
  const command = new Command('access').addHelpText('after', '\nA running hub follows within 5 s.')
  const nouns = [
    listCommand,
    userCommand,
    clientCommand,
    roleCommand,
    ruleCommand,
    grantCommand,
    revokeCommand,
    keysCommand,
  ]
  for (const noun of nouns) command.addCommand(noun(context))
  return command
}
