import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it, vi } from 'vitest'
import { hasBrowser } from './explorer/fixture/chromium.ts'

const isWhole = existsSync('/proc/self/environ') && hasBrowser && inject('postgresql') !== null
const reason = '[left out: needs Linux, PostgreSQL and Chromium; run npm run setup]'

/** One test that runs a hub on PostgreSQL, and one that waits for a page in a browser. */
const runs = [
  {
    signal: 'SIGINT',
    file: 'test/e2e/access.test.ts',
    parts: [/postgres\0-D/, /hub\.js/],
  },
  {
    signal: 'SIGTERM',
    file: 'test/e2e/explorer/traffic-time.test.ts',
    parts: [/postgres\0-D/, /chromium/],
  },
] as const

/**
 * Returns the command lines of all processes that were started with this folder for temporary
 * files, except this process.
 */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((id) =>
      [read(id, 'environ'), read(id, 'cmdline')].some((text) => text.includes(folder)),
    )
    .map((id) => read(id, 'cmdline'))
    .filter((line) => line !== '')
}

/** Reads a file of a process; empty if the process has ended in the meantime. */
function read(id: string, what: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${id}/${what}`, 'latin1')
  } catch {
    return ''
  }
}

describe.skipIf(!isWhole)(`A run of tests that is stopped${isWhole ? '' : ` ${reason}`}`, () => {
  it.each(runs)('by $signal ends all its processes: $file', async ({ signal, file, parts }) => {
    const folder = await mkdtemp(join(tmpdir(), 'hub-run-'))
    // PostgreSQL runs under another account if the tests run as root.
    await chmod(folder, 0o755)
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const run = spawn(process.execPath, ['scripts/test.ts', file], {
      stdio: 'ignore',
      // Excludes the variables that this run of vitest has set.
      env: {
        PATH: process.env['PATH'],
        TMPDIR: folder,
        TEST_EXPLORER_URL: urlOf(silent.address()),
      },
    })
    try {
      await vi.waitFor(
        () => {
          const running = processesOf(folder)
          for (const part of parts)
            expect(running.filter((line) => part.test(line))).not.toEqual([])
        },
        { timeout: 90_000, interval: 100 },
      )
      run.kill(signal)
      await once(run, 'exit')
      await vi.waitFor(
        () => {
          expect(processesOf(folder)).toEqual([])
        },
        { timeout: 20_000 },
      )
      expect(run.exitCode).toBe(signal === 'SIGINT' ? 130 : 143)
      expect(await readdir(folder)).toEqual([])
    } finally {
      run.kill('SIGKILL')
      silent.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${String(address.port)}`
}
