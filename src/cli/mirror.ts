import { Command, InvalidArgumentError } from 'commander'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../config/index.ts'
import type { Config } from '../config/index.ts'
import { openDatabaseCopy, openFolderCopy, runMirror } from '../mirror/index.ts'
import { openDatabase } from '../storage/index.ts'
import type { Context, MakeCommand } from './context.ts'
import { parseList, refuseSecret } from './terminal.ts'

type Options = {
  readonly to: string
  readonly feeds?: readonly string[]
  readonly schema: string
  readonly once?: true
}

export const mirrorCommand: MakeCommand = (context, setExitCode) => {
  const command = new Command('mirror')
    .argument('<url>', 'URL of the other hub, such as https://hub.example', parseUrl)
    .requiredOption(
      '--to <target>',
      'folder, or postgres:// URL of a database; its password comes from PGPASSWORD',
      parseTarget,
    )
    .option(
      '--feeds <list>',
      'only these feeds of GET /changes, comma-separated; default: all',
      parseList,
    )
    .option('--schema <name>', 'schema of the tables in the database', parseSchema, 'mirror')
    .option('--once', 'exit when all feeds are up to date')
    .addHelpText(
      'after',
      '\nAfter any interruption, run it again: it continues where it stopped.' +
        '\nHUB_MIRROR_TOKEN is the access token, if one is needed. See docs/mirror.md.',
    )
    .action(async (url: string, options: Options) => {
      setExitCode((await mirror(context, url, options)) > 0 ? 1 : 0)
    })
  return command.addOption(refuseSecret(command, 'token', 'Set HUB_MIRROR_TOKEN instead.'))
}

function parseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected the URL of a hub, such as https://hub.example.')
  }
  return url.href.replace(/\/+$/, '')
}

function parseTarget(text: string): string {
  if (!isDatabase(text)) return text
  const url = URL.parse(text)
  if (url === null) throw new InvalidArgumentError('Expected postgres://<user>@<host>/<database>.')
  if (url.password === '' && !url.searchParams.has('password')) return text
  throw new InvalidArgumentError(
    'The password would be visible to every user of this machine. Set PGPASSWORD, or use ~/.pgpass.',
  )
}

function isDatabase(target: string): boolean {
  return /^postgres(ql)?:\/\//i.test(target)
}

function parseSchema(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(text)) return text
  throw new InvalidArgumentError('Expected lower-case letters, digits and underscores.')
}

/** @returns the number of feeds that the other hub no longer has */
async function mirror(context: Context, url: string, options: Options): Promise<number> {
  const config = loadConfig(context.environment)
  const { feeds = [], once } = options
  const copy = await openCopy(context, config, options)
  const stopped = new AbortController()
  void context.untilStopped().then(() => {
    stopped.abort()
  })
  try {
    return await runMirror({
      ...{ url, copy, feeds, now: context.now, every: context.every, fetch: context.fetch },
      token: config.HUB_MIRROR_TOKEN,
      until: once === true ? 'current' : 'stopped',
      random: Math.random,
      sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
      signal: stopped.signal,
      // Names come from the other hub and may contain control characters.
      report: (text) => context.complain(text.replaceAll(/\p{Cc}/gu, '?')),
    })
  } finally {
    await copy.close()
  }
}

async function openCopy(context: Context, config: Config, { to, schema }: Options) {
  const writer = randomUUID()
  if (!isDatabase(to)) return openFolderCopy(to, { writer, now: context.now })
  const { HUB_DATABASE_CONNECTIONS, HUB_STATEMENT_TIMEOUT, HUB_DATA_DIR } = config
  const database = await openDatabase({
    config: { HUB_DATABASE_CONNECTIONS, HUB_STATEMENT_TIMEOUT, HUB_DATA_DIR, DATABASE_URL: to },
    log: context.makeLog('error'),
    platform: context.platform,
  })
  return openDatabaseCopy({ database, schema, writer })
}
