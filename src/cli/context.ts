import type { FastifyBaseLogger } from 'fastify'
import { loadConfig, oldForms } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import type { Surroundings } from '../compose/index.ts'

/** What the commands are given by the process: its environment, clock, streams and signals. */
export type Context = Omit<Surroundings, 'log'> & {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly makeLog: (level: string) => FastifyBaseLogger
  /** Writes a line of result. */
  readonly print: (text: string) => void
  /** Writes a line of complaint. */
  readonly complain: (text: string) => void
  /** Standard input, for secrets that must not stand on the command line. */
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  /** Where progress is drawn, if it is a terminal. */
  readonly progressTo: NodeJS.WriteStream
  /** Resolves when the process is asked to stop. */
  readonly untilStopped: () => Promise<void>
}

/** Who runs a command, for the audit log. */
export function actorOf({ environment }: Context): string {
  const { SUDO_USER: before, USER: user = 'unknown' } = environment
  return before ?? user
}

/** Settings and surroundings of a command; `quiet` commands log warnings and worse only, unless told. */
export function prepare(
  context: Context,
  loudness: 'loud' | 'quiet',
): { readonly config: Config; readonly surroundings: Surroundings } {
  const config = loadConfig(context.environment)
  const isTold = (context.environment['HUB_LOG_LEVEL'] ?? '') !== ''
  const level = loudness === 'quiet' && !isTold ? 'warn' : config.HUB_LOG_LEVEL
  const log = context.makeLog(level)
  for (const form of oldForms(context.environment)) log.warn(form)
  return { config, surroundings: { ...context, log } }
}
