import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { levelsApp } from '../../../test/fixtures/levels-app.ts'

const span = '2026-11-20/2026-11-21'

describeWithDatabase('Points of lines', (database) => {
  const { dataOf, flat } = levelsApp(database)

  const days = '/v2/flat/R/level/2026-11-18/2026-11-20'
  const where = 'where=scode.eq."wave"&limit=-1'

  it('include both ends of a line and are unchanged values', async () => {
    const all = await dataOf(`${days}?${where}`)
    const some = await dataOf(`${days}?${where}&points=20`)
    const rows = Array.isArray(some) ? some : []
    expect(rows).toHaveLength(20)
    expect(Array.isArray(all) && [all[0], all.at(-1)]).toEqual([rows[0], rows.at(-1)])
    for (const row of rows) expect(all).toContainEqual(row)
    const times = rows.map(({ mvalidtime }) => String(mvalidtime))
    expect(times).toEqual([...new Set(times)].toSorted())
  })

  it('are all the values if there are no more than requested, even none', async () => {
    const all = await dataOf(`${days}?${where}`)
    expect(await dataOf(`${days}?${where}&points=288`)).toEqual(all)
    expect(await dataOf(`${days}?${where}&points=10000`)).toEqual(all)
    expect(await dataOf('/v2/flat/R/level/2020-01-01/2020-01-02?points=5')).toEqual([])
  })

  it('are chosen per series, keep the overall order and leave out texts', async () => {
    const all = await flat('free', 'select=scode,mvalidtime,mperiod,mvalue')
    expect(
      await flat('*', 'select=scode,mvalidtime,mperiod,mvalue&points=3&where=tname.eq."free"'),
    ).toEqual(all)
    expect(await flat('state', 'points=3')).toEqual([])
    expect(
      await flat('free', 'select=scode,mvalidtime,mperiod,mvalue&points=3&limit=2&offset=1'),
    ).toEqual(Array.isArray(all) ? all.slice(1, 3) : [])
  })

  it('have the same form in the tree as values', async () => {
    const tree = (query: string) => dataOf(`/v2/tree/R/free/${span}?${query}`)
    expect(await tree('points=3')).toEqual(await tree('limit=200'))
  })

  it('are chosen from buckets by their first aggregate', async () => {
    const hours = await dataOf(`${days}?${where}&bucket=1h&agg=max,count&select=mvalidtime`)
    const some = await dataOf(
      `${days}?${where}&bucket=1h&agg=max,count&select=mvalidtime&points=10`,
    )
    expect(hours).toHaveLength(48)
    expect(some).toHaveLength(10)
    for (const row of Array.isArray(some) ? some : []) expect(hours).toContainEqual(row)
  })
})
