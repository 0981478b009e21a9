import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { storeMessage } from '../accept/store-message.ts'
import { storeStream } from '../streams.ts'
import { claimFresh, claimRetry } from './claim-messages.ts'

const noon = Date.UTC(2026, 10, 22, 12)
const [small, large] = [10, 1_048_577]

describeWithDatabase('Worker loops that skip large messages', (database) => {
  const ids = new Map<string, string>()

  const send = async (name: string, stream: string, bytes: number) => {
    const id = randomUUID()
    ids.set(id, name)
    await storeMessage(database(), {
      ...{ id, stream, received: new Date(noon + ids.size), body: Buffer.alloc(bytes) },
      ...{ sender: 's', mayBackdate: false, contentType: undefined, headers: {} },
      ...{ packed: undefined, sha256: Buffer.alloc(32) },
    })
  }
  const names = (claims: readonly { readonly id: string }[]) =>
    claims.map(({ id }) => ids.get(id)).toSorted()
  const fresh = async (takesLarge: boolean) =>
    names(await claimFresh(database(), new Date(noon + 1000), { takesLarge }))
  const retry = async (takesLarge: boolean) => {
    const claim = await claimRetry(database(), new Date(noon + 1000), { takesLarge })
    return names(claim === undefined ? [] : [claim])
  }

  beforeAll(async () => {
    const ordered = { stream: 'a/ordered', isOrdered: true, keepDays: null, mediaTypes: null }
    await database().transaction((tx) => storeStream(tx, ordered))
    await send('free large', 'a/free', large)
    await send('free small', 'a/free', small)
    await send('first in order', 'a/ordered', large)
    await send('second in order', 'a/ordered', small)
  })

  it('leave them to other loops, and claim no later message of an ordered stream', async () => {
    expect(await fresh(false)).toEqual(['free small'])
    expect(await fresh(false)).toEqual([])
    expect(await fresh(true)).toEqual(['first in order', 'free large'])
  })

  it('leave their retries to other loops', async () => {
    await database().execute(sql`update message set not_before = ${new Date(noon)}
      where octet_length(body) = ${large} and stream = 'a/free'`)
    expect(await retry(false)).toEqual([])
    expect(await retry(true)).toEqual(['free large'])
  })
})
