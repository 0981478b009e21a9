import { readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import type { Context } from './cli/index.ts'

/**
 * The process: the only module that reads the environment and arguments, and that ends the process.
 */

/**
 * Folder of Node's compile cache, which the hub's child processes use too. It saves a second per
 * start.
 */
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
process.env['NODE_COMPILE_CACHE'] ??= compiled
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
const { every } = await import('./async/index.ts')
const { runCommand } = await import('./cli/index.ts')
const { hideSecrets, logOutput, makeLog } = await import('./observe/make-log.ts')

type Settings = Readonly<Record<string, string | undefined>>

/** Parses `.env` in the working directory, which some editors begin with a byte order mark. */
function readDotEnv(): Settings {
  try {
    return parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve()
      })
    }
  })
}

// The reader of a pipe, such as `head`, may leave before the end.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(1)
    throw error
  })
}

const log = logOutput()
process.on('exit', log.flush)

const dotEnv = readDotEnv()

const context: Context = {
  // The real environment takes precedence over `.env`.
  environment: { ...dotEnv, ...process.env },
  originOf: (name) => {
    const own = process.env[name]
    if ((own ?? dotEnv[name] ?? '') === '') return 'default'
    return own === undefined ? '.env' : 'environment'
  },
  platform: process.platform,
  now: () => new Date(),
  every,
  fetch,
  version: manifest.version,
  makeLog: (level) => makeLog(level, log),
  print: (text) => {
    log.flush()
    process.stdout.write(`${text}\n`)
  },
  complain: (text) => {
    process.stderr.write(`${hideSecrets(text)}\n`)
  },
  input: process.stdin,
  progressTo: process.stderr,
  untilStopped,
}

process.exit(await runCommand(process.argv.slice(2), context))
