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
  it('shows its title, and as many rows as the catalogue counts', async () => {
    const load = async () => {
      const answer = await fetch(`${hub()}/catalogue`)
      return Parse(catalogue, await answer.json()).datasets
    }
    const datasets = await load()
    expect(datasets.length).toBeGreaterThan(30)
    const { page } = await open('/?lang=en', { size: 'hand' })
    const rows = async () => {
      const grid = page.getByRole('grid')
      await grid.locator('[role=row][aria-busy=false]').first().waitFor()
      return Number(await grid.getAttribute('aria-rowcount')) - 1
    }
    for (const { id, service, title, count, links } of datasets) {
      // Other tests cover datasets that need a token, and traffic.
      if (count === null || service === 'traffic') continue
      await follow(page, new URL(links.page).pathname)
      await page.getByRole('heading', { level: 1, name: title.en, exact: true }).waitFor()
      if (count === 0) continue
      if ((await rows()) === count) continue
      // Other tests push records in the meantime, and the catalogue is recounted every minute.
      const difference = async () => {
        await page.reload()
        const now = (await load()).find((one) => one.id === id)?.count ?? NaN
        return (await rows()) - now
      }
      await expect.poll(difference, { timeout: 100_000, interval: 2000, message: id }).toBe(0)
    }
  }, 300_000)
})
