import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anEvent } from '../../test/contract/datex/an-event.ts'
import { assertValidDatex, hasDatexSchema } from '../../test/fixtures/datex-schema.ts'
import type { MobilityEvent } from '../timeseries/index.ts'
import type { FeedDocument } from './feed-document.ts'
import { TrafficFeed } from './feed.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** An event as it is stored. Closed events are not in the feed. */
type Stored = { readonly event: MobilityEvent; readonly closed: boolean }

/**
 * Creates the events of one provider, written in transactions that commit in any order, and a
 * clock.
 */
function aStore() {
  const rows: Stored[] = []
  const log: { readonly time: number; readonly recorded: number | undefined }[] = []
  let [now, version, ticks] = [Date.parse('2026-06-01T12:00:00.000Z'), 0, 0]
  const commit = (stored: Stored) => {
    rows.push(stored)
    // A message may wait for long, but its transaction is short.
    log.push({ time: now - minute, recorded: stored.event.recorded.getTime() })
    version += 1
  }
  const statesOf = (series: string) =>
    rows
      .filter(({ event }) => event.series === series)
      .sort((left, right) => left.event.recorded.getTime() - right.event.recorded.getTime())
  const newest = () =>
    [...new Set(rows.map(({ event }) => event.series))].flatMap((series) => {
      const states = statesOf(series)
      const [first, last] = [states[0], states.at(-1)]
      if (first === undefined || last === undefined || last.closed) return []
      const firstRecorded = first.event.recorded
      return [{ ...last.event, firstRecorded, version: states.length }]
    })
  return {
    now: () => new Date(now),
    wait: (milliseconds: number) => (now += milliseconds),
    /** Starts to write a state. The returned function commits it. */
    write: (differences: Partial<MobilityEvent>, closed = false) => {
      now += 1
      const recorded = new Date(now)
      const stored = {
        event: anEvent({ start: null, ...differences, uuid: String(now), recorded }),
        closed,
      }
      return () => {
        commit(stored)
      }
    },
    remove: (series: string) => {
      rows.splice(0, rows.length, ...rows.filter(({ event }) => event.series !== series))
      log.push({ time: now, recorded: undefined })
      version += 1
    },
    /** Creates a node that has just started. */
    aNode: () =>
      new TrafficFeed({
        ...{ country: 'it', language: 'it', titleEnd: '. ' },
        ticks: () => (ticks += second),
        source: {
          version: () => Promise.resolve(String(version)),
          loadOrigins: () => Promise.resolve(['PROVINCE_BZ']),
          loadEvents: () => Promise.resolve(newest()),
          isSettled: (_origin, time) =>
            Promise.resolve(
              log.every(
                (row) => row.time < time.getTime() - 10 * minute || row.recorded === time.getTime(),
              ),
            ),
        },
      }),
  }
}

const situations = (xml: string) =>
  [...xml.matchAll(/<situation id="([^"]*)".*?<\/situation>/gs)].map(
    ([whole, id = '']) => [id, whole] as const,
  )

const isOver = (situation: string) => /<(end|cancel)>true/.test(situation)

/**
 * Creates a consumer, which holds what has not ended and requests the changes since its last
 * response.
 */
function aConsumer() {
  const held = new Map<string, string>()
  let since: Date | undefined
  return {
    held,
    take: async (document: FeedDocument) => {
      const changes = since && document.changesSince(since)
      if (changes === undefined) held.clear()
      const bytes = await (changes ?? document).bytes('identity')
      for (const [id, situation] of situations(bytes.toString()))
        if (isOver(situation)) held.delete(id)
        else held.set(id, situation)
      since = document.publicationTime
      return changes === undefined ? 'whole' : 'changes'
    },
  }
}

const documentOf = async (node: TrafficFeed, now: Date): Promise<FeedDocument> => {
  const document = await node.document('province-bz', now)
  if (document === undefined) throw new Error('There is no document.')
  return document
}

