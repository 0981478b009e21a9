import { Command } from 'commander'
import { MappingError, loadMappings } from '../../push/index.ts'
import { prepare } from '../context.ts'
import type { MakeCommand } from '../make-command.ts'

export const checkCommand: MakeCommand = (context, setExitCode) =>
  new Command('check')
    .description('Look for everything that is wrong with mappings; needs no database')
    .argument('[folder]', 'of the mappings; default: HUB_MAPPINGS')
    .addHelpText('after', '\nExit code 1 when something is wrong; each fault has its place.')
    .action(async (given: string | undefined) => {
      const folder = given ?? prepare(context, 'quiet').config.HUB_MAPPINGS
      if (folder === undefined) throw new Error('Name a folder of mappings, or set HUB_MAPPINGS.')
      try {
        const mappings = await loadMappings(folder)
        for (const { name, version, stream } of mappings) {
          context.print(`${name} ${version} takes ${stream}`)
        }
        context.print(`${String(mappings.length)} mappings can be used.`)
      } catch (error) {
        if (!(error instanceof MappingError)) throw error
        context.complain(error.message)
        setExitCode(1)
      }
    })
