import { setTimeout as pause } from 'node:timers/promises'
import type { World } from './open-soak.ts'

type Fault = {
  readonly what: string
  readonly begin: (world: World) => Promise<void>
  readonly end: (world: World) => Promise<void>
}

/** A fault that occurred and has ended. */
export type PastFault = {
  readonly what: string
  /** Seconds from the end of the fault until both hubs responded successfully. */
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
      // Without space for its log, a PostgreSQL server exits; a supervisor would start it again.
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
/** Maximum recovery time in seconds. A hub that takes longer counts as not recovered. */
export const maxWait = 60

/** Triggers one fault after the other. Halfway between two faults, revokes the current token. */
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

/** @returns false if it is time to stop */
async function wait(seconds: number, stop: AbortSignal): Promise<boolean> {
  await pause(seconds * 1000, undefined, { signal: stop }).catch(() => undefined)
  return !stop.aborted
}

async function untilBothAnswer({ steady, changing }: World): Promise<number> {
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  for (const { url } of [steady, changing]) {
    while (!(await answers(`${url}/v1/Accommodation/H1`)) && since() < maxWait) await pause(50)
  }
  return since()
}

/** Reports whether a hub responds successfully to a URL that needs the database. */
export async function answers(url: string): Promise<boolean> {
  const { ok } = await fetch(url).catch(() => ({ ok: false }))
  return ok
}