/** Creates a provider with a consumer that has its first document. */
async function following() {
  const store = aStore()
  store.write({ series: 'a' })()
  store.wait(hour)
  const node = store.aNode()
  const consumer = aConsumer()
  const read = async () => await documentOf(node, store.now())
  const first = await read()
  await consumer.take(first)
  const changes = async () => {
    const bytes = await (await read()).changesSince(first.publicationTime)?.bytes('identity')
    if (hasDatexSchema && bytes !== undefined) assertValidDatex(bytes.toString())
    return bytes && situations(bytes.toString())
  }
  return { store, node, consumer, read, first, changes }
}

describe('changes since a document', () => {
  it('are none, at the same time, while nothing changes', async () => {
    const { first, changes } = await following()
    expect(await changes()).toEqual([])
    const xml = await first.changesSince(first.publicationTime)?.bytes('identity')
    expect(xml?.toString()).toContain(first.publicationTime.toISOString())
  })

  it('are the situations that are new or have another state', async () => {
    const { store, changes } = await following()
    store.write({ series: 'b' })()
    expect((await changes())?.map(([id]) => id)).toEqual(['b'])
    store.write({ series: 'a', title: { it: 'Altro' } })()
    expect((await changes())?.map(([id]) => id)).toEqual(['a', 'b'])
  })

  it('report an end for longer than the document does', async () => {
    const { store, read, changes } = await following()
    store.write({ series: 'a', end: new Date(store.now().getTime() + hour) })()
    await read()
    store.wait(1.5 * hour)
    await read()
    store.wait(2 * hour)
    expect((await read()).situations).toBe(0)
    const [left] = (await changes()) ?? []
    expect([left?.[0], isOver(left?.[1] ?? '')]).toEqual(['a', true])
  })

  it('report a situation that expired without an end as ended', async () => {
    const { store, node, read } = await following()
    store.write({ series: 'accident', tags: ['accident'] })()
    store.wait(12 * hour)
    store.write({ series: 'b' })()
    const { publicationTime } = await read()
    store.wait(13 * hour)
    const document = await documentOf(node, store.now())
    expect(document.xml).not.toContain('accident')
    const bytes = await document.changesSince(publicationTime)?.bytes('identity')
    const [[id, left] = ['', '']] = situations(bytes?.toString() ?? '')
    expect([id, isOver(left)]).toEqual(['accident', true])
    expect(left).toMatch(/<overallEndTime>2026-06-02T13:00/)
  })

  it.each(['closed', 'removed', 'moved to nowhere', 'closed after its end'])(
    'are not available after a situation is %s: the whole document is sent',
    async (how) => {
      const { store, read, changes, first } = await following()
      store.write({ series: 'b' })()
      await read()
      if (how === 'closed after its end') {
        store.write({ series: 'a', cancelled: true })()
        await read()
        store.wait(2 * hour)
        await read()
        expect((await changes())?.map(([id]) => id)).toEqual(['a', 'b'])
      }
      if (how === 'removed') store.remove('a')
      else store.write({ series: 'a', geometry: null }, how.startsWith('closed'))()
      if (how === 'moved to nowhere') expect((await read()).situations).toBe(1)
      expect(await changes()).toBeUndefined()
      const document = await read()
      expect(document.xml).not.toContain('id="a"')
      store.write({ series: 'c' })()
      expect((await read()).changesSince(first.publicationTime)).toBeUndefined()
    },
  )

  it('are not available since a time without a document, or for more than a day', async () => {
    const { store, first, read, changes } = await following()
    store.write({ series: 'b' })()
    const other = new Date(first.publicationTime.getTime() + 1)
    expect((await read()).changesSince(other)).toBeUndefined()
    expect(await changes()).toBeDefined()
    store.wait(25 * hour)
    store.write({ series: 'b' })()
    expect(await changes()).toBeUndefined()
  })

  it('include a situation stored late, as another node may have published without it', async () => {
    const { store, consumer, read } = await following()
    const late = store.write({ series: 'late' })
    store.write({ series: 'b' })()
    const other = await documentOf(store.aNode(), store.now())
    late()
    const document = await read()
    expect(document.publicationTime).toEqual(other.publicationTime)
    await consumer.take(other)
    expect(await consumer.take(document)).toBe('changes')
    expect([...consumer.held.keys()].sort()).toEqual(['a', 'b', 'late'])
  })

  it('are not available from a node that started after a situation was stored late', async () => {
    const { store, read, consumer } = await following()
    const late = store.write({ series: 'late' })
    store.write({ series: 'b' })()
    await consumer.take(await read())
    late()
    expect(await consumer.take(await documentOf(store.aNode(), store.now()))).toBe('whole')
    expect([...consumer.held.keys()].sort()).toEqual(['a', 'b', 'late'])
  })

  it('leave a client with the situations of the document after any sequence of steps', async () => {
    const answers = { whole: 0, changes: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { minLength: 10, maxLength: 60 }), async (steps) => {
        const store = aStore()
        const nodes = [store.aNode(), store.aNode()]
        const consumers = [aConsumer(), aConsumer()]
        const open: (() => void)[] = []
        for (const step of steps) {
          if (step.kind === 'remove' || step.kind === 'commit' || hides(step)) {
            // Nodes check every two seconds. A published event is not hidden before all nodes have
            // seen it.
            store.wait(2 * second)
            for (const node of nodes) await documentOf(node, store.now())
          }
          if (step.kind === 'wait') store.wait(step.milliseconds)
          if (step.kind === 'write') {
            const commit = store.write(stateOf(step, store.now()), step.state === 'closed')
            if (step.isLate) open.push(commit)
            else commit()
          }
          if (step.kind === 'commit') open.shift()?.()
          if (step.kind === 'remove') store.remove(step.series)
          if (step.kind === 'restart') nodes[step.node] = store.aNode()
          const [node, consumer] = [nodes[step.node], consumers[step.consumer]]
          if (step.kind !== 'read' || node === undefined || consumer === undefined) continue
          store.wait(second)
          const document = await documentOf(node, store.now())
          answers[await consumer.take(document)] += 1
          const live = situations(document.xml).filter(([, situation]) => !isOver(situation))
          expect([...consumer.held].sort()).toEqual(live.sort())
        }
      }),
      { numRuns: 300 },
    )
    expect(answers.changes, 'answers with changes').toBeGreaterThan(answers.whole / 4)
  })
})

