import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { silentLog } from '../../../test/fixtures/silent-log.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { storeMessage } from '../accept/store-message.ts'
import { forgetOld, listMessages, replayMessages } from '../messages.ts'
import type { Pipeline } from '../pipeline.ts'
import { storeStream } from '../streams.ts'
import { maxAttempts } from './claim-messages.ts'
import type { Settled } from './process-messages.ts'
import { PushWorker } from './push-thread.ts'

const noon = Date.UTC(2026, 10, 20, 12)

/**
 * Stores the text of bodies in a table. `poison` makes the database fail, and `foreign` is not
 * readable.
 */
const noting: Pipeline = {
  id: 'noting',
  read: (body) => {
    const text = Buffer.from(body).toString()
    if (text === 'foreign') return { kind: 'foreign', fault: { index: null, reason: 'is foreign' } }
    const store: Extract<ReturnType<Pipeline['read']>, { kind: 'read' }> = {
      kind: 'read',
      parts: [
        {
          lines: [undefined],
          rejected: [],
          recorded: undefined,
          store: async (tx) => {
            await tx.execute(sql`insert into noted (body) values (${text})`)
            if (text === 'poison') await tx.execute(sql`select 1 / ${0}::integer`)
            return { stored: 1, rejected: [] }
          },
        },
      ],
    }
    return store
  },
}

