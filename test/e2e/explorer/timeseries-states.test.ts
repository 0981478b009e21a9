import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { chart, parking, ready, search, watchValues } from './fixture/chart-page.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { autumnDay, pushAutumnDay } from './fixture/push-day.ts'
import { holdRequests } from './fixture/visit.ts'

describeExplorer('the view of time series in different states', ({ hub, open, ...explorer }) => {
  beforeAll(async () => {
    await pushAutumnDay(hub())
  })

  it('limits long periods without a login to daily values, and explains why', async () => {
    const { page } = await open('/timeseries')
    await enforceQuota(page)
    const asked = watchValues(page)
    await page.goto(`${hub()}${chart([parking], '&range=1y')}`)
    await ready(page)
    expect(asked().map((url) => url.searchParams.get('bucket'))).toEqual(['1d'])
    await page.getByText('Fine steps for 100 days at once').waitFor()
    await explorer.expectAccessible(page)
    await page.getByRole('button', { name: 'Show the newest part' }).click()
    await expect.poll(() => asked().at(-1)?.searchParams.get('bucket')).toBe('2h')
    await expect.poll(() => page.getByText('Fine steps for').count()).toBe(0)
    await page.goBack()
    await page.getByRole('main').getByRole('button', { name: 'Log in for more' }).click()
    await page.getByLabel('User name').fill('demo')
    await page.getByLabel('Password').fill('demo')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Logged in as demo' }).waitFor()
    await ready(page)
    expect(asked().at(-1)?.searchParams.get('bucket')).toBe('12h')
    expect(await page.getByText('Fine steps for').count()).toBe(0)
  })

  it('shows all values, from the first to the last', async () => {
    const { page } = await open(chart([autumnDay.series], '&range=1d&view=table'))
    await page.getByRole('table').waitFor()
    const extent = '**/1970-01-01/2100-01-01**'
    const letGo = await holdRequests(page, extent)
    const asked = page.waitForRequest(extent)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await asked
    // The previous values stay until the period of the new ones is known.
    await page.getByText('Values are loading').first().waitFor({ state: 'attached' })
    expect(await page.getByRole('table').count()).toBe(1)
    letGo()
    const rows = () => page.getByRole('rowheader').count()
    await expect.poll(rows).toBeGreaterThan(0)
    await page.reload()
    await ready(page)
    await expect.poll(rows).toBeGreaterThan(0)
  })

  it('reports that a period has no values, and links to the newest ones', async () => {
    const { page } = await open(chart([autumnDay.series]))
    await page.getByText('No values in this period').waitFor()
    await explorer.expectAccessible(page)
    await page.getByRole('button', { name: 'Show the newest values' }).click()
    await page.getByText('No values in this period').waitFor({ state: 'detached' })
    await ready(page)
  })

  it('follows the present', async () => {
    const { page } = await open(chart([parking], '&range=1d'))
    await ready(page)
    // Responses of the last seconds are shared. After that the page requests at once, and only
    // once.
    await page.waitForTimeout(5000)
    let latest = 0
    page.on('request', (request) => {
      if (request.url().includes('/latest?')) latest += 1
    })
    await page.getByRole('button', { name: 'Follow' }).click()
    await expect.poll(() => latest).toBeGreaterThan(0)
    await page.getByText('The chart follows the present.').waitFor()
    await page.waitForLoadState('networkidle')
    expect(latest).toBe(1)
    expect(search(page).get('follow')).toBe('true')
    await page.getByRole('button', { name: 'Earlier' }).click()
    await expect.poll(() => search(page).has('follow')).toBe(false)
  })

  it('exports the shown values, and shows the requests for them', async () => {
    const { page } = await open(chart([parking, 'MeteoStation/meteo-0001/air-temperature']))
    await ready(page)
    await page.getByRole('button', { name: 'Export what is shown' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^ParkingStation,MeteoStation-.*\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toMatch(/^[^\n]*scode[^\n]*mvalue/)
    expect(text).toContain('parking-0001')
    expect(text).toContain('meteo-0001')
    await page.getByRole('combobox', { name: 'Request', exact: true }).selectOption('1')
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    await page
      .getByRole('region', { name: 'Request' })
      .getByText('/v2/flat,node/MeteoStation/air-temperature/')
      .first()
      .waitFor()
  })

  it('saves the chart as SVG or PNG', async () => {
    const { page } = await open(chart([parking, 'MeteoStation/meteo-0001/air-temperature']))
    await ready(page)
    const save = async (format: string) => {
      await page.getByRole('button', { name: 'Export what is shown' }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: `Picture of the chart (${format})` }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(
        new RegExp(`^ParkingStation,MeteoStation-.*\\.${format.toLowerCase()}$`),
      )
      return readFile(await file.path())
    }
    const svg = (await save('SVG')).toString()
    expect(svg.match(/<path /g)?.length).toBeGreaterThan(1)
    const colours = [...svg.matchAll(/stroke="([^"]*)" stroke-width/g)].map(([, colour]) => colour)
    expect(new Set(colours).size).toBe(2)
    expect(svg).toContain(`>Hub, ${new URL(page.url()).host}<`)
    expect(svg).toContain('°C')
    const png = await save('PNG')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(2400)
    const folder = process.env['TEST_SCREENSHOTS']
    if (folder !== undefined) await writeFile(join(folder, 'picture-of-chart.png'), png)
  })

  it('shows the latest values of all stations of a type on a map', async () => {
    const { page } = await open(chart([parking]))
    await ready(page)
    await page.getByText('Map', { exact: true }).click()
    await page
      .getByRole('region', { name: /occupied/ })
      .first()
      .waitFor()
    expect(search(page).get('view')).toBe('map')
  })

  it.each([
    [503, 'The hub is busy or starting'],
    [429, 'Too many requests'],
    [403, 'Not for this account'],
    [401, 'Log in to see this'],
    [500, 'Something went wrong'],
  ] as const)('keeps the chart and explains the error after a %s', async (status, title) => {
    const { page, expectStatus } = await open(chart([parking], '&range=1d'))
    await ready(page)
    expectStatus(status)
    await page.route('**/v2/flat,node/ParkingStation/occupied/2**', (route) =>
      route.fulfill({ status, headers: { 'retry-after': '1' }, json: {} }),
    )
    await page.getByRole('button', { name: '1 mo' }).click()
    await page.getByText(title).waitFor()
    // The message has the same form for every status.
    if (status === 500) await explorer.expectAccessible(page)
    expect(await page.locator('.u-over').count()).toBe(1)
    await page.unroute('**/v2/flat,node/ParkingStation/occupied/2**')
    // The page retries by itself if waiting helps.
    if (status !== 503 && status !== 429)
      await page.getByRole('button', { name: 'Try again now' }).click()
    await page.getByText(title).waitFor({ state: 'detached' })
    await ready(page)
  })

  it('continues automatically when the hub can be reached again', async () => {
    const { page, expectStatus } = await open(chart([parking], '&range=1d'))
    await ready(page)
    expectStatus(0)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: '1 mo' }).click()
    await page.getByRole('alert').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await ready(page)
  })
})

/**
 * Makes the hub report an enforced quota. The hub of these tests does not count requests, but still
 * reports its limits.
 */
async function enforceQuota(page: Page): Promise<void> {
  await page.route('**/quota', async (route) => {
    const response = await route.fetch()
    const quota = (await response.text()).replace('"isEnforced":false', '"isEnforced":true')
    await route.fulfill({ response, body: quota })
  })
}
