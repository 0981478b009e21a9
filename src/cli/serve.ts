import { Command, InvalidArgumentError } from 'commander'
import { composeHub } from '../compose/compose-hub.ts'
import {
  assertLoopback,
  assertNothingForeign,
  findForeignData,
  markDemo,
  planDemo,
  showExamples,
} from '../compose/demo.ts'
import type { Hub } from '../compose/compose-hub.ts'
import type { Demo } from '../compose/demo.ts'
import type { Environment } from '../compose/index.ts'
import type { Config } from '../config/index.ts'
import { prepare } from './context.ts'
import type { MakeCommand } from './context.ts'
import { drawProgress } from './terminal.ts'

export const serveCommand: MakeCommand = (context) =>
  new Command('serve')
    .addHelpText(
      'after',
      '\nSettings come from the environment and .env; see docs/configuration.md.',
    )
    .action(async () => {
      const { config, environment } = prepare(context, 'loud')
      const stopped = context.untilStopped()
      const hub = await composeHub(config, environment, { mode: 'serve' })
      await hub.listen()
      environment.log.info({ address: hub.publicUrl }, 'The hub is ready.')
      await stopped
      environment.log.info('The hub is stopping.')
      await hub.close()
    })

type Options = {
  readonly empty?: true
  readonly seed: number
  readonly scale: number
  readonly really?: true
}

export const demoCommand: MakeCommand = (context) =>
  new Command('demo')
    .option('--empty', 'load one example of each kind of data instead of the region')
    .option(
      '--seed <number>',
      'seed of the region; each seed makes a different region',
      wholeNumber,
      1,
    )
    .option(
      '--scale <number>',
      'size of the region, in multiples of 3,000 records, 1,000 stations, 1,000,000 values',
      wholeNumber,
      1,
    )
    .option('--really', 'also start with other data, or where other machines can reach the demo')
    .action(async ({ empty, seed, scale, really }: Options) => {
      const { config, environment } = prepare(context, 'quiet')
      const stopped = context.untilStopped()
      const hub = await composeDemo(config, environment, really)
      if (empty === true) await showExamples({ hub, config, environment })
      const progress = (phase: string) => drawProgress(context.progressTo, phase)
      const demo =
        empty === true
          ? undefined
          : await planDemo({ hub, config, environment, progress }, { seed, scale })
      // From here on, a request to stop also ends the loading.
      const stopping = stopped.then(() => demo?.stop())
      const loading = await open(hub, demo, context.print)
      await stopping
      await loading.end
      await hub.close()
    })

/** Composes a hub with the demo's clients, after checking that address and database suit it. */
async function composeDemo(config: Config, environment: Environment, really?: true) {
  if (really === undefined) assertLoopback(config)
  let found: readonly string[] = []
  const hub = await composeHub(config, environment, {
    mode: 'demo',
    inspect: async (database) => {
      found = await findForeignData(database)
      if (really === undefined) assertNothingForeign(found)
    },
  })
  await markDemo(hub.store.database, found)
  return hub
}

/**
 * Opens the hub once the present data is loaded. The history is loaded while the hub serves
 * requests.
 * @returns `end`, which resolves when loading has ended
 */
async function open(hub: Hub, demo: Demo | undefined, print: (text: string) => void) {
  if ((await demo?.loadPresent()) === 'stopped') return { end: undefined }
  await hub.listen()
  print(welcome(hub.publicUrl))
  return { end: demo === undefined ? undefined : goOn(demo, print) }
}

async function goOn(demo: Demo, print: (text: string) => void): Promise<void> {
  try {
    if ((await demo.loadHistory()) === 'stopped') {
      print('The history is not complete yet. The next start loads it.')
      return
    }
    print('The history of 30 days is complete. New values arrive every minute.')
    demo.live()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    print(`The history is not complete: ${reason}. The next start loads it.`)
  }
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of at least 1.')
}

function welcome(url: string): string {
  return `
The hub is ready on ${url}

  Explorer      ${url}/
  Content       ${url}/v1/Accommodation?pagesize=3
  Time series   ${url}/v2/flat,node/ParkingStation/*/latest?limit=5
  Traffic feed  ${url}/traffic/datex/2/
  Documentation ${url}/docs

Get a token for pushes (the secret of each demo client is its name):
  echo demo-provider | ./bin/hub token demo-provider --secret-file -

Press Ctrl-C to stop. README.md describes the first hour with the hub.
`
}
