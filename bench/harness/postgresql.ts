import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isBudget, isLarge } from './options.ts'

/** A PostgreSQL server in a temporary folder, which is removed when it stops. */
export type Postgresql = {
  /** URL of the database `postgres`, as a superuser. */
  readonly url: string
  /** Returns the path of a program of this version, such as `pgbench`. */
  readonly program: (name: string) => string
  readonly version: string
  /** Process id of the server; its sessions are child processes. */
  readonly pid: number | undefined
  /** Folder for files that are needed as long as the server runs. */
  readonly folder: string
  readonly stop: () => Promise<void>
}

/**
 * Unlike in the tests, commits are flushed to disk, because that is part of what is measured. JIT
 * is off for pgbench because it is off in the hub's sessions.
 */
export const settings = [
  'shared_buffers=256MB',
  'fsync=on',
  'synchronous_commit=on',
  'jit=off',
  // With minimal WAL, filling a table that the same transaction created writes no log. That halves
  // the disk writes for 300 million values.
  ...(isLarge ? ['wal_level=minimal', 'max_wal_senders=0'] : []),
]

/** Settings that count the statements of a budget. The counting itself slows them down a little. */
const counting = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
] as const

/** Where Debian and its derivatives install the versions of PostgreSQL side by side. */
const versions = '/usr/lib/postgresql'
const extensions = '/usr/share/postgresql'
const oldest = 15

/** @throws Error that names what is missing */
export async function startPostgresql(): Promise<Postgresql> {
  const version = newestVersion()
  const program = (name: string) => join(versions, version, 'bin', name)
  const account = unprivileged()
  const folder = await mkdtemp(join(tmpdir(), 'hub-bench-'))
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'cluster')
  const encoding = ['--encoding=UTF8', '--locale=C.UTF-8']
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', ...encoding]
  execFileSync(program('initdb'), initdb, { ...account, cwd: folder, stdio: 'pipe' })
  const port = String(await freePort())
  const options = [
    ...settings,
    ...(isBudget ? counting : []),
    'listen_addresses=127.0.0.1',
    `port=${port}`,
  ]
  const args = ['-D', data, '-k', folder, ...options.flatMap((option) => ['-c', option])]
  const server = spawn(program('postgres'), args, { ...account, cwd: folder, stdio: 'ignore' })
  const gone = once(server, 'exit')
  const stop = async () => {
    // SIGINT requests a fast shutdown: connections are closed and files written.
    server.kill('SIGINT')
    await gone
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(program('pg_isready'), ['-h', '127.0.0.1', '-p', port])
  } catch (error) {
    await stop()
    throw error
  }
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return { url, program, version, pid: server.pid, folder, stop }
}

async function untilReady(isReady: string, args: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (spawnSync(isReady, args, { stdio: 'ignore' }).status === 0) return
    await pause(100)
  }
  throw new Error('PostgreSQL did not start within 30 seconds.')
}

function newestVersion(): string {
  const installed = existsSync(versions) ? readdirSync(versions).map(Number) : []
  const usable = installed.filter(
    (version) =>
      version >= oldest &&
      existsSync(join(extensions, String(version), 'extension/postgis.control')) &&
      existsSync(join(versions, String(version), 'bin/pgbench')),
  )
  if (usable.length > 0) return String(Math.max(...usable))
  throw new Error(
    `The bench needs PostgreSQL ${String(oldest)} or later with PostGIS and pgbench in ${versions}. ` +
      'Run npm run setup.',
  )
}

/**
 * Returns the account to run as. PostgreSQL refuses to run as root, which containers and CI often
 * do.
 */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
