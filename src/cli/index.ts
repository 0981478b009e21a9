import { Command, CommanderError, InvalidArgumentError } from 'commander'
import type { Context, MakeCommand } from './context.ts'
export type { Context } from './context.ts'

/** Exit codes: 0 success, 1 failure, 2 invalid command or settings. */
const failed = 1
const misunderstood = 2

type Entry = { readonly summary: string; readonly load: () => Promise<MakeCommand> }

/**
 * All commands. Only the requested one is loaded, because loading all of them would take a second.
 */
const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'Run the hub until it is stopped (SIGINT, SIGTERM)',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  demo: {
    summary: 'Run the hub with a fictional region and demo clients',
    load: async () => (await import('./serve.ts')).demoCommand,
  },
  migrate: {
    summary: 'Migrate the database; safe to run on several nodes at once',
    load: async () => (await import('./store.ts')).migrateCommand,
  },
  import: {
    summary:
      'Import files in the canonical formats (JSON or NDJSON, also gzip), like a push by an ADMIN',
    load: async () => (await import('./store.ts')).importCommand,
  },
  export: {
    summary: 'Export datasets as NDJSON in the canonical formats, which import and push read',
    load: async () => (await import('./store.ts')).exportCommand,
  },
  mirror: {
    summary: 'Keep a copy of another hub by its exports and change feeds',
    load: async () => (await import('./mirror.ts')).mirrorCommand,
  },
  backup: {
    summary: 'Back up everything in the database, while the hub runs',
    load: async () => (await import('./store.ts')).backupCommand,
  },
  restore: {
    summary: 'Restore a backup into an empty database, on either engine',
    load: async () => (await import('./store.ts')).restoreCommand,
  },
  token: {
    summary: 'Get an access token from the token service and print it',
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  access: {
    summary: 'Manage users, clients, roles, rules and push permissions',
    load: async () => (await import('./access/index.ts')).accessCommand,
  },
  push: {
    summary: 'Inspect and replay messages, configure streams, check and test mappings',
    load: async () => (await import('./push/index.ts')).pushCommand,
  },
  timeseries: {
    summary: 'Manage the monthly tables of measurements (UTC), and delete measurements',
    load: async () => (await import('./timeseries.ts')).timeseriesCommand,
  },
  audit: {
    summary: 'List who changed which record or access right, newest first',
    load: async () => (await import('./store.ts')).auditCommand,
  },
}

/** Runs `hub <arguments>` and returns its exit code. */
export async function runCommand(args: readonly string[], context: Context): Promise<number> {
  let exitCode = 0
  const program = await makeProgram(args, context, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    return explain(error, context)
  }
}

/**
 * Returns the help of every command by its full name. `npm run docs` stores it for `bin/hub.js`,
 * which then need not load anything.
 */
export async function helpTexts(context: Context): Promise<Readonly<Record<string, string>>> {
  const program = await makeProgram(Object.keys(commands), context, () => undefined)
  const textsOf = (command: Command, path: readonly string[]): readonly [string, string][] => {
    let text = ''
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 100 })
    command.outputHelp()
    const below = command.commands.filter((child) => child.name() !== 'help')
    return [
      [path.join(' '), text.trimEnd()],
      ...below.flatMap((child) => textsOf(child, [...path, child.name()])),
    ]
  }
  return Object.fromEntries(textsOf(program, []))
}

async function makeProgram(
  args: readonly string[],
  context: Context,
  setExitCode: (code: number) => void,
): Promise<Command> {
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
    .showHelpAfterError('Run it with --help for its arguments and options.')
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const made = args.includes(name) ? (await load())(context, setExitCode) : new Command(name)
    program.addCommand(inherit(made.description(summary), program))
  }
  return program
}

/** Commander passes settings only to commands that it creates itself. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const child of command.commands) inherit(child, command)
  return command
}

/**
 * Names of errors in settings and definitions. Compared by name, so that their modules need not be
 * loaded for every command.
 */
const misunderstandings = ['ConfigError', 'DefinitionError', 'MappingError', 'InvalidArgumentError']

function explain(error: unknown, context: Context): number {
  // Commander prints its errors, but not an InvalidArgumentError thrown by an action.
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError))
    return error.exitCode === 0 ? 0 : misunderstood
  context.complain(error instanceof Error ? error.message : String(error))
  return error instanceof Error && misunderstandings.includes(error.name) ? misunderstood : failed
}
