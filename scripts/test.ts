import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { summarise } from './test-summary.ts'
import type { TestSummary } from './test-summary.ts'

// `npm test [-- arguments of vitest]`: all suites that this machine can run, and the names of those
// that it cannot. With CI set, a suite left out is a failure: there everything must be there.

const vitest = 'node_modules/vitest/vitest.mjs'

/** Runs vitest with its output shown as it comes, and resolves to its exit code. */
function runVitest(reportFile: string): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const args = [vitest, 'run', ...reporters, ...process.argv.slice(2)]
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
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, skipped: 0, leftOut: [] }
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

const folder = await mkdtemp(join(tmpdir(), 'hub-test-'))
try {
  const reportFile = join(folder, 'report.json')
  const code = await runVitest(reportFile)
  const summary = await loadSummary(reportFile)
  printSummary(summary)
  const mustBeComplete = !['', 'false', undefined].includes(process.env['CI'])
  process.exitCode = code === 0 && mustBeComplete && summary.leftOut.length > 0 ? 1 : code
} finally {
  await rm(folder, { recursive: true, force: true })
}
