import { Command, CommanderError } from 'commander'
import { ConfigError } from '../config/index.ts'
import { accessCommand } from './access/index.ts'
import { auditCommand } from './audit.ts'
import type { Context } from './context.ts'
import { demoCommand } from './demo.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { migrateCommand } from './migrate.ts'
import { pushCommand } from './push/index.ts'
import { MappingError } from '../push/index.ts'
import { serveCommand } from './serve.ts'
import { timeseriesCommand } from './timeseries/index.ts'
import { tokenCommand } from './token.ts'

/** Exit codes: 0 done, 1 failed, 2 the command or the settings were not understood. */
const failed = 1
const misunderstood = 2

const commands = [
  serveCommand,
  demoCommand,
  migrateCommand,
  importCommand,
  exportCommand,
  tokenCommand,
  accessCommand,
  pushCommand,
  timeseriesCommand,
  auditCommand,
]

/** Runs `hub <arguments>` and returns its exit code. */
export async function runCommand(args: readonly string[], context: Context): Promise<number> {
  const program = new Command('hub')
    .description(
      'An open-data hub for a region: content, time series, push and traffic in one program',
    )
    .version(context.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        context.print(text.trimEnd())
      },
      writeErr: (text) => {
        context.complain(text.trimEnd())
      },
    })
    .showHelpAfterError('Run it with --help to see what it takes.')
  let exitCode = 0
  for (const command of commands) {
    const made = command(context, (code) => {
      exitCode = code
    })
    program.addCommand(inherit(made, program))
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    return explain(error, context)
  }
}

/** Commander passes settings on only to commands that it makes itself. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const child of command.commands) inherit(child, command)
  return command
}

function explain(error: unknown, context: Context): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misunderstood
  context.complain(error instanceof Error ? error.message : String(error))
  return error instanceof ConfigError || error instanceof MappingError ? misunderstood : failed
}
