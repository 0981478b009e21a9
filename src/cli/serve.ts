import { Command } from 'commander'
import { composeHub } from '../compose/index.ts'
import { prepare } from './context.ts'
import type { MakeCommand } from './make-command.ts'

export const serveCommand: MakeCommand = (context) =>
  new Command('serve')
    .addHelpText(
      'after',
      '\nSettings come from the environment and .env; see docs/configuration.md.',
    )
    .action(async () => {
      const { config, surroundings } = prepare(context, 'loud')
      const stopped = context.untilStopped()
      const hub = await composeHub(config, surroundings, { mode: 'serve' })
      await hub.listen()
      surroundings.log.info({ address: hub.publicUrl }, 'The hub is ready.')
      await stopped
      surroundings.log.info('The hub is stopping.')
      await hub.close()
    })
