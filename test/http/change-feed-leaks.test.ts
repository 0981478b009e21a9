import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import type { Transaction } from '../../src/storage/index.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import {
  createNaming,
  observers,
  openWorld,
  prepareWorld,
  removeRecord,
  removeSeries,
  stationType,
  trafficOrigin,
  writeIncident,
  writeMany,
  writeRecord,
  writeStation,
  writeValue,
} from '../fixtures/leak-world.ts'
import type { Observed, Shown, World } from '../fixtures/leak-world.ts'

/**
 * Number of runs of 25 steps, their maximum total duration in seconds, and the number of requests
 * in a step that reads: `TEST_LEAK_RUNS=100000 TEST_LEAK_SECONDS=600 TEST_LEAK_PROBES=40` tests for
 * ten minutes. A single run must end within one minute, after which event streams are closed.
 */
const runs = Number(process.env['TEST_LEAK_RUNS'] ?? 12)
const seconds = Number(process.env['TEST_LEAK_SECONDS'] ?? 60)
const probes = Number(process.env['TEST_LEAK_PROBES'] ?? 1)

const who = fc.nat(2)
const bit = fc.boolean()

/** Changes that none of the observed readers can see. */
const hidden = fc.oneof(
  fc.record({ kind: fc.constant('record' as const), who }),
  fc.record({ kind: fc.constant('record gone' as const), who }),
  fc.record({ kind: fc.constant('flash' as const), who }),
  fc.record({ kind: fc.constant('closed record' as const), who }),
  fc.record({ kind: fc.constant('value' as const), who: fc.nat(1), isOther: bit }),
  fc.record({ kind: fc.constant('series gone' as const), who: fc.nat(1) }),
  fc.record({ kind: fc.constant('station' as const), who }),
  fc.record({ kind: fc.constant('incident' as const), who }),
  fc.record({ kind: fc.constant('many' as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant('nothing' as const), count: fc.integer({ min: 1, max: 30 }) }),
)
type Hidden = typeof hidden extends fc.Arbitrary<infer Value> ? Value : never

const shown: fc.Arbitrary<Shown> = fc.constantFrom('open', 'partner', 'secret')
const visible = fc.oneof(
  fc.record({ kind: fc.constant('record' as const), who, shown, active: bit }),
  fc.record({ kind: fc.constant('record gone' as const), who }),
  fc.record({ kind: fc.constant('value' as const), who: fc.nat(1), isOther: bit }),
  fc.record({ kind: fc.constant('station' as const), who: fc.nat(1), closed: bit }),
  fc.record({ kind: fc.constant('incident' as const), who, closed: bit }),
  fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 20 }) }),
)
const reading = fc.record({
  kind: fc.constant('read' as const),
  reader: fc.nat(),
  how: fc.constantFrom('on', 'on', 'on', 'again', 'start', 'now', 'head', 'list'),
  which: fc.nat(),
})
const step = fc.record({
  before: fc.array(hidden, { maxLength: 2 }),
  what: fc.oneof(visible, reading, reading),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Visible = Exclude<Step['what'], { kind: 'read' }>

const feeds = [
  ['Event', ''],
  ['Event', '&fields=Id&rawfilter=eq(Active,true)'],
  [`stations.${stationType}`, ''],
  [`latest.${stationType}`, ''],
  [`latest.${stationType}`, '&where=mvalue.gt.50&select=scode,mvalue'],
  [`traffic.${trafficOrigin}`, ''],
] as const
const datasets = [
  'Event',
  `stations/${stationType}`,
  `timeseries/${stationType}`,
  `traffic/${trafficOrigin}`,
]

/** A reader without special rights in one of the worlds. */
type Reader = {
  readonly headers: Record<string, string>
  readonly feed: string
  readonly parameters: string
  readonly offsets: string[]
}

/** One run in one world, with everything that reads from it, in reading order. */
type Run = {
  readonly world: World
  readonly readers: readonly Reader[]
  readonly naming: ReturnType<typeof createNaming>
  readonly streams: readonly Stream[]
}

describeOnEngines('Hidden changes', (engine) => {
  let worlds: readonly [World, World]
  let callers: readonly Record<string, string>[] = []
  let time = Math.floor(Date.now() / 86_400_000) * 86_400_000
  let run = 0
  const count = { answers: 0, parts: 0 }

  beforeAll(async () => {
    callers = await observers()
    worlds = [await openWorld(engine), await openWorld(engine)]
    await both((world) => world.at(time))
    await both(prepareWorld)
  })
  afterAll(async () => {
    await both(({ followed }) => followed.close())
  })

  const both = async <Result>(work: (world: World) => Promise<Result>) =>
    [await work(worlds[0]), await work(worlds[1])] as const

  async function beginRun(world: World): Promise<Run> {
    const readers = callers.flatMap((headers) =>
      feeds.map(([feed, parameters]): Reader => ({ headers, feed, parameters, offsets: [] })),
    )
    const followed = readers.filter(
      ({ feed, parameters }) => parameters === '' && feed !== datasets[1],
    )
    const streams = await Promise.all(followed.map((reader) => openStream(world, reader)))
    return { world, readers, streams, naming: createNaming() }
  }

  async function take([plain, noisy]: readonly [Run, Run], { before, what }: Step): Promise<void> {
    for (const one of before) {
      await noisy.world.at((time += 7))
      await noisy.world.write((...transaction) => hide(noisy.world, transaction, one))
      noisy.world.followed.hub.tick(100)
    }
    time += 1000
    await both((world) => world.at(time))
    if (what.kind === 'read') {
      for (let probe = 0; probe < probes; probe++) {
        const { reader, which } = what
        const one = { ...what, reader: reader + probe, which: which + 7 * probe }
        await compare(plain, noisy, (of) => readOne(of, one))
      }
    } else if (what.kind === 'days') {
      time += what.days * 86_400_000
      await both(async (world) => {
        await world.at(time)
        await world.prune(time)
      })
    } else {
      await both((world) => world.write((...transaction) => show(world, transaction, what)))
      await compare(plain, noisy, readStreams)
    }
  }

  async function compare(
    plain: Run,
    noisy: Run,
    observe: (of: Run) => Promise<readonly Observed[]>,
  ): Promise<void> {
    const [expected, found] = [await observe(plain), await observe(noisy)]
    expect(found).toEqual(expected)
    count.answers += expected.length
    for (const one of expected) count.parts += Object.keys(one).length
  }

  // Ids are reused, so that feeds stay short however many runs there are.
  const idOf = (kind: string, place: number) => `${kind}${String(run % 20)}.${String(place)}`

  async function show(
    world: World,
    transaction: [Transaction, Date],
    what: Visible,
  ): Promise<unknown> {
    const code = 'who' in what ? `open${String(what.who)}` : ''
    switch (what.kind) {
      case 'record': {
        const { shown, active } = what
        return writeRecord(world, transaction, {
          id: idOf('R', what.who),
          shown,
          active,
          text: String(time),
        })
      }
      case 'record gone':
        return removeRecord(world, transaction, idOf('R', what.who))
      case 'value':
        return writeValue(transaction, [code, what.isOther ? 'full' : 'free', time % 100])
      case 'station':
        return writeStation(transaction, { code, closed: what.closed })
      case 'incident':
        return writeIncident(transaction, {
          series: idOf('I', what.who),
          uuid: idOf('u', time),
          closed: what.closed,
        })
      case 'days':
        return undefined
    }
  }

  async function hide(
    world: World,
    transaction: [Transaction, Date],
    what: Hidden,
  ): Promise<unknown> {
    const [tx] = transaction
    const id = idOf('H', 'who' in what ? what.who : 0)
    switch (what.kind) {
      case 'record':
        return writeRecord(world, transaction, { id, shown: 'secret', text: String(time) })
      case 'record gone':
        return removeRecord(world, transaction, id)
      case 'flash':
        await writeRecord(world, transaction, { id: `${id}F`, shown: 'open' })
        return removeRecord(world, transaction, `${id}F`)
      case 'closed record':
        return tx.execute(sql`
          update content.event set data = data || jsonb_build_object('Shortname', ${`changed ${String(time)}`}::text)
          where id = ${idOf('R', what.who)} and closed and source = 'secret'`)
      case 'value':
        return writeValue(transaction, [
          `secret${String(what.who)}`,
          what.isOther ? 'full' : 'free',
          time % 100,
        ])
      case 'series gone':
        return removeSeries(transaction, `secret${String(what.who)}`)
      case 'station':
        return writeStation(transaction, { code: `away${String(what.who)}`, available: false })
      case 'incident':
        return writeIncident(transaction, { series: id, uuid: idOf('s', time), closed: true })
      case 'many':
        return writeMany(transaction, datasets[what.which] ?? '')
      case 'nothing':
        return undefined
    }
  }

  const reader = ({ readers }: Run, place: number) => {
    const one = readers[place % readers.length]
    if (one === undefined) throw new Error('no readers')
    return one
  }

  async function readOne(
    one: Run,
    { reader: place, how, which }: Extract<Step['what'], { kind: 'read' }>,
  ): Promise<readonly Observed[]> {
    const by = reader(one, place)
    const url = `/changes/${by.feed}?offset=`
    const ask = async (offset: string, method: 'GET' | 'HEAD' = 'GET') => {
      const request = { method, url: `${url}${offset}${by.parameters}`, headers: by.headers }
      const answer = await one.world.followed.hub.ask(request)
      const next = answer.headers['stream-next-offset']
      if (typeof next === 'string') by.offsets.push(next)
      return answer
    }
    if (how === 'list') {
      const answer = await one.world.followed.hub.ask({ url: '/changes', headers: by.headers })
      return [one.naming.answer(answer)]
    }
    if (how === 'head') return [one.naming.answer(await ask('now', 'HEAD'))]
    if (how === 'now') return [one.naming.answer(await ask('now'))]
    const earlier = by.offsets[which % Math.max(1, by.offsets.length)]
    const last = by.offsets.at(-1)
    const seen: Observed[] = []
    let offset = (how === 'start' ? undefined : how === 'again' ? earlier : last) ?? '-1'
    for (let pages = 0; pages < 20; pages++) {
      const answer = await ask(offset)
      seen.push(one.naming.answer(answer))
      const isLast = answer.headers['stream-up-to-date'] === 'true' || answer.statusCode !== 200
      if (isLast && answer.statusCode !== 200) by.offsets.length = 0
      if (isLast) break
      offset = String(answer.headers['stream-next-offset'])
    }
    return seen
  }

  it(
    'change nothing that a caller without rights can observe',
    { timeout: 3_600_000 },
    async () => {
      const end = performance.now() + seconds * 1000
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 25, maxLength: 25 }),
        async (steps) => {
          run += 1
          const both = [await beginRun(worlds[0]), await beginRun(worlds[1])] as const
          try {
            for (const one of steps) await take(both, one)
          } finally {
            for (const { streams } of both) for (const stream of streams) await stream.close()
          }
        },
      )
      const left = Math.max(1, end - performance.now())
      await fc.assert(property, {
        numRuns: runs,
        plugins: [fc.interruptAfterTimeLimit(left)],
        endOnFailure: true,
      })
      console.log(
        `${String(count.answers)} answers and events compared, in ${String(count.parts)} parts`,
      )
    },
  )
})