function anyStep() {
  return fc.record({
    kind: fc.constantFrom('write', 'write', 'read', 'read', 'read', 'wait', 'commit', 'remove', 'restart'), // oxfmt-ignore
    series: fc.constantFrom('a', 'b', 'c', 'd'),
    state: fc.constantFrom('plain', 'plain', 'ends', 'over', 'cancelled', 'short', 'nowhere', 'closed'), // oxfmt-ignore
    isLate: fc.boolean(),
    milliseconds: fc.constantFrom(1, second, 5 * minute, 40 * minute, 2 * hour, 25 * hour),
    node: fc.nat(1),
    consumer: fc.nat(1),
  })
}

type Step = ReturnType<typeof anyStep> extends fc.Arbitrary<infer Value> ? Value : never

const hides = ({ kind, state }: Step) =>
  kind === 'write' && (state === 'closed' || state === 'nowhere')

function stateOf({ series, state, milliseconds }: Step, now: Date): Partial<MobilityEvent> {
  const soon = new Date(now.getTime() + milliseconds)
  const states: Readonly<Record<string, Partial<MobilityEvent>>> = {
    ends: { end: soon },
    over: { end: new Date(now.getTime() - milliseconds) },
    cancelled: { cancelled: true },
    short: { tags: ['accident'] },
    nowhere: { geometry: null },
  }
  return { series, ...states[state] }
}
