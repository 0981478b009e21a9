import { beforeAll, expect, it, vi } from 'vitest'
import { embeddedPushPermission } from '../../src/access/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { hotels, usePushCollector } from '../fixtures/push-collector.ts'

const grants = [
  { client: 'provider', pathPattern: '/demo/*' },
  { client: 'closed', pathPattern: '/rival/*' },
]

describeWithDatabase('a replay over HTTP', (database) => {
  const { app, send, get } = usePushCollector(database, () => ({
    permission: embeddedPushPermission(() => grants),
  }))

  const push = async (url: string, body: string) => {
    const { id } = (await send(body, {}, url)).json()
    await settled(url, id)
    return String(id)
  }
  const settled = (url: string, id: string) =>
    vi.waitFor(
      async () => {
        const { finished, state } = (await get(`${url}/${id}`)).json()
        if (finished === null) throw new Error(`It is ${state}`)
      },
      { timeout: 60_000 },
    )
  const post = async (url: string, body: object, caller = 'provider') => {
    const headers = { authorization: `Bearer ${caller}`, 'content-type': 'application/json' }
    const { statusCode, ...answer } = await app().inject({
      ...{ method: 'POST', url, headers },
      payload: JSON.stringify(body),
    })
    return [statusCode, answer.json()] as const
  }
  const receipt = async (id: string) => (await get(`/push/demo/hotels/${id}`)).json()
  /** Sets the state of a message, as if the hub had failed or rejected it. */
  const set = (id: string, state: string) =>
    database().execute(sql`update message set state = ${state}, reason = 'x' where id = ${id}`)

  let [older, newer, bad] = ['', '', '']
  beforeAll(async () => {
    older = await push('/push/demo/hotels', hotels({ Id: 'A', Shortname: 'Old' }))
    newer = await push('/push/demo/hotels', hotels({ Id: 'A', Shortname: 'New' }))
    bad = await push('/push/demo/hotels', hotels({ Id: '' }))
  })

  it('processes the selected messages, and no others', async () => {
    await set(older, 'dead')
    await set(bad, 'dead')
    const [status, answer] = await post('/push/demo/hotels/replay', { ids: [older], state: 'dead' })
    expect([status, answer]).toEqual([200, { replayed: 1, left: 0 }])
    await settled('/push/demo/hotels', older)
    expect(await receipt(older)).toMatchObject({ state: 'visible' })
    expect(await receipt(bad)).toMatchObject({ state: 'dead' })
    const { received } = await receipt(bad)
    expect(await post('/push/demo/hotels/replay', { from: received }, 'admin')).toEqual([
      200,
      { replayed: 1, left: 0 },
    ])
    await settled('/push/demo/hotels', bad)
    expect(await receipt(bad)).toMatchObject({ state: 'rejected', rejected: [{ index: 0 }] })
    expect(await post('/push/demo/hotels/replay', { to: '1971-01-01T00:00:00Z' })).toMatchObject([
      200,
      { replayed: 0 },
    ])
  })

  it('can be previewed: its changes are shown, but not stored', async () => {
    const show = async (id: string) => (await get(`/push/demo/hotels/${id}/preview`)).json()
    expect(await show(bad)).toMatchObject({ state: 'rejected', stored: 0, records: [], count: 0 })
    // What a newer message wrote is kept.
    expect(JSON.stringify((await show(older)).records)).not.toContain('Old')
    await database().execute(sql`
      update content.accommodation set data = jsonb_set(data, '{Shortname}', '"By hand"') where id = 'A'`)
    const { state, stored, records, count } = await show(newer)
    expect({ state, stored, count }).toEqual({ state: 'visible', stored: 1, count: 1 })
    expect(records).toMatchObject([{ dataset: 'Accommodation', id: 'A', kind: 'update' }])
    expect(records[0].differences).toContainEqual({
      ...{ pointer: '/Shortname', before: 'By hand', after: 'New' },
    })
    const [row] = await database().texts(
      sql`select data ->> 'Shortname' from content.accommodation where id = 'A'`,
    )
    expect(row).toEqual(['By hand'])
  })

  it('can be previewed by the sender and by ADMIN only', async () => {
    const url = `/push/demo/hotels/${newer}/preview`
    expect((await get(url, 'admin')).statusCode).toBe(200)
    for (const caller of ['closed', 'acco']) expect((await get(url, caller)).statusCode).toBe(404)
    expect((await get(`/push/demo/csv/${newer}/preview`)).statusCode).toBe(404)
    expect((await get('/push/demo/hotels/x/preview')).statusCode).toBe(404)
  })

  it('is restricted to callers who may push to the stream, and ADMIN', async () => {
    const body = { state: 'visible' }
    expect(await post('/push/demo/hotels/replay', body, 'closed')).toMatchObject([404, {}])
    expect(await post('/push/demo/hotels/replay', body, 'nobody')).toMatchObject([401, {}])
    expect(await post('/push/rival/x/replay', body)).toMatchObject([404, {}])
  })

  it.each([
    {},
    { state: 'done' },
    { ids: ['x'] },
    { ids: [] },
    { from: 'yesterday' },
    { other: 1 },
  ])('refuses the selection %j', async (body) => {
    expect(await post('/push/demo/hotels/replay', body)).toMatchObject([
      400,
      { errorCode: 'HUB-BDY-001' },
    ])
  })

  it('lets only ADMIN discard messages, and only dead ones', async () => {
    await set(older, 'dead')
    const all = { ids: [older, newer] }
    expect(await post('/push/demo/hotels/discard', all)).toMatchObject([403, {}])
    expect(await post('/push/demo/csv/discard', all, 'admin')).toEqual([200, { discarded: 0 }])
    expect(await post('/push/demo/hotels/discard', all, 'admin')).toEqual([200, { discarded: 1 }])
    expect((await get(`/push/demo/hotels/${older}`)).statusCode).toBe(404)
    expect(await receipt(newer)).toMatchObject({ state: 'visible' })
  })
})
