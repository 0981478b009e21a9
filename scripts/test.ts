import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { summarise, withSecondRun } from './test-summary.ts'
import type { TestSummary } from './test-summary.ts'

// `npm test [-- arguments of vitest]`: all suites that this machine can run, and the names of those
// that it cannot. With CI set, a suite left out is a failure: there everything must be there.

const vitest = 'node_modules/vitest/vitest.mjs'

/** Runs vitest with its output shown as it comes, and resolves to its exit code. */
function runVitest(reportFile: string, wanted: readonly string[]): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const args = [vitest, 'run', ...reporters, ...wanted]
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  child.on('error', reject)
  child.on('close', (code) => {
    resolve(code ?? 1)
  })
  return promise
}

/** A run that ended without a report counts as one failure; vitest has said why. */
async function loadSummary(reportFile: string): Promise<TestSummary> {
  if (!existsSync(reportFile)) {
    return { passed: 0, failed: 1, skipped: 0, leftOut: [], unfinished: [] }
  }
  return summarise(await readFile(reportFile, 'utf8'))
}

/** The last line has one plain form that programs read: `N passed, N failed, N skipped`. */
function printSummary({ passed, failed, skipped, leftOut }: TestSummary): void {
  console.log('')
  for (const title of leftOut) console.log(`LEFT OUT  ${title}`)
  if (leftOut.length > 0)
    console.log('`npm run setup` installs what they need, or says what it is.')
  console.log(`${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`)
}

type Run = { readonly code: number; readonly summary: TestSummary }

async function run(reportFile: string, wanted: readonly string[]): Promise<Run> {
  const code = await runVitest(reportFile, wanted)
  return { code, summary: await loadSummary(reportFile) }
}

/**
 * Node dies now and then in a process of vitest (see vitest.config.ts): files that ended without a test
 * that failed are run once more, and it is told.
 */
async function runUnfinished({ code, summary }: Run, reportFile: string): Promise<Run> {
  const { unfinished, failed } = summary
  if (unfinished.length === 0) return { code, summary }
  for (const file of unfinished) console.log(`RUN AGAIN  ${file}: it did not end`)
  const second = await run(reportFile, unfinished)
  const isAllOfIt = failed === unfinished.length
  return {
    code: isAllOfIt ? second.code : code,
    summary: withSecondRun(summary, second.summary),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'hub-test-'))
try {
  const first = await run(join(folder, 'report.json'), process.argv.slice(2))
  const { code, summary } = await runUnfinished(first, join(folder, 'second-report.json'))
  printSummary(summary)
  const mustBeComplete = !['', 'false', undefined].includes(process.env['CI'])
  process.exitCode = code === 0 && mustBeComplete && summary.leftOut.length > 0 ? 1 : code
} finally {
  await rm(folder, { recursive: true, force: true })
}
