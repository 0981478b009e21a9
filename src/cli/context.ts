import type { Command } from 'commander'
import type { FastifyBaseLogger } from 'fastify'
import type { OpenStore, Environment } from '../compose/index.ts'
import { loadConfig, oldForms } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import type { Transaction } from '../storage/index.ts'

/** What the process passes to a command: its environment, clock, streams and signals. */
export type Context = Omit<Environment, 'log'> & {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly makeLog: (level: string) => FastifyBaseLogger
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Standard input, for secrets that must not be on the command line. */
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly progressTo: NodeJS.WriteStream
  /** Resolves when the process receives a signal to stop. */
  readonly untilStopped: () => Promise<void>
}

/** Returns the operating-system user that runs a command, for the audit log. */
export function actorOf({ environment }: Context): string {
  const { SUDO_USER: before, USER: user = 'unknown' } = environment
  return before ?? user
}

/**
 * Loads the settings and environment of a command. `quiet` commands log only warnings and errors,
 * unless HUB_LOG_LEVEL is set.
 */
export function prepare(
  context: Context,
  loudness: 'loud' | 'quiet',
): { readonly config: Config; readonly environment: Environment } {
  const config = loadConfig(context.environment)
  const isSet = (context.environment['HUB_LOG_LEVEL'] ?? '') !== ''
  const level = loudness === 'quiet' && !isSet ? 'warn' : config.HUB_LOG_LEVEL
  const log = context.makeLog(level)
  for (const form of oldForms(context.environment)) log.warn(form)
  return { config, environment: { ...context, log } }
}

type Parts = Pick<OpenStore, 'cold' | 'database' | 'entities' | 'secrets'> & {
  readonly config: Config
  readonly now: Date
}

/** Opens the existing hub. On a terminal, prints which one that is. */
export async function openHub(context: Context): Promise<OpenStore & { readonly config: Config }> {
  const { config, environment } = prepare(context, 'quiet')
  // This import loads nearly all of the hub. Commands without its database need not wait for it.
  const { openExisting, placeOf } = await import('../compose/index.ts')
  const store = await openExisting(config, environment)
  if (context.progressTo.isTTY) context.complain(`On ${placeOf(config)}.`)
  return { ...store, config }
}

/** Runs `work` with the database of the hub, and closes it afterwards. */
export async function inStore<Result>(
  context: Context,
  work: (parts: Parts) => Promise<Result>,
): Promise<Result> {
  const { config, cold, database, entities, secrets, now } = await openHub(context)
  try {
    return await work({ cold, database, entities, secrets, config, now: now() })
  } finally {
    await database.close()
  }
}

type Change = Omit<Parts, 'database'> & { readonly tx: Transaction }

/** Changes access in one transaction. Print results afterwards, when it is committed. */
export function change<Result>(
  context: Context,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  return inStore(context, async ({ database, ...parts }) => {
    const { changeAs } = await import('../access/index.ts')
    return changeAs(database, { name: actorOf(context) }, (tx) => work({ tx, ...parts }))
  })
}

/** Warns that the hub does not use its own accounts when it trusts another identity provider. */
export function warnOfExternal(config: Config, context: Context): void {
  if (config.HUB_IDENTITY !== 'external') return
  context.complain(
    `Note: HUB_IDENTITY=external. The identity provider at ${config.HUB_ISSUER ?? 'HUB_ISSUER'} manages accounts and push permissions; changes here have no effect until the hub issues tokens itself.`,
  )
}

/** Makes one command. `setExitCode` is for a run that completed with failures. */
export type MakeCommand = (context: Context, setExitCode: (code: number) => void) => Command
