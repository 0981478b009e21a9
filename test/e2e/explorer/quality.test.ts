import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { beforeAll, expect, it } from 'vitest'
import { countActions } from './fixture/count-actions.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'
import { untilThere } from './fixture/push-day.ts'
import { pushTo } from './fixture/push.ts'

const day = (number: number, stale: number) => ({
  day: `2026-11-${String(number)}`,
  total: 10,
  counts: { stale },
})
const trends = {
  scope: 'open',
  datasets: [{ service: 'timeseries', dataset: 'QualityStation', days: [day(1, 4), day(2, 2)] }],
}
const answer = Type.Object({ TotalResults: Type.Integer() })

describeExplorer(
  'the quality of data',
  ({ hub, open, atEachSize, inEachLanguage, screenshot, expectAccessible }) => {
    const hour = 3_600_000
    const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
    beforeAll(async () => {
      const push = await pushTo(hub(), 'quality')
      const of = { stationType: 'QualityStation', origin: 'demo-quality' }
      await push({ kind: 'dataTypes', items: [{ name: 'level' }] })
      await push({ kind: 'stations', ...of, items: [{ code: 'q1', name: 'Lake' }, { code: 'q2' }] })
      const items = [
        ...[9, 8, 7].map((hours) => ['q1', 'level', ago(hours), hours]),
        ['q2', 'level', ago(0), 1],
      ]
      await push({ kind: 'measurements', stationType: 'QualityStation', period: 3600, items })
      await untilThere(`${hub()}/v2/flat,node/QualityStation/level/latest`)
    })

    it('links a figure to exactly that many records, and to a file of them', async () => {
      const visit = await open('/desk')
      const { page, expectStatus } = visit
      expectStatus(401)
      await logIn(page, 'demo-clerk')
      await page.getByText('What you can do as demo-clerk.').waitFor()
      const actions = await countActions(page)
      await page.getByRole('main').getByRole('link', { name: 'Data quality' }).click()
      const duplicates = page.getByRole('button', { name: 'Duplicate' })
      await duplicates.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).search).toBe('?by=duplicate')
      const worst = page.getByRole('table', { name: 'Records' }).getByRole('row').nth(1)
      const figure = worst.getByRole('link', { name: /Same name within 30 m: \d+,/ })
      const count = Number(/: (\d+),/.exec((await figure.getAttribute('aria-label')) ?? '')?.[1])
      expect(count).toBeGreaterThan(0)
      await screenshot(visit, 'quality')
      await expectAccessible(page)
      await worst.getByRole('rowheader').getByRole('link').click()
      const file = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV: Same name within 30 m' }).click()
      const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n')
      expect(lines).toHaveLength(count + 1)
      await expectAccessible(page)
      // The filters beside the list count with the same expression, so only the request for records
      // is awaited.
      const listed = page.waitForResponse(
        (response) => /rawfilter=/.test(response.url()) && !/groupby=/.test(response.url()),
      )
      await page
        .getByRole('link', { name: new RegExp(`^Same name within 30 m: ${String(count)},`) })
        .click()
      expect(Parse(answer, await (await listed).json()).TotalResults).toBe(count)
      expect(await actions()).toBeLessThanOrEqual(6)
    })

    atEachSize(
      'lists the series behind a figure, each with its chart',
      '/desk/quality',
      async (visit) => {
        const { page } = visit
        await page.route('**/quality/trends*', (route) => route.fulfill({ json: trends }))
        await logIn(page, 'demo-operator')
        const row = page.getByRole('row').filter({ hasText: 'QualityStation' })
        await row.getByRole('img', { name: 'From 40% to 20% on 2 days' }).waitFor()
        await row.getByRole('link', { name: 'QualityStation, Newest value stale: 1, 50%' }).click()
        const list = page.getByRole('table', { name: 'Newest value stale: 1 series' })
        await list.getByRole('row').nth(1).waitFor()
        expect(await list.getByRole('row').count()).toBe(2)
        await page.getByRole('img', { name: 'From 40% to 20% on 2 days' }).waitFor()
        await screenshot(visit, 'quality-series')
        await expectAccessible(page)
        await list.getByRole('link', { name: 'Lake' }).click()
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect(new URL(page.url()).searchParams.get('series')).toBe('QualityStation/q1/level/3600')
      },
    )

    inEachLanguage(
      'is written in their language',
      '/desk/quality',
      async ({ page, expectStatus }) => {
        expectStatus(401)
        await page.getByRole('heading', { name: /^(Datenqualität|Qualità dei dati)$/ }).waitFor()
      },
    )
  },
)
