import type { Every } from '../access/index.ts'
import { joinRunning } from '../async/index.ts'
import type { Problem } from '../observe/index.ts'
import type { Log } from '../storage/index.ts'
import type { ExportMaker, Outcome } from './make-exports.ts'

type Deps = {
  readonly maker: () => Promise<ExportMaker>
  /** Milliseconds at which an export is made anew. */
  readonly age: number
  readonly every: Every
  readonly log: Log
}

/** How often exports are checked, in milliseconds: a hub that has just started does other things first. */
const interval = 600_000

/** Keeps exports current as long as the hub runs. */
export function keepExports(deps: Deps): {
  readonly problems: () => readonly Problem[]
  /** Resolves when nothing is written any more. */
  readonly stop: () => Promise<void>
} {
  const closing = new AbortController()
  let failed: readonly string[] = []
  let running = Promise.resolve()
  const make = joinRunning(async () => {
    failed = await makeDue(deps, closing.signal, failed)
  })
  const end = deps.every(interval, () => {
    running = make()
  })
  return {
    problems: () =>
      failed.map((dataset) => ({
        component: 'exports',
        detail: `An export could not be made (${dataset}); it is tried again every 10 minutes.`,
      })),
    stop: async () => {
      end()
      closing.abort()
      await running
    },
  }
}

/** @returns the datasets whose exports could not be made */
async function makeDue(
  { maker, age, log }: Deps,
  signal: AbortSignal,
  before: readonly string[],
): Promise<readonly string[]> {
  const failed: string[] = []
  const report = (outcome: Outcome) => {
    if (outcome.kind === 'made') {
      const { dataset, count } = outcome.made
      log.info({ dataset, count }, 'An export was made.')
      return
    }
    const { dataset, error: err } = outcome
    failed.push(dataset)
    log.warn({ err, dataset }, 'An export could not be made; it is tried again.')
  }
  try {
    const make = await maker()
    return (await make({ age, signal, report })) === 'done' ? failed : before
  } catch (err) {
    if (signal.aborted) return before
    log.warn({ err }, 'Exports could not be made; they are tried again.')
    return ['all']
  }
}
