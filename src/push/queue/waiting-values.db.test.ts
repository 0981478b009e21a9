import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { storeMessage } from '../accept/store-message.ts'
import { Backlog } from '../backlog.ts'
import {
  dataTypesKind,
  deletionKind,
  measurementsKind,
  stationsKind,
} from '../canonical/timeseries.ts'
import { canonicalPipeline } from '../canonical/pipeline.ts'
import { replayMessages } from '../messages.ts'
import { endingOf } from '../pipeline.ts'
import { loadReceipt } from '../routes.ts'
import { storeStream } from '../streams.ts'
import { tryOut } from '../try-out.ts'
import { claimFresh, claimRetry } from './claim-messages.ts'
import { processMessages } from './process-messages.ts'
import type { Settled } from './process-messages.ts'

const start = Date.parse('2026-11-20T12:00:00Z')
const stream = 'acme/values'
const share = { takesLarge: true }
const kinds = [dataTypesKind, stationsKind, measurementsKind, deletionKind]
const pipelines = [canonicalPipeline(kinds)]

const station = (code: string) => ({ kind: 'stations', stationType: 'P', items: [{ code }] })
const value = (code: string) => ({
  ...{ kind: 'measurements', stationType: 'P', period: 60 },
  items: [[code, 'free', '2026-11-20T10:00:00Z', 1]],
})

describeWithDatabase('Values of unknown stations', (database) => {
  let time = start
  const now = () => new Date(time)

  const send = async (...objects: readonly object[]) => {
    const id = randomUUID()
    const body = Buffer.from(objects.map((one) => JSON.stringify(one)).join('\n'))
    const as = { sender: 's', mayBackdate: true, contentType: undefined, headers: {} }
    const message = { id, stream, received: now(), ...as, packed: undefined, body, sha256: body }
    await storeMessage(database(), message)
    return id
  }

  const work = async () => {
    const deps = { database: database(), pipelines, now, patience: 900_000 }
    const settled: Settled[] = []
    const retry = await claimRetry(database(), now(), share)
    const claims = [
      ...(retry === undefined ? [] : [retry]),
      ...(await claimFresh(database(), now(), share)),
    ]
    for await (const one of processMessages(deps, claims)) settled.push(one)
    return settled.map(({ id, state }) => [id, state])
  }

  const receiptOf = (id: string) => loadReceipt(database(), stream, id)

  beforeEach(async () => {
    time += 86_400_000
    await database().execute(sql`truncate message, push_key`)
    await send({ kind: 'dataTypes', items: [{ name: 'free' }] }, station('known'))
    await work()
  })

  it('wait while other values are stored, and are stored once their station exists', async () => {
    const id = await send(value('known'), value('new'))
    expect(await work()).toEqual([[id, 'waiting']])
    expect(await receiptOf(id)).toMatchObject({
      ...{ state: 'accepted', stored: 1, finished: null },
      reason: expect.stringMatching(/^waits until .*stations or data types/),
      rejected: [{ pointer: '/items/0/0', reason: expect.stringContaining('type: new') }],
    })
    const backlog = new Backlog({
      database: database(),
      now,
      limit: 9,
      freeBytes: undefined,
      reserve: 0,
    })
    await backlog.measure()
    expect(backlog.streams).toMatchObject([{ waiting: 1, oldest: null }])
    time += 4000
    expect(await work()).toEqual([])
    await send(station('new'))
    await work()
    time += 2000
    expect(await work()).toEqual([[id, 'visible']])
    expect(await receiptOf(id)).toMatchObject({ stored: 2, rejected: [] })
  })

  it('are rejected once the waiting time ends, after increasingly rare retries', async () => {
    const id = await send(value('never'))
    const states: unknown[] = []
    for (let second = 0; second <= 1400; second++) {
      states.push(...(await work()).map(([, state]) => state))
      time += 1000
    }
    expect(states.at(-1)).toBe('rejected')
    expect(states.length).toBeGreaterThan(8)
    expect(states.length).toBeLessThan(20)
    expect(await receiptOf(id)).toMatchObject({ state: 'rejected', reason: null })
  })

  it('are reported as waiting by a trial, unless their stream is ordered', async () => {
    const trial = { stream, received: now(), sender: 's', mayBackdate: true, contentType: null }
    const body = Buffer.from(JSON.stringify(value('tried')))
    const deps = { database: database(), pipelines, now, patience: 900_000 }
    const stateOf = async (elsewhere = {}) =>
      endingOf(await tryOut(deps, { ...trial, body, ...elsewhere }))
    const reason = expect.stringMatching(/^waits until /)
    expect(await stateOf()).toEqual({ state: 'accepted', reason })
    expect(await stateOf({ received: new Date(time - 900_000) })).toMatchObject({
      state: 'rejected',
    })
    await database().transaction((tx) =>
      storeStream(tx, { stream: 'acme/order', isOrdered: true, keepDays: null, mediaTypes: null }),
    )
    expect(await stateOf({ stream: 'acme/order' })).toMatchObject({ state: 'rejected' })
  })

  it('wait like stations whose parent is not known yet', async () => {
    const child = { code: 'child', parent: { type: 'P', code: 'parent' } }
    const id = await send({ ...station('child'), items: [child] })
    expect(await work()).toEqual([[id, 'waiting']])
    expect(await receiptOf(id)).toMatchObject({ rejected: [{ pointer: '/items/0/parent' }] })
    await send(station('parent'))
    await work()
    time += 6000
    expect(await work()).toEqual([[id, 'visible']])
    expect(await receiptOf(id)).toMatchObject({ stored: 1, rejected: [] })
  })

  it('stay deleted together with their station, with warnings, if a replay contains them', async () => {
    const id = await send(station('gone'), value('gone'))
    time += 1000
    const deletion = { kind: 'delete', stationType: 'P', what: 'stations' }
    await send({ ...deletion, items: [{ code: 'gone' }] })
    await work()
    await replayMessages(database(), { ids: [id] })
    await work()
    const reason = expect.stringContaining('is older than its deletion')
    expect(await receiptOf(id)).toMatchObject({
      state: 'visible',
      warnings: [
        { line: 1, pointer: '/items/0', reason },
        { line: 2, pointer: '/items/0', reason },
      ],
    })
  })

  it('do not wait on an ordered stream', async () => {
    await database().transaction((tx) =>
      storeStream(tx, { stream, isOrdered: true, keepDays: null, mediaTypes: null }),
    )
    const id = await send(value('ordered'))
    expect(await work()).toEqual([[id, 'rejected']])
  })
})
