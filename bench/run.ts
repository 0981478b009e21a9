import { benches, trend } from './benches.ts'
import { printBudget } from './budget.ts'
import type { Bench, Result } from './harness/bench.ts'
import { withEnvironment } from './harness/environment.ts'
import { isBudget, isLarge, isQuick, names, writes } from './harness/options.ts'
import { toConditions, toTable, writePage } from './harness/report.ts'
import { printLarge } from './large.ts'

// `npm run bench -- [name…]` runs all benches, or those named, such as `content` or `push`;
// `npm run bench -- --write` runs all and writes the results to docs/performance.md;
// `npm run bench -- --quick` shows the trend of the ten most important ratios in five minutes, on
// less data;
// `npm run bench -- --budget` prints where the time of a response is spent, for commonly polled
// requests;
// `npm run bench -- --large` compares a database of 300 million values with a small one, in half an
// hour;
// `npm run bench -- content --records=30000` tries benches out on fewer records. Exits with 1 if a
// goal is missed, and with 2 if the arguments are not valid.

const isNamed = (bench: string, name: string) => bench === name || bench.startsWith(`${name}-`)

const unknown = names.filter((name) => !benches.some((bench) => isNamed(bench.name, name)))
if (unknown.length > 0) {
  const known = benches.map(({ name }) => name).join(', ')
  console.error(`There is no bench ${unknown.join(', ')}. The benches are: ${known}.`)
  process.exit(2)
}
const whole = isQuick ? trend : benches
const chosen = whole.filter(
  (bench) => names.length === 0 || names.some((name) => isNamed(bench.name, name)),
)

if (isBudget) {
  console.log(await withEnvironment(console.error, printBudget))
  process.exit()
}

if (isLarge) {
  const { text, holds } = await printLarge(console.error)
  console.log(text)
  process.exit(holds ? 0 : 1)
}

const report = await withEnvironment(console.error, async (environment) => {
  const results: Result[] = []
  for (const bench of chosen) {
    const result = bench.run(environment)
    results.push(await result.catch((error: unknown) => toFailure(bench, error)))
  }
  return { results, conditions: toConditions(environment.postgresql.version, new Date()) }
})

/** Turns an error into a result, so that the remaining benches still run. */
function toFailure({ name }: Bench, error: unknown): Result {
  console.error(error)
  const nothing = { goal: '', median: '', worst: '', detail: 'it failed; see above' }
  return { title: name, holds: false, ...nothing }
}

const table = toTable(report.results)
console.log(`\n${report.conditions}\n\n${table}`)
if (writes) await writePage(report.conditions, table)
process.exitCode = report.results.every(({ holds }) => holds) ? 0 : 1
