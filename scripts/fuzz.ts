import { fuzzDatex } from '../test/fuzz/datex.ts'
import { fuzzDatex3Events, fuzzDatex3Stations } from '../test/fuzz/datex3.ts'
import { fuzzOpenApi } from '../test/fuzz/openapi.ts'
import { fuzz, fuzzTargets } from '../test/fuzz/targets.ts'

// `npm run fuzz -- [name…] [--runs=N]` gives 100,000 random texts to every parser of caller input,
// or to those named. It also validates half as many random events as DATEX II (`datex`), and a
// fifth as many stations and events as DATEX II v3 (`datex3`); these need the schemas beside the
// project. `openapi` sends a fifth as many requests to a whole hub (needs Python and PyPI) and runs
// only if named. Exits with 1 if a text was neither parsed nor rejected or a document is not valid,
// and with 2 if the arguments are not valid.

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const runs = Number(
  args.find((arg) => arg.startsWith('--runs='))?.slice('--runs='.length) ?? 100_000,
)

type Work = {
  readonly name: string
  readonly what: string
  readonly run: () => void | Promise<void>
}

const works: readonly Work[] = [
  ...fuzzTargets.map((target) => ({
    name: target.name,
    what: `${String(runs)} texts`,
    run: () => {
      fuzz(target, runs)
    },
  })),
  {
    name: 'datex',
    what: `${String(Math.ceil(runs / 2))} events`,
    run: () => {
      fuzzDatex(runs / 2)
    },
  },
  {
    name: 'datex3',
    what: `${String(Math.ceil(runs / 5))} stations, as many events`,
    run: () => {
      fuzzDatex3Stations(runs / 5)
      fuzzDatex3Events(runs / 5)
    },
  },
  {
    name: 'openapi',
    what: `${String(Math.ceil(runs / 5))} requests`,
    run: () => fuzzOpenApi(runs / 5),
  },
]

const unknown = names.filter((name) => !works.some((work) => work.name === name))
if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1) {
  const known = works.map(({ name }) => name).join(', ')
  console.error(
    `Not understood: ${args.join(' ')}. The targets are ${known}; --runs=N says how often.`,
  )
  process.exit(2)
}

for (const { name, what, run } of works) {
  if (names.length > 0 ? !names.includes(name) : name === 'openapi') continue
  const started = performance.now()
  try {
    await run()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`ok    ${name.padEnd(12)}${what} in ${seconds} s`)
  } catch (error) {
    console.error(`fails ${name}\n${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
