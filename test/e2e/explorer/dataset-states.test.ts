import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { holdRequests } from './fixture/visit.ts'

const houses = '/datasets/content/Accommodation'
const parking = '/datasets/timeseries/ParkingStation'

const grid = (page: Page) => page.getByRole('grid')
const rows = (page: Page) => grid(page).locator('[role=row][aria-busy=false]')
const heading = (page: Page, name: string) => grid(page).getByRole('columnheader', { name })
const search = (page: Page) => new URL(page.url()).searchParams

/** Returns the number of records or stations that the view shows. */
async function total(page: Page): Promise<number> {
  return Number(await grid(page).getAttribute('aria-rowcount')) - 1
}

describeExplorer(
  'a dataset that is exported or that fails to load',
  ({ hub, open, ...explorer }) => {
    it('downloads the shown records as CSV, and notes that some data is not public', async () => {
      const { page } = await open(`${houses}?panes=table&q=hof&columns=Shortname`)
      await rows(page).first().waitFor()
      const count = await total(page)
      await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await explorer.expectAccessible(page)
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download' }).click()
      const file = await download
      expect(file.suggestedFilename()).toMatch(/^Accommodation-\d{4}-\d\d-\d\d\.csv$/)
      const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n')
      expect(lines[0]?.trim()).toBe('Id,Shortname')
      expect(lines).toHaveLength(count + 1)
      await dialog.getByText(/Accommodation-.*\.csv was downloaded/).waitFor()
      await dialog.getByText(/Some records or fields are not public/).waitFor()
    })

    it('continues a download when Escape or Back tries to close the dialog', async () => {
      const { page } = await open(`${houses}?panes=table&q=hof&columns=Shortname`)
      await rows(page).first().waitFor()
      await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
      const letGo = await holdRequests(page, '**/v1/Accommodation?*format=csv*')
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await dialog.getByRole('button', { name: 'Download' }).click()
      await dialog.getByRole('progressbar').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').evaluate((element) => {
        if (element instanceof HTMLDialogElement) element.requestClose()
      })
      const download = page.waitForEvent('download')
      letGo()
      await download
      await dialog.getByText(/\.csv was downloaded/).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    })

    it('streams a file to disk where the browser supports it', async () => {
      const { page } = await open(`${parking}?panes=table`)
      await rows(page).first().waitFor()
      // A file in the browser's own storage, which needs no dialog.
      await page.evaluate(() => {
        Reflect.set(window, 'showSaveFilePicker', async () => {
          const folder = await navigator.storage.getDirectory()
          return folder.getFileHandle('saved', { create: true })
        })
      })
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      await dialog.getByRole('combobox', { name: 'Format' }).selectOption('parquet')
      await dialog.getByRole('button', { name: 'Download' }).click()
      await dialog.getByText(/ParkingStation-.*\.parquet was downloaded/).waitFor()
      const saved = await page.evaluate(async () => {
        const folder = await navigator.storage.getDirectory()
        const file = await (await folder.getFileHandle('saved')).getFile()
        return (await file.text()).slice(0, 4)
      })
      expect(saved).toBe('PAR1')
    })

    it('reports that nothing matches, and removes all filters with one click', async () => {
      const { page } = await open(`${houses}?panes=table&q=zzzzzz`)
      await page.getByText('Nothing matches').waitFor()
      await explorer.expectAccessible(page)
      await page.getByRole('button', { name: 'Remove all filters' }).click()
      await rows(page).first().waitFor()
      expect(search(page).get('q')).toBeNull()
    })

    /** Opens a path whose responses have an error status. */
    async function openFailing(path: string, status: number): Promise<Page> {
      const visit = await open('/')
      visit.expectStatus(status)
      await visit.page.goto(`${hub()}${path}`)
      return visit.page
    }

    it.each([
      [
        'what a wrong expression is',
        `${houses}?filter=eq(Active,`,
        400,
        'The hub does not understand this',
      ],
      ['that a dataset does not exist', '/datasets/content/Nonsense', 404, 'Not found'],
      [
        'that a list takes a token',
        '/datasets/content/AccommodationRoom',
        401,
        'Log in to see this',
      ],
    ] as const)('reports %s', async (_, path, status, words) => {
      const page = await openFailing(path, status)
      await page.getByText(words).first().waitFor()
      await explorer.expectAccessible(page)
    })

    it('retries automatically after too many requests or while the hub is busy', async () => {
      for (const status of [429, 503]) {
        const visit = await open('/')
        visit.expectStatus(status)
        let isBusy = true
        await visit.page.route('**/v1/Accommodation?*', (route) =>
          isBusy
            ? route.fulfill({ status, headers: { 'retry-after': '2' }, body: '{}' })
            : route.continue(),
        )
        await visit.page.goto(`${hub()}${houses}?panes=table`)
        await visit.page
          .getByText(/Trying again in/)
          .first()
          .waitFor()
        await explorer.expectAccessible(visit.page)
        isBusy = false
        await rows(visit.page).first().waitFor()
        await expect.poll(() => visit.page.getByText(/Trying again in/).count()).toBe(0)
      }
    })

    it('reports that it is offline, and continues when it is online again', async () => {
      const visit = await open(`${houses}?panes=table`)
      visit.expectStatus(0)
      await rows(visit.page).first().waitFor()
      // Requests in progress when the connection ends, such as filters and pictures, would show the
      // same text.
      await visit.page.waitForLoadState('networkidle')
      await visit.page.context().setOffline(true)
      await heading(visit.page, 'Title').click()
      await visit.page.getByText('The hub cannot be reached').first().waitFor()
      await visit.page.context().setOffline(false)
      await rows(visit.page).first().waitFor()
      await expect.poll(() => visit.page.getByText('The hub cannot be reached').count()).toBe(0)
    })

    it('keeps the previous groups readable while new ones load', async () => {
      const { page } = await open(`${houses}?panes=groups`)
      const by = page.getByLabel('Group by')
      await by.selectOption({ index: 1 })
      await page.getByRole('table').waitFor()
      const letGo = await holdRequests(page, '**/v1/Accommodation?*groupby=*')
      await by.selectOption({ index: 2 })
      await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' })
      expect(await page.getByRole('table').count()).toBe(1)
      await explorer.expectAccessible(page)
      letGo()
      await page.getByText('Loading', { exact: true }).waitFor({ state: 'detached' })
    })

    it('shows the whole of a long text below the table, scrollable by keyboard', async () => {
      const { page } = await open('/docs', { size: 'hand' })
      await page.route('**/v1/Accommodation?*fields=*', async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replaceAll(
          /"Shortname" : "/g,
          `$&${'Long '.repeat(100)}`,
        )
        await route.fulfill({ response, body })
      })
      await page.goto(`${hub()}${houses}?pane=table&columns=Shortname`)
      await rows(page).first().waitFor()
      await grid(page).getByRole('columnheader').last().focus()
      await page.keyboard.press('ArrowDown')
      const reading = page.locator('.reading')
      await reading.waitFor()
      await explorer.expectAccessible(page)
      await reading.focus()
      await page.keyboard.press('End')
      await expect.poll(() => reading.evaluate((one) => one.scrollTop)).toBeGreaterThan(0)
    })

    it('shows one pane at a time on a phone', async () => {
      const { page } = await open(houses, { size: 'hand' })
      await rows(page).first().waitFor()
      await page.getByText('Raw', { exact: true }).click()
      await page.getByRole('region', { name: 'JSON as the hub sends it' }).waitFor()
      expect(await grid(page).count()).toBe(0)
      expect(search(page).get('pane')).toBe('raw')
    })

    it('links to the standards that it is available in, also in the export dialog', async () => {
      const { page } = await open('/docs')
      const path = '/catalogue/timeseries/BikesharingStation'
      const dataset = await (await page.request.get(`${hub()}${path}`)).json()
      const url = `${hub()}/gbfs/bikes/gbfs.json`
      const standards = [{ name: 'GBFS', version: '3.0', url, mediaType: 'application/json' }]
      await page.route(`**${path}`, (route) => route.fulfill({ json: { ...dataset, standards } }))
      await page.goto(`${hub()}/datasets/timeseries/BikesharingStation`)
      const link = (within: Page | Locator) => within.getByRole('link', { name: 'GBFS 3.0 (JSON)' })
      expect(await link(page).getAttribute('href')).toBe(url)
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export' })
      expect(await link(dialog).getAttribute('href')).toBe(url)
      await explorer.expectAccessible(page)
    })
  },
)