type Stream = {
  readonly reader: Reader
  /**
   * Returns the events that have not been read yet. Waits for an event if a plain request shows
   * that one is due.
   */
  readonly take: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

async function openStream({ followed: { hub } }: World, reader: Reader): Promise<Stream> {
  const { feed, headers } = reader
  const url = `/changes/${feed}?offset=now&live=sse`
  const answer = await hub.app.inject({ url, headers, payloadAsStream: true })
  const body = answer.stream()
  let text = ''
  let taken = 0
  let isOver = false
  let noted = 0
  let offset = ''
  body.on('data', (part: Buffer) => {
    text += part.toString()
  })
  const events = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((event) => !event.startsWith(':'))
  const ids = () => [...text.matchAll(/^id: (.*)$/gm)]
  const note = () => {
    noted = ids().length
    offset = ids().at(-1)?.[1] ?? offset
  }
  await expect.poll(() => ids().length, { interval: 1 }).toBeGreaterThan(0)
  note()
  return {
    reader,
    take: async () => {
      if (isOver) return []
      const read = () => hub.ask({ url: `/changes/${feed}?offset=${offset}`, headers })
      // A response in progress may be shared and have started before the write, so request twice.
      await read()
      const page = await read()
      // The offset is too old for a plain request, which therefore cannot show what is due.
      isOver = page.statusCode !== 200
      const isDue = !isOver && page.body !== '[]'
      hub.tick(100)
      const arrived = () => ids().length
      if (isDue) await expect.poll(arrived, { interval: 1 }).toBeGreaterThan(noted)
      note()
      if (isOver) return []
      const all = events()
      const fresh = all.slice(taken)
      taken = all.length
      return fresh
    },
    close: async () => {
      // Ends like a real connection. Destroying only the body would leave the reader's slot
      // occupied.
      answer.raw.res.destroy()
      await pause(0)
    },
  }
}

async function readStreams({ streams, naming }: Run): Promise<readonly Observed[]> {
  const events: Observed[] = []
  for (const stream of streams) {
    for (const event of await stream.take()) events.push(naming.event(event))
  }
  return events
}
