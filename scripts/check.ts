import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'

/** One check: a Node program with its arguments. It passes if the program exits with 0. */
type Check = {
  readonly name: string
  readonly command: readonly [program: string, ...args: readonly string[]]
}

/**
 * The native TypeScript compiler, written in Go; the linters still need the JavaScript one. Each
 * additional checker would parse the same files again, and the checks already use all cores (see
 * also web/tsconfig.json for svelte-check).
 */
const compiler = ['node_modules/@typescript/native/bin/tsc', '--checkers', '1'] as const

/** All checks, slow ones first, so that all cores finish at about the same time. */
const checks: readonly Check[] = [
  {
    name: 'lint-page',
    command: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', 'web/**/*.svelte'],
  },
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  { name: 'types', command: [...compiler, '-p', '.'] },
  {
    name: 'types-web',
    command: [
      'node_modules/svelte-check/bin/svelte-check',
      ...['--workspace', 'web', '--tsconfig', 'tsconfig.json', '--fail-on-warnings', '--tsgo'],
    ],
  },
  {
    // These tests contain code that runs in browsers, which have other globals.
    name: 'types-explorer',
    command: [...compiler, '-p', 'test/e2e/explorer'],
  },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  {
    name: 'boundaries',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '{src,test,bench,scripts}/**/*.ts',
      'web/{src,build}/**/*.{ts,svelte}',
    ],
  },
  { name: 'unused', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'documents', command: ['scripts/generate-docs.ts', '--check'] },
  { name: 'style', command: ['scripts/style.ts'] },
  { name: 'structure', command: ['scripts/structure.ts'] },
]

type Outcome = { readonly name: string; readonly holds: boolean; readonly output: string }

function run({ name, command }: Check): Promise<Outcome> {
  const started = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('error', reject)
  child.on('close', (code) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5)
    console.log(`${code === 0 ? 'ok   ' : 'fails'} ${name.padEnd(12)}${seconds} s`)
    resolve({ name, holds: code === 0, output: Buffer.concat(chunks).toString().trim() })
  })
  return promise
}

/**
 * Runs all checks, as many in parallel as there are cores. A failed check does not stop the rest.
 */
async function runAll(wanted: readonly Check[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = wanted.values()
  const worker = async () => {
    for (const check of waiting) outcomes.push(await run(check))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return outcomes
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) {
  const known = checks.map(({ name }) => name).join(', ')
  console.error(`There is no check ${unknown.join(', ')}. The checks are: ${known}.`)
  process.exit(2)
}
const outcomes = await runAll(
  checks.filter(({ name }) => names.length === 0 || names.includes(name)),
)
const failed = outcomes.filter(({ holds }) => !holds)
const shown = outcomes.filter(({ name, holds }) => holds && name === 'structure')
for (const { name, output } of [...shown, ...failed]) console.log(`\n── ${name} ──\n${output}`)
process.exitCode = failed.length > 0 ? 1 : 0
