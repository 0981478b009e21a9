import { PassThrough } from 'node:stream'
import { helpTexts } from '../src/cli/index.ts'
import type { Context } from '../src/cli/index.ts'
import { makeLog } from '../src/observe/index.ts'

/** A context for commands that only print their help. Nothing in it is used. */
const idle: Context = {
  environment: {},
  platform: 'linux',
  now: () => new Date(0),
  every: () => () => undefined,
  fetch,
  version: '',
  originOf: () => 'default' as const,
  makeLog,
  print: () => undefined,
  complain: () => undefined,
  input: new PassThrough(),
  progressTo: process.stderr,
  untilStopped: () => Promise.resolve(),
}

/**
 * Returns the content of `src/cli/help.json`: the help of every command, so that printing it loads
 * no command.
 */
export async function helpFile(): Promise<string> {
  return JSON.stringify(await helpTexts(idle))
}
