import { expect, it } from 'vitest'
import { countActions } from './fixture/count-actions.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'
import { untilThere } from './fixture/push-day.ts'
import { pushTo } from './fixture/push.ts'

/**
 * Pushes a value of a month that no other test reads: the oldest one, which can be retired without
 * others.
 */
async function pushOldMonth(hub: string): Promise<string> {
  const push = await pushTo(hub, 'status')
  const stationType = 'StatusStation'
  const items = [{ code: 'old', name: 'Old', active: true, available: true }]
  await push({ kind: 'dataTypes', items: [{ name: 'age' }] })
  await push({ kind: 'stations', stationType, origin: 'EXPLORER', items })
  const values = [['old', 'age', '2024-05-17T12:00:00Z', 1]]
  await push({ kind: 'measurements', stationType, period: 3600, items: values })
  await untilThere(`${hub}/v2/flat,node/${stationType}/age/latest`)
  return 'measurement_2024_05'
}

describeExplorer(
  'the status of the hub',
  ({ hub, open, inEachLanguage, screenshot, expectAccessible }) => {
    it('is public, and linked from each page', async () => {
      const visit = await open('/docs')
      const { page } = visit
      await page.getByRole('contentinfo').getByRole('link', { name: 'Hub status' }).click()
      await page.getByText(/^(All services are running|A service is degraded)$/).waitFor()
      for (const name of ['Content', 'Time series', 'Traffic feed', 'Push', 'Exports', 'Changes'])
        await page.getByRole('heading', { name, exact: true }).waitFor()
      const rows = page.getByRole('table', { name: 'Freshness of the datasets' }).getByRole('row')
      await rows
        .filter({ hasText: /fresh|late|stale|silent/ })
        .first()
        .waitFor()
      expect(await page.getByText('Slow statements').count()).toBe(0)
      await expectAccessible(page)
      await screenshot(visit, 'status-public')
    })

    it('fits a phone in German', async () => {
      const { page } = await open('/desk/status', { size: 'hand', language: 'de' })
      await page.getByRole('table', { name: 'Aktualität der Datensätze' }).waitFor()
      await page
        .getByText(/^seit \d/)
        .first()
        .waitFor()
      await expectAccessible(page)
    })

    it('shows operators all details, also on a phone and by keyboard', async () => {
      const visit = await open('/desk', { size: 'hand' })
      const { page, expectStatus } = visit
      expectStatus(401)
      const table = await pushOldMonth(hub())
      await page.request.get(`${hub()}/v1/Accommodation?pagesize=1`)
      await logIn(page, 'demo-operator')
      await page.getByText('What you can do as demo-operator.').waitFor()
      const actions = await countActions(page)
      await page.getByRole('link', { name: 'Hub status' }).first().click()
      await page.getByRole('table', { name: 'Nodes' }).waitFor()
      await page.getByRole('table', { name: 'Use by client' }).getByText('anonymous').waitFor()
      for (const name of ['Slow statements', 'Storage', 'Settings']) {
        await page.locator('summary', { hasText: name }).focus()
        await page.keyboard.press('Enter')
      }
      const setting = page.getByRole('row', { name: /^HUB_STATEMENT_TIMEOUT/ })
      await setting.getByText(/^\d+m?s$/).waitFor()
      await page
        .getByRole('row', { name: /^measurement_\d{4}_\d\d attached/ })
        .first()
        .waitFor()
      await expectAccessible(page)
      await screenshot(visit, 'status-operator')
      await page.getByRole('button', { name: `Retire: ${table}` }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/^The values of this month will no longer appear in/).waitFor()
      await screenshot(visit, 'status-retire')
      await dialog.getByRole('button', { name: 'Retire' }).click()
      await page.getByRole('button', { name: `Attach: ${table}` }).click()
      await dialog.getByRole('button', { name: 'Attach' }).click()
      await page.getByRole('button', { name: `Retire: ${table}` }).waitFor()
      expect(await actions()).toBeLessThanOrEqual(10)
    })

    inEachLanguage('is written in their language', '/desk/status', async ({ page }) => {
      await page.getByText(/^(Alle Dienste|Tutti i servizi|Ein Dienst|Un servizio) /).waitFor()
    })
  },
)
