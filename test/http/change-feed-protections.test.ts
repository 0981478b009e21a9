import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { storeDataTypes, storeMeasurements, storeStations } from '../../src/timeseries/index.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { openFollowedHub, record } from '../fixtures/followed-hub.ts'
import type { FollowedHub } from '../fixtures/followed-hub.ts'

/** Cases that other tests do not cover. Each one fails if a protection is removed. */
describeOnEngines('The change feed', (engine) => {
  let followed: FollowedHub

  beforeAll(async () => {
    followed = await openFollowedHub(engine)
  })
  afterAll(async () => {
    await followed.close()
  })

  it('continues within a change to more series than fit on a page', async () => {
    const { hub } = followed
    const { database } = hub.store
    const names = Array.from({ length: 1100 }, (_, index) => `wide${String(index)}`)
    const received = hub.now()
    const station = { stationType: 'Wide', origin: 'FAMAS', received }
    await database.transaction(async (tx) => {
      await storeDataTypes(tx, { received, items: names.map((name) => ({ name })) })
      await storeStations(tx, { ...station, items: [{ code: 'w' }] })
      const items = names.map((name) => ['w', name, '2026-11-20T10:00:00Z', 1] as const)
      await storeMeasurements(tx, { stationType: 'Wide', period: 300, received, items })
    })
    const query = '&select=scode,sname,tname'
    const { next } = await followed.ask(`offset=now${query}`, {}, 'latest.Wide')
    await database.transaction((tx) =>
      storeStations(tx, {
        ...station,
        received: new Date(received.getTime() + 1000),
        items: [{ code: 'w', name: 'renamed' }],
      }),
    )
    const keys = new Set<string>()
    for (let offset = next; ;) {
      const page = await followed.ask(`offset=${offset}${query}`, {}, 'latest.Wide')
      for (const { key } of page.messages) keys.add(key)
      offset = page.next
      if (page.isUpToDate) break
    }
    // Sorted by number: "10" before "9" would reveal how many series there are that the caller
    // cannot see.
    const made = await database.texts(sql`
      select data_type.name from series join data_type on data_type.id = data_type_id
      join station on station.id = station_id where code = 'w' order by series.id`)
    expect([...keys]).toEqual(made.map(([name]) => `w|${String(name)}|300`))
  })

  it('is up to date even if many records were visible only within transactions', async () => {
    const from = await followed.now()
    await followed.write([record('VISIBLE')])
    await followed.hub.store.database.execute(sql`
      insert into change (area, dataset, id, kind, before, after)
      select 'content', 'Event', 'flash' || number, 'upsert',
        case step when 1 then 'false'::jsonb end, case step when 2 then 'false'::jsonb end
      from generate_series(1, 1200) as number, generate_series(1, 2) as step order by number, step`)
    const { messages, isUpToDate } = await followed.ask(`offset=${from}`)
    expect([messages.length, isUpToDate]).toEqual([1, true])
  })

  it('reports nothing about a transaction that it has not read completely', async () => {
    const from = await followed.now()
    await followed.write(Array.from({ length: 900 }, (_, index) => record(`many${String(index)}`)))
    await followed.hub.store.database.execute(sql`
      insert into change (area, dataset, id, kind, before, after)
      select 'content', 'Event', 'brief' || number, 'upsert',
        case step when 1 then 'false'::jsonb end, case step when 2 then 'false'::jsonb end
      from generate_series(1, 600) as number, generate_series(1, 2) as step order by step, number`)
    const first = await followed.ask(`offset=${from}`)
    const second = await followed.ask(`offset=${first.next}`)
    expect([first.messages.length, first.text.includes('brief')]).toEqual([900, false])
    expect([second.messages, second.isUpToDate]).toEqual([[], true])
  })

  it('refuses an offset that is too old, even if no change has been deleted yet', async () => {
    const from = await followed.now()
    followed.hub.moveClock(31 * 86_400_000)
    expect((await followed.ask(`offset=${from}`)).status).toBe(410)
  })
})
