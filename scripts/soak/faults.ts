import { setTimeout as pause } from 'node:timers/promises'
import type { World } from './open-soak.ts'

type Fault = {
  readonly what: string
  readonly begin: (world: World) => Promise<void>
  readonly end: (world: World) => Promise<void>
}

/** A fault that was there, and ended. */
export type PastFault = {
  readonly what: string
  /** Seconds from its end to the first whole answer of both hubs. */
  readonly recovered: number
}

const minute = 60_000

const faults: readonly Fault[] = [
  ...(['primary', 'replica'] as const).flatMap((server) =>
    (['in order', 'at once'] as const).map((how) => ({
      what: `the ${server} stopped ${how}`,
      begin: (world: World) => world[server].halt(how),
      end: (world: World) => world[server].resume(),
    })),
  ),
  ...(['in order', 'at once'] as const).map((how) => ({
    what: `a hub stopped ${how}`,
    begin: ({ changing }: World) => changing.end(how),
    end: ({ changing }: World) => changing.resume(),
  })),
  {
    what: 'the disk of the primary was full',
    begin: async ({ disk }) => disk?.fill(),
    end: async ({ disk, primary }) => {
      disk?.empty()
      // Without room for its log a server ends; whoever keeps it running starts it again.
      await primary.resume()
    },
  },
  ...[10, -10].map((minutes) => ({
    what: `the clock of a hub went ${String(minutes)} minutes wrong`,
    begin: async ({ changing }: World) => {
      changing.setClock(minutes * minute)
    },
    end: async ({ changing }: World) => {
      changing.setClock(0)
    },
  })),
]

type Course = {
  readonly world: World
  /** Seconds from one fault to the next. */
  readonly every: number
  readonly log: (text: string) => void
}

const away = 5000
/** Seconds; whoever does not answer by then has not recovered. */
export const mostWait = 60

/** Lets one fault after the other happen; halfway between two, the token in use becomes worthless. */
export async function makeFaults(
  { world, every, log }: Course,
  stop: AbortSignal,
): Promise<readonly PastFault[]> {
  const past: PastFault[] = []
  const possible = faults.filter(({ what }) => world.disk !== undefined || !what.includes('disk'))
  for (let turn = 0; ; turn++) {
    const fault = possible[turn % possible.length]
    if (fault === undefined || !(await wait(every / 2, stop))) return past
    await world.revoke()
    if (!(await wait(every / 2, stop))) return past
    await fault.begin(world)
    await pause(away)
    await fault.end(world)
    const recovered = await untilBothAnswer(world)
    past.push({ what: fault.what, recovered })
    log(`${fault.what}; the hubs answered ${recovered.toFixed(1)} s after its end.`)
  }
}

/** @returns false when it is time to stop */
async function wait(seconds: number, stop: AbortSignal): Promise<boolean> {
  await pause(seconds * 1000, undefined, { signal: stop }).catch(() => undefined)
  return !stop.aborted
}

async function untilBothAnswer({ steady, changing }: World): Promise<number> {
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  for (const { url } of [steady, changing]) {
    while (!(await answers(`${url}/v1/Accommodation/H1`)) && since() < mostWait) await pause(50)
  }
  return since()
}

/** Whether a hub answers this from the database. */
export async function answers(url: string): Promise<boolean> {
  const { ok } = await fetch(url).catch(() => ({ ok: false }))
  return ok
}
