import { fuzz, fuzzTargets } from '../test/fuzz/targets.ts'

// `npm run fuzz -- [name…] [--runs=N]` gives every reader of texts from callers, or those named, 100,000
// texts at random. Ends with 1 when one was neither understood nor refused, and with 2 when the
// arguments were not understood.

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const runs = Number(
  args.find((arg) => arg.startsWith('--runs='))?.slice('--runs='.length) ?? 100_000,
)

const unknown = names.filter((name) => !fuzzTargets.some((target) => target.name === name))
if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1) {
  const known = fuzzTargets.map(({ name }) => name).join(', ')
  console.error(
    `Not understood: ${args.join(' ')}. The targets are ${known}; --runs=N says how often.`,
  )
  process.exit(2)
}

for (const target of fuzzTargets) {
  if (names.length > 0 && !names.includes(target.name)) continue
  const started = performance.now()
  try {
    fuzz(target, runs)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`ok    ${target.name.padEnd(12)}${String(runs)} texts in ${seconds} s`)
  } catch (error) {
    console.error(`fails ${target.name}\n${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
