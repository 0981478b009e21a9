import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { storeMessage } from '../accept/store-message.ts'
import { membersOf } from '../mappings/mappings.ts'
import { listMessages } from '../messages.ts'
import type { Mappings, Pipeline } from '../pipeline.ts'
import { claimFresh, claimRetry } from './claim-messages.ts'
import { processMessages, warnOfMissing } from './process-messages.ts'
import type { Settled } from './process-messages.ts'

describeWithDatabase('Fields that a stream used to have', (database) => {
  const push = (members: readonly string[]) =>
    database().transaction((tx) => warnOfMissing(tx, 'acme/weather', members))

  it('cause warnings while they are missing, after ten messages in a row had them', async () => {
    for (let message = 0; message < 10; message++) expect(await push(['wind', 'rain'])).toEqual([])
    expect(await push(['rain', 'snow'])).toMatchObject([
      { index: null, reason: expect.stringContaining('wind, which the last 10 messages') },
    ])
    expect(await push(['rain'])).toHaveLength(1)
    expect(await push(['rain', 'wind'])).toEqual([])
    // Snow was in one message only.
    expect(await push(['wind'])).toMatchObject([{ reason: expect.stringContaining('rain') }])
    expect(await push([])).toEqual([])
  })

  it('include only fields of canonical objects that have a value', () => {
    const values = { kind: 'measurements', stationType: 'P', items: [['p1', 'free', 't', 1]] }
    const stations = {
      ...{ kind: 'stations', stationType: 'P' },
      items: [{ code: 'a', name: null, metadata: { capacity: 5, owner: '' } }],
    }
    const objects = [values, stations, 'odd', { kind: 'events' }]
    expect(membersOf(objects.map((value) => ({ source: 0, value })))).toEqual([
      'measurements P free',
      'stations P code',
      'stations P metadata.capacity',
    ])
  })
})

const now = () => new Date('2026-11-20T12:00:00Z')

const nothing: Pipeline = {
  id: 'nothing',
  read: () => ({ kind: 'read', parts: [] }),
}

/** Mappings for the streams of `mapped`, which call `evaluate` for each message. */
function mappingsThat(evaluate: () => Promise<void>): Mappings {
  const evaluated = {
    mapping: { name: 'm', version: '1', sha256: 'ff' },
    members: [],
    parts: () => [],
  }
  const answer = async () => {
    await evaluate()
    return evaluated
  }
  return {
    secondsFor: (stream) => (stream.startsWith('mapped/') ? 30 : undefined),
    evaluate: answer,
    evaluateTrial: answer,
    close: () => Promise.resolve(),
  }
}

describeWithDatabase('Processing claimed messages', (database) => {
  beforeEach(async () => {
    await database().execute(sql`truncate message, push_key`)
  })

  const send = async (stream: string) => {
    const id = randomUUID()
    const bytes = Buffer.from('{}')
    const as = { sender: 's', mayBackdate: false, contentType: undefined, headers: {} }
    await storeMessage(database(), {
      ...{ id, stream, received: now(), ...as },
      ...{ packed: undefined, body: bytes, sha256: bytes },
    })
    return id
  }

  const statesOf = async () => {
    const messages = await listMessages(database(), {}, 10)
    return Object.fromEntries(messages.map(({ id, state }) => [id, state]))
  }

  const work = async (mappings: Mappings, isStopping?: () => boolean) => {
    const settled: Settled[] = []
    const deps = { database: database(), pipelines: [nothing], mappings, now }
    const claims = await claimFresh(database(), now(), { takesLarge: true })
    for await (const one of processMessages(deps, claims, isStopping)) settled.push(one)
    return settled
  }

  it('stores messages without a mapping first, and keeps the others claimed', async () => {
    const mapped = await send('mapped/first')
    const plain = await send('plain/second')
    const soon = new Date(now().getTime() + 19_000)
    const seen: unknown[] = []
    const mappings = mappingsThat(async () => {
      seen.push(await statesOf())
      seen.push(await claimRetry(database(), soon, { takesLarge: true }))
    })
    expect(await work(mappings)).toMatchObject([{ id: plain }, { id: mapped }])
    expect(seen).toEqual([{ [plain]: 'empty', [mapped]: 'processing' }, undefined])
  })

  it('returns messages that it has not started to the queue when it stops', async () => {
    for (const stream of ['mapped/a', 'mapped/b', 'mapped/c']) await send(stream)
    let evaluated = 0
    const mappings = mappingsThat(() => {
      evaluated += 1
      return Promise.resolve()
    })
    expect(await work(mappings, () => evaluated > 0)).toHaveLength(1)
    expect(evaluated).toBe(1)
    expect(Object.values(await statesOf()).toSorted()).toEqual(['accepted', 'accepted', 'empty'])
  })

  it('waits for a claimed message that is locked instead of skipping it', async () => {
    const id = await send('mapped/a')
    const { promise: isHeld, resolve: held } = Promise.withResolvers<undefined>()
    const mappings = mappingsThat(async () => {
      void database().transaction(async (tx) => {
        await tx.query(sql`select id from message where id = ${id} for update`)
        held(undefined)
        await pause(300)
      })
      await isHeld
    })
    expect(await work(mappings)).toMatchObject([{ id, state: 'empty' }])
  })

  it('postpones a message that could not be evaluated, and processes the others', async () => {
    const [bad, good] = [await send('mapped/a'), await send('mapped/b')]
    let isFirst = true
    const mappings = mappingsThat(() => {
      if (!isFirst) return Promise.resolve()
      isFirst = false
      return Promise.reject(new Error('The process does not start'))
    })
    const settled = await work(mappings)
    expect(settled.map(({ state }) => state).toSorted()).toEqual(['empty', 'postponed'])
    expect((await statesOf())[bad] === (await statesOf())[good]).toBe(false)
  })
})
