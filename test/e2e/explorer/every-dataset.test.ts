import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { follow } from './fixture/visit.ts'

const catalogue = Type.Object({
  datasets: Type.Array(
    Type.Object({
      id: Type.String(),
      service: Type.String(),
      title: Type.Object({ en: Type.String() }),
      count: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      links: Type.Object({ page: Type.String() }),
    }),
  ),
})

describeExplorer('the view of every dataset of records and stations', ({ hub, open }) => {
  it('has its name, and as many rows as the catalogue counts', async () => {
    const load = async () => {
      const answer = await fetch(`${hub()}/catalogue`)
      return Parse(catalogue, await answer.json()).datasets
    }
    const datasets = await load()
    expect(datasets.length).toBeGreaterThan(30)
    const { page } = await open('/?lang=en', { size: 'hand' })
    for (const { id, service, title, count, links } of datasets) {
      // What takes a token, and what is on the road, are the matter of other tests.
      if (count === null || service === 'traffic') continue
      await follow(page, new URL(links.page).pathname)
      await page.getByRole('heading', { level: 1, name: title.en, exact: true }).waitFor()
      if (count === 0) continue
      const grid = page.getByRole('grid')
      await grid.locator('[role=row][aria-busy=false]').first().waitFor()
      const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
      // Other tests may push records meanwhile.
      const counts = rows === count ? [count] : [(await load()).find((one) => one.id === id)?.count]
      expect([id, counts]).toEqual([id, [rows]])
    }
  }, 300_000)
})
