import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { narrowToChange } from './changed-tests.ts'
import { summarise, withSecondRun } from './test-summary.ts'
import type { TestSummary } from './test-summary.ts'

// `npm test [-- arguments of vitest]` runs all suites that this machine can run, and lists those
// that it cannot. If CI is set, a suite that is left out is a failure, because everything must be
// installed there.
//
// Everything that a run starts belongs to one process group, and everything that it writes is in
// one folder. Both are removed when it ends, also after Ctrl-C and SIGTERM.

const vitest = 'node_modules/vitest/vitest.mjs'

/** Readable for the account that PostgreSQL runs under when the tests run as root. */
const folder = await mkdtemp(join(await temporaryPlace(), 'hub-test-'))
chmodSync(folder, 0o755)

let running: ChildProcess | undefined
let stopped: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped ??= signal
    signalGroup('SIGTERM')
  })
}

/**
 * Chooses the folder for temporary files. If Linux offers memory as a folder and has plenty of it,
 * databases need not wait for a disk: cloning one takes a quarter of the time. TMPDIR overrides the
 * choice.
 */
async function temporaryPlace(): Promise<string> {
  const memory = '/dev/shm'
  if (process.env['TMPDIR'] !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = await statfs(memory)
  return bavail * bsize >= 8 * 1024 ** 3 ? memory : tmpdir()
}

/** Sends a signal to vitest and all its descendants. */
function signalGroup(signal: NodeJS.Signals): void {
  if (running?.pid === undefined) return
  try {
    process.kill(-running.pid, signal)
  } catch {
    // The group has already ended.
  }
}

/** Runs vitest, streams its output, and resolves to its exit code. */
async function runVitest(reportFile: string, wanted: readonly string[]): Promise<number> {
  if (stopped !== undefined) return 1
  const reporters = ['default', './scripts/test-times.ts', 'json'].map(
    (name) => `--reporter=${name}`,
  )
  const args = [vitest, 'run', ...reporters, `--outputFile.json=${reportFile}`, ...wanted]
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  })
  running = child
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.on('error', reject)
  child.on('close', (code) => {
    resolve(code ?? 1)
  })
  try {
    return await promise
  } finally {
    await endGroup()
  }
}

/** Ends processes that did not end with vitest, after a short grace period. */
async function endGroup(): Promise<void> {
  signalGroup('SIGTERM')
  await pause(stopped === undefined ? 100 : 2_000)
  signalGroup('SIGKILL')
  running = undefined
}

/**
 * Loads the summary of a run. A run that ended without a report counts as one failure; vitest has
 * printed why.
 */
async function loadSummary(reportFile: string): Promise<TestSummary> {
  if (!existsSync(reportFile)) {
    return { passed: 0, failed: 1, skipped: 0, leftOut: [], unfinished: [] }
  }
  return summarise(await readFile(reportFile, 'utf8'))
}

/**
 * Prints the summary. Programs parse the last line, which always has the form `N passed, N failed,
 * N skipped`.
 */
function printSummary({ passed, failed, skipped, leftOut }: TestSummary): void {
  console.log('')
  for (const title of leftOut) console.log(`LEFT OUT  ${title}`)
  if (leftOut.length > 0) console.log('`npm run setup` installs what they need, or names it.')
  console.log(`${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`)
}

type Run = { readonly code: number; readonly summary: TestSummary }

async function run(reportFile: string, wanted: readonly string[]): Promise<Run> {
  const code = await runVitest(reportFile, wanted)
  return { code, summary: await loadSummary(reportFile) }
}

/**
 * Runs files again that ended without a failed test, once, and reports it: Node sometimes crashes
 * in a vitest process (bin/node-options.js).
 */
async function runUnfinished({ code, summary }: Run): Promise<Run> {
  const { unfinished, failed } = summary
  if (unfinished.length === 0 || stopped !== undefined) return { code, summary }
  for (const file of unfinished) console.log(`RUN AGAIN  ${file}: it did not end`)
  const second = await run(join(folder, 'second-report.json'), unfinished)
  const isAllOfIt = failed === unfinished.length
  return {
    code: isAllOfIt ? second.code : code,
    summary: withSecondRun(summary, second.summary),
  }
}

async function runAll(): Promise<number> {
  const wanted = await narrowToChange(process.argv.slice(2))
  if (wanted === undefined) {
    console.log('The change touches no test that would run before a push.')
    return 0
  }
  const first = await run(join(folder, 'report.json'), wanted)
  const { code, summary } = await runUnfinished(first)
  if (stopped !== undefined) return 128 + constants.signals[stopped]
  printSummary(summary)
  const mustBeComplete = !['', 'false', undefined].includes(process.env['CI'])
  return code === 0 && mustBeComplete && summary.leftOut.length > 0 ? 1 : code
}

try {
  process.exitCode = await runAll()
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
