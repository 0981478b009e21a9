import { expect, it } from 'vitest'
import type { Locator } from 'playwright-core'
import { chart, legend, other, parking, ready, search, watchValues } from './fixture/chart-page.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'

describeExplorer('the choice of time series', ({ open, expectAccessible }) => {
  it('keeps a new series while an earlier one is still loading', async () => {
    const { page } = await open('/timeseries?lang=en')
    const held: (() => void)[] = []
    await page.route('**/v2/flat,node/ParkingStation/*/latest**', async (route) => {
      await new Promise<void>((go) => {
        held.push(go)
      })
      await route.continue().catch(() => undefined)
    })
    const field = page.getByRole('combobox', { name: 'Stations and data types' })
    for (const [code, station] of [
      ['parking-0001', /P1.*occupied/],
      ['parking-0002', /P2.*occupied/],
    ] as const) {
      await field.click()
      await field.pressSequentially(`${code} occupied`)
      await page.getByRole('option', { name: station }).click()
      await expect.poll(() => held.length).toBeGreaterThan(0)
    }
    await expect.poll(() => search(page).getAll('series')).toEqual([parking, other])
    expect(await legend(page).count()).toBe(0)
    await page.unroute('**/v2/flat,node/ParkingStation/*/latest**')
    for (const go of held) go()
    await page.keyboard.press('Escape')
    await expect.poll(() => legend(page).count()).toBe(2)
  })

  it('is offered on a click into the empty field', async () => {
    const { page } = await open('/timeseries')
    await page.getByRole('combobox', { name: 'Stations and data types' }).click()
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await expectAccessible(page)
  })

  it('accepts exact times in a box that Escape and its button close', async () => {
    const { page } = await open(chart([parking]))
    const button = page.getByRole('button', { name: 'Exact times' })
    const from = page.getByLabel('From', { exact: true })
    const hasFocus = (of: Locator) => of.evaluate((one) => one === document.activeElement)
    await button.click()
    await expect.poll(() => hasFocus(from)).toBe(true)
    await page.keyboard.press('Escape')
    await from.waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus(button)).toBe(true)
    await button.click()
    await from.waitFor()
    await button.click()
    await from.waitFor({ state: 'hidden' })
    await button.click()
    await from.fill('2026-11-01T00:00')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await from.waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus(button)).toBe(true)
    await expect.poll(() => search(page).get('range')).toContain('2026-10-31T23:00')
  })

  it('keeps its height in the legend when details beside it are open', async () => {
    const { page } = await open(chart([parking, other]))
    await ready(page)
    const height = async () => (await legend(page).nth(1).boundingBox())?.height
    const before = await height()
    await legend(page).first().locator('summary').click()
    await legend(page)
      .first()
      .getByText(/last 7 days/)
      .first()
      .waitFor()
    expect(await height()).toBe(before)
  })

  it('sends each request only once when the view opens', async () => {
    for (const more of ['', '&follow=true']) {
      const { page } = await open(chart([parking, other], `&range=1mo${more}`))
      await ready(page)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      const values = watchValues(page)
      await page.reload()
      await ready(page)
      await expect.poll(() => values().length).toBe(1)
      expect(asked.filter((url, index) => asked.indexOf(url) < index)).toEqual([])
    }
  })

  it('does not write a zoom by wheel into the URL of the next view', async () => {
    const { page } = await open(chart([parking], '&range=1d'))
    await ready(page)
    await page.locator('.u-over').hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('a[href="/"]')?.click()
    })
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    // The wheel is considered at rest after 350 ms.
    await page.waitForTimeout(600)
    expect(search(page).has('range')).toBe(false)
  })
})
