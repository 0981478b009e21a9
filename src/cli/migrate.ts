import { Command } from 'commander'
import { openStore } from '../compose/index.ts'
import { prepare } from './context.ts'
import type { MakeCommand } from './make-command.ts'

export const migrateCommand: MakeCommand = (context) =>
  new Command('migrate').action(async () => {
    const { config, surroundings } = prepare(context, 'quiet')
    const { database } = await openStore(config, surroundings)
    await database.close()
    context.print('The database is up to date.')
  })
