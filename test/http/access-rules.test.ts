import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeRecords } from '../../src/content/index.ts'
import { sql } from '../../src/sql/index.ts'
import { bearer, openComposedHub } from '../fixtures/composed-hub.ts'
import type { ComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOn } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'

const id = 'CLOSED'

describeOn('postgresql', 'Access rules in the database', () => {
  let clone: TestDatabase
  let hubs: readonly ComposedHub[] = []

  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
    hubs = [await openComposedHub(clone.settings), await openComposedHub(clone.settings)]
    for (const { store, now } of hubs.slice(0, 1)) {
      const entity = store.entities.find(({ name }) => name === 'Event')
      if (entity === undefined) throw new Error('no Event')
      const records = [{ Id: id, LicenseInfo: { ClosedData: true }, _Meta: { Source: 'a22' } }]
      const write = { entity, records, deletions: [], received: now(), provider: 'demo' }
      await store.database.transaction((tx) => storeRecords(tx, write))
    }
  })
  afterAll(async () => {
    await Promise.all(hubs.map((hub) => hub.close()))
    await clone.drop()
  })

  const change = async (statement: ReturnType<typeof sql>) => {
    await hubs[0]?.store.database.execute(statement)
  }
  /**
   * Returns what a caller sees on each node: the status of the record, and the total of the list.
   */
  const seen = async (headers: object) => {
    const answers = hubs.map(async ({ ask }) => {
      const item = await ask({ url: `/v1/Event/${id}`, headers: { ...headers } })
      const list = await ask({ url: '/v1/Event', headers: { ...headers } })
      const { TotalResults } = list.json<{ TotalResults: number }>()
      return [item.statusCode, TotalResults]
    })
    return Promise.all(answers)
  }
  /** Advances every node by five seconds. Reading the rules then takes a moment of real time. */
  const fiveSecondsLater = async (headers: object, expected: readonly number[]) => {
    for (const hub of hubs) hub.tick(5000)
    await expect.poll(() => seen(headers)).toEqual([expected, expected])
  }
  const closed = [404, 0]
  const open = [200, 1]

  it('apply on all nodes within five seconds of being added, changed or deleted', async () => {
    const partner = await bearer(['BDP_A22'])
    expect(await seen(partner)).toEqual([closed, closed])
    await change(sql`
      insert into access_rule (role, area, origin, type) values ('A22', 'content', 'a22', 'Event')`)
    await fiveSecondsLater(partner, open)
    expect(await seen({})).toEqual([closed, closed])
    await change(sql`update access_rule set role = 'GUEST'`)
    await fiveSecondsLater({}, open)
    await change(sql`delete from access_rule`)
    await fiveSecondsLater({}, closed)
    expect(await seen(partner)).toEqual([closed, closed])
  })

  it('change the entity tags of callers whose rights they change', async () => {
    const tags = async () => {
      const answers = await Promise.all(hubs.map(({ ask }) => ask({ url: '/v1/Event' })))
      return answers.map(({ headers }) => headers['etag'])
    }
    const before = await tags()
    await change(sql`insert into access_rule (role, origin) values ('GUEST', 'a22')`)
    await fiveSecondsLater({}, open)
    for (const [index, tag] of (await tags()).entries()) {
      expect(tag).not.toBe(before[index])
      const held = { 'if-none-match': String(before[index]) }
      const answer = await hubs[index]?.ask({ url: '/v1/Event', headers: held })
      expect(answer?.statusCode).toBe(200)
    }
  })

  it.each(['ADMIN', 'BDP_VIEW_CLOSED_DATA'])('are not needed by %s', async (role) => {
    await change(sql`delete from access_rule`)
    await fiveSecondsLater({}, closed)
    expect(await seen(await bearer([role]))).toEqual([open, open])
  })
})
