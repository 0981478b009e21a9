import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../../test/fixtures/postgresql-cluster.ts'

export type Fault = {
  readonly what: string
  /** Seconds from the return of the database to the first whole answer. */
  readonly recovered: number
}

type Deps = {
  readonly cluster: Cluster
  /** Whether the hub answers from the database. */
  readonly answers: () => Promise<boolean>
  /** Makes the token in use worthless. */
  readonly revoke: () => Promise<void>
  readonly log: (text: string) => void
}

const ways = ['in order', 'at once'] as const
const away = 2000
const mostWait = 60

/** Every so many seconds makes the token worthless, and then takes the database away for a moment. */
export async function makeFaults(
  deps: Deps,
  seconds: number,
  stop: AbortSignal,
): Promise<readonly Fault[]> {
  const { cluster, revoke, log } = deps
  const faults: Fault[] = []
  for (let turn = 0; ; turn++) {
    if (!(await wait(seconds / 2, stop))) return faults
    await revoke()
    if (!(await wait(seconds / 2, stop))) return faults
    const how = ways[turn % ways.length] ?? 'in order'
    await cluster.halt(how)
    await pause(away)
    await cluster.resume()
    const recovered = await untilItAnswers(deps)
    faults.push({ what: `the database stopped ${how}`, recovered })
    log(
      `The database stopped ${how} and was back; the hub answered after ${recovered.toFixed(1)} s.`,
    )
  }
}

/** @returns false when it is time to stop */
async function wait(seconds: number, stop: AbortSignal): Promise<boolean> {
  await pause(seconds * 1000, undefined, { signal: stop }).catch(() => undefined)
  return !stop.aborted
}

async function untilItAnswers({ answers }: Deps): Promise<number> {
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  while (!(await answers()) && since() < mostWait) await pause(50)
  return since()
}