describeWithDatabase('The push worker', (database, engine) => {
  let time = noon
  const now = () => new Date(time)
  let settled: Settled[] = []

  const workerOn = (queryable: Database, atOnce = 1) =>
    new PushWorker({
      database: queryable,
      pipelines: [noting],
      now,
      log: silentLog,
      atOnce,
      onSettled: (one) => settled.push(one),
    })

  const send = async (body: string, stream = 'a/b') => {
    const id = randomUUID()
    const as = {
      sender: 's',
      mayBackdate: false,
      contentType: undefined,
      headers: {},
      packed: undefined,
    }
    const bytes = Buffer.from(body)
    time += 1
    await storeMessage(database(), {
      id,
      stream,
      received: now(),
      ...as,
      body: bytes,
      sha256: bytes,
    })
    return id
  }

  const noted = async () => {
    const rows = await database().query<{ body: string }>(
      sql`select body from noted order by place`,
    )
    return rows.map(({ body }) => body)
  }

  const stateOf = async (id: string) => {
    const [row] = await database().query<{
      state: string
      attempts: number
      reason: string | null
    }>(sql`select state, attempts, reason from message where id = ${id}`)
    return row
  }

  const isWaiting = async () =>
    (await listMessages(database(), { state: 'accepted' }, 1)).length > 0

  /** Runs a worker until so many attempts have ended, and a little longer. */
  const work = async (expected: number, atOnce = 1) => {
    const worker = workerOn(database(), atOnce)
    const before = settled.length
    worker.start()
    await expect.poll(() => settled.length - before).toBeGreaterThanOrEqual(expected)
    await pause(300)
    await worker.stop()
    return settled.slice(before)
  }

  beforeEach(async () => {
    settled = []
    const tables = sql`
      create table if not exists noted (place integer generated always as identity, body text)`
    await database().execute(tables)
    await database().execute(sql`truncate noted, message, push_stream, push_key`)
  })

  it('stores the messages around one that fails, and retries that one later', async () => {
    const ids: string[] = []
    for (const body of ['1', 'poison', '2', '3']) ids.push(await send(body))
    await work(4)
    expect(await noted()).toEqual(['1', '2', '3'])
    expect(await Promise.all(ids.map(stateOf))).toMatchObject([
      { state: 'visible' },
      { state: 'accepted', attempts: 1, reason: expect.stringContaining('attempt 1 of') },
      { state: 'visible' },
      { state: 'visible' },
    ])
    time += 1500
    expect(await work(0)).toEqual([])
    time += 1000
    expect(await work(1)).toMatchObject([{ state: 'postponed' }])
  })

  it('gives up on a message after its last attempt, until it is replayed', async () => {
    const id = await send('poison')
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      await work(1)
      time += 301_000
    }
    expect(await stateOf(id)).toMatchObject({ state: 'dead', attempts: maxAttempts })
    expect(await work(0)).toEqual([])
    expect(await listMessages(database(), { state: 'dead', stream: 'a/*' }, 10)).toMatchObject([
      { id },
    ])
    expect(await replayMessages(database(), { ids: [id] })).toBe(1)
    expect(await work(1)).toMatchObject([{ id, state: 'postponed' }])
    expect(await stateOf(id)).toMatchObject({ state: 'accepted', attempts: 1 })
  })

  it('gives up on a message that ended its worker on every attempt', async () => {
    const id = await send('1')
    await database().execute(sql`
      update message set state = 'processing', attempts = ${maxAttempts}, not_before = ${now()}
      where id = ${id}`)
    expect(await work(1)).toMatchObject([{ id, state: 'dead' }])
    expect(await noted()).toEqual([])
  })

  it('retries a message after its pause if its worker has died', async () => {
    const id = await send('1')
    await database().execute(sql`
      update message set state = 'processing', attempts = 1,
        not_before = ${new Date(time + 2000)} where id = ${id}`)
    expect(await work(0)).toEqual([])
    time += 2001
    expect(await work(1)).toMatchObject([{ id, state: 'visible' }])
  })

  it('keeps the order of an ordered stream, even after a message that fails', async () => {
    const ordered = { stream: 'a/ordered', isOrdered: true, keepDays: null, mediaTypes: null }
    await database().transaction((tx) => storeStream(tx, ordered))
    const first = await send('poison', 'a/ordered')
    for (const body of ['1', '2', '3']) await send(body, 'a/ordered')
    await send('other')
    await work(2, 2)
    expect(await noted()).toEqual(['other'])
    await database().execute(sql`update message set attempts = ${maxAttempts} where id = ${first}`)
    time += 10_000
    await work(4, 2)
    expect(await noted()).toEqual(['other', '1', '2', '3'])
  })

  it('processes each message once, regardless of the number of workers', async () => {
    const bodies = Array.from({ length: 300 }, (_, index) => String(index))
    for (const body of bodies) await send(body)
    const workers = [workerOn(database(), 2), workerOn(database(), engine === 'embedded' ? 1 : 2)]
    for (const worker of workers) worker.start()
    await expect.poll(isWaiting).toBe(false)
    for (const worker of workers) await worker.stop()
    expect((await noted()).toSorted()).toEqual(bodies.toSorted())
    expect(settled.map(({ id }) => id)).toHaveLength(300)
  })

  it('parks a message that no pipeline reads, until it is replayed', async () => {
    const id = await send('foreign')
    expect(await work(1)).toMatchObject([{ state: 'parked' }])
    const unread = { state: 'accepted', reason: 'no pipeline' }
    expect(await stateOf(id)).toMatchObject(unread)
    expect(await work(0)).toEqual([])
    expect(await replayMessages(database(), { stream: 'a/b', from: new Date(noon) })).toBe(1)
    expect(await work(1)).toMatchObject([{ id, state: 'parked' }])
  })

  it('loads a large body in pieces', async () => {
    const body = 'abc'.repeat(2_000_000)
    await send(body)
    await work(1)
    expect((await noted())[0] === body).toBe(true)
  })

  it('deletes old messages by the retention of their stream, but never waiting ones', async () => {
    const keep = (stream: string, keepDays: number | null) => ({
      ...{ stream, isOrdered: false, mediaTypes: null },
      keepDays,
    })
    await database().transaction(async (tx) => {
      for (const one of [keep('a/short', 1), keep('a/ever', 0)]) await storeStream(tx, one)
    })
    for (const stream of ['a/short', 'a/ever', 'a/usual']) await send('1', stream)
    await send('foreign', 'a/short')
    await send('foreign', 'a/usual')
    await send('foreign', 'a/usual')
    await work(6)
    const waits = await send('1', 'a/short')
    const forget = (days: number, unreadBytes = 0) =>
      forgetOld(database(), {
        now: new Date(noon + days * 86_400_000),
        ...{ keepDays: 30, unreadDays: 60, unreadBytes },
      })
    expect(await forget(0.5)).toEqual({ done: 0, unread: 0 })
    expect(await forget(2)).toEqual({ done: 1, unread: 1 })
    expect(await forget(40)).toEqual({ done: 1, unread: 0 })
    expect(await forget(40, 'foreign'.length)).toEqual({ done: 0, unread: 1 })
    expect(await forget(70)).toEqual({ done: 0, unread: 1 })
    const left = await listMessages(database(), {}, 10)
    expect(left.map(({ stream }) => stream).toSorted()).toEqual(['a/ever', 'a/short'])
    expect(await stateOf(waits)).toMatchObject({ state: 'accepted' })
  })
})
