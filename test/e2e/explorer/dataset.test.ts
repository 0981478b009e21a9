import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { copyBy } from './fixture/copy-by.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'

const houses = '/datasets/content/Accommodation'
const parking = '/datasets/timeseries/ParkingStation'

const grid = (page: Page) => page.getByRole('grid')
const rows = (page: Page) => grid(page).locator('[role=row][aria-busy=false]')
const heading = (page: Page, name: string) => grid(page).getByRole('columnheader', { name })
const titles = (page: Page) => grid(page).getByRole('rowheader').allInnerTexts()
const search = (page: Page) => new URL(page.url()).searchParams

/** Returns the number of records or stations that the view shows. */
async function total(page: Page): Promise<number> {
  return Number(await grid(page).getAttribute('aria-rowcount')) - 1
}

describeExplorer('the view of a dataset', ({ hub, open, atEachSize, ...explorer }) => {
  atEachSize('has nothing that axe-core finds', houses, async (visit) => {
    await rows(visit.page).first().waitFor()
    await explorer.expectAccessible(visit.page)
    await explorer.screenshot(visit, 'dataset')
  })

  atEachSize(
    'shows JSON that axe-core has nothing to say of',
    `${houses}?pane=raw&panes=table,raw`,
    async (visit) => {
      await visit.page.getByRole('region', { name: 'JSON as the hub sends it' }).waitFor()
      await explorer.expectAccessible(visit.page)
      await explorer.screenshot(visit, 'dataset-raw')
    },
  )

  atEachSize('shows the latest values of stations', parking, async (visit) => {
    await rows(visit.page).first().waitFor()
    await explorer.expectAccessible(visit.page)
    await explorer.screenshot(visit, 'dataset-stations')
  })

  explorer.inEachLanguage(
    'speaks the language of the page, texts included',
    houses,
    async (visit) => {
      const { page, look } = visit
      await rows(page).first().waitFor()
      const words = { de: 'Unterkünfte', it: 'Alloggi', en: 'Accommodations' }
      await page.getByRole('heading', { level: 1, name: words[look.language] }).waitFor()
      await heading(
        page,
        { de: 'Gemeinde', it: 'Comune', en: 'Municipality' }[look.language],
      ).waitFor()
      await explorer.expectAccessible(page)
    },
  )

  it.each([
    ['WeatherForecast', '/v1/Weather/Forecast'],
    ['Measuringpoint', '/v1/Weather/Measuringpoint'],
    ['GeoShape', '/v1/GeoShapes'],
  ])('requests %s from the path in the catalogue', async (entity, list) => {
    const { page } = await open(`/datasets/content/${entity}?panes=table,map`)
    await rows(page).first().waitFor()
    const told = await (await fetch(`${hub()}${list}?pagesize=1`)).json()
    expect(await total(page)).toBe(told.TotalResults)
    await page.getByRole('region', { name: 'Request' }).getByText(list).first().waitFor()
    await rows(page).first().getByRole('link').first().click()
    await page.getByRole('tab', { name: 'JSON' }).waitFor()
  })

  it('shows as many rows as the API has records, and the same first title', async () => {
    const { page } = await open(`${houses}?panes=table`)
    await rows(page).first().waitFor()
    const answer = await fetch(
      `${hub()}/v1/Accommodation?pagesize=1&fields=Id,AccoDetail.en.Name,AccoDetail.de.Name`,
    )
    const { TotalResults, Items } = await answer.json()
    expect(await total(page)).toBe(TotalResults)
    const [first] = Items
    expect((await titles(page))[0]).toBe(first['AccoDetail.en.Name'] ?? first['AccoDetail.de.Name'])
  })

  it('jumps by keyboard past pages that are not loaded, and opens a record', async () => {
    const { page } = await open(`${houses}?panes=table`)
    await rows(page).first().waitFor()
    const count = await total(page)
    await heading(page, 'Picture').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+End')
    const last = grid(page).locator(`[role=row][aria-rowindex="${count + 1}"]`)
    await last.and(page.locator('[aria-busy=false]')).waitFor()
    expect(await focusedRow(page)).toBe(String(count + 1))
    await page.keyboard.press('Control+Home')
    await expect.poll(() => focusedRow(page)).toBe('2')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect.poll(() => search(page).get('record')).not.toBeNull()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/records\/Accommodation\//)
    await page.goBack()
    await rows(page).first().waitFor()
  })

  it('sorts by a click on a column header, shows the request, and undoes it on Back', async () => {
    const { page } = await open(`${houses}?panes=table`)
    await rows(page).first().waitFor()
    const usual = await titles(page)
    await heading(page, 'Title').click()
    await expect.poll(() => heading(page, 'Title').getAttribute('aria-sort')).toBe('ascending')
    await heading(page, 'Title').click()
    await expect.poll(() => search(page).get('sort')).toBe('-AccoDetail.en.Name')
    await expect.poll(async () => (await titles(page))[0]).not.toBe(usual[0])
    const named = (await titles(page)).filter((title) => title !== '–')
    const sorted = named.toSorted((a, b) => (a < b ? 1 : -1))
    expect(named[0]).toBe(sorted[0])
    await page.getByRole('button', { name: 'Request' }).click()
    await page
      .getByRole('region', { name: 'Request' })
      .getByText('rawsort=-AccoDetail.en.Name')
      .first()
      .waitFor()
    await page.goBack()
    await page.goBack()
    await expect.poll(async () => (await titles(page))[0]).toBe(usual[0])
  })

  it('adds, moves and hides columns, and keeps them in the URL', async () => {
    const { page } = await open(`${houses}?panes=table`)
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    await dialog.getByRole('searchbox', { name: 'Search for a field' }).fill('altitude')
    await dialog
      .getByText(/Deprecated since .* served at least until/)
      .first()
      .waitFor()
    await dialog.getByRole('searchbox', { name: 'Search for a field' }).fill('Shortname')
    await dialog
      .getByRole('checkbox', { name: /^Shortname/ })
      .first()
      .check()
    await explorer.expectAccessible(page)
    await dialog.getByRole('button', { name: 'Move Shortname forward' }).click()
    await dialog.getByRole('button', { name: 'Hide Picture' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await heading(page, 'Shortname').waitFor()
    expect(await heading(page, 'Picture').count()).toBe(0)
    const columns = search(page).get('columns')?.split(',') ?? []
    expect(columns.at(-2)).toBe('Shortname')
    await page.reload()
    await heading(page, 'Shortname').waitFor()
  })

  it('resizes columns by keyboard and by pointer', async () => {
    const { page } = await open(`${houses}?panes=table`)
    await rows(page).first().waitFor()
    const width = async () => (await heading(page, 'Title').boundingBox())?.width ?? 0
    const before = await width()
    await heading(page, 'Picture').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(width).toBe(before + 16)
    const box = await heading(page, 'Title').boundingBox()
    if (box === null) throw new Error('The column is not to be seen')
    await page.mouse.move(box.x + box.width, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width + 60, box.y + 10, { steps: 3 })
    await page.mouse.up()
    await expect.poll(width).toBe(before + 76)
    expect(search(page).get('sort')).toBeNull()
  })

  it('groups records by field with a mean value, and links to the records of a group', async () => {
    const visit = await open(`${houses}?panes=table`)
    const { page } = visit
    await page.getByRole('group', { name: 'What is shown' }).getByText('Groups').click()
    await page.getByText('By which field?').waitFor()
    const by = page.getByLabel('Group by')
    const municipality = await by
      .locator('option', { hasText: /municipality/i })
      .first()
      .getAttribute('value')
    await by.selectOption(municipality)
    const altitude = page.getByLabel('Compute a number').locator('option', { hasText: 'Altitude' })
    await page
      .getByLabel('Compute a number')
      .selectOption(await altitude.first().getAttribute('value'))
    const table = page.getByRole('table', { name: /groups$/ })
    await table.getByRole('columnheader', { name: 'Mean' }).waitFor()
    // Changes the field, then adds a second one and removes it: the view must show what was
    // requested last.
    const options = await by.locator('option').all()
    const paths = await Promise.all(options.map((option) => option.getAttribute('value')))
    const other = paths.find((path) => path !== '' && path !== municipality)
    await by.selectOption(other ?? '')
    await by.selectOption(municipality)
    await page
      .getByLabel('and by')
      .first()
      .selectOption(other ?? '')
    await table.getByRole('columnheader').nth(6).waitFor()
    await page.getByLabel('and by').first().selectOption('')
    await table.getByRole('columnheader').nth(6).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    await page.getByRole('region', { name: 'Request' }).getByText('Groups').click()
    await page.getByRole('region', { name: 'Request' }).getByText('groupby=').first().waitFor()
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    const first = table.getByRole('row').nth(1)
    const count = await first.getByRole('cell').nth(1).innerText()
    const csv = await page.getByRole('link', { name: 'All groups as CSV' }).getAttribute('href')
    const answer = await page.request.get(new URL(csv ?? '', page.url()).href)
    expect(await answer.text()).toContain('avg(')
    await first.getByRole('button').click()
    await expect.poll(() => search(page).get('filter')).toMatch(/^eq\(/)
    await page.getByText(`${count} records`).first().waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'groups')
  })

  it('shows panes side by side, hides them, and resizes them by keyboard', async () => {
    const { page } = await open(`${houses}?panes=table,raw`)
    const raw = page.getByRole('region', { name: 'Raw', exact: true })
    await raw.waitFor()
    const width = async () => (await raw.boundingBox())?.width ?? 0
    const before = await width()
    await page.getByRole('separator').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(width).toBeGreaterThan(before)
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await expect.poll(() => grid(page).count()).toBe(0)
    expect(search(page).get('panes')).toBe('raw')
  })

  it('shows the unchanged JSON of the page and of the selected record', async () => {
    const { page } = await open(`${houses}?panes=table,raw&columns=Shortname`)
    await rows(page).first().waitFor()
    const raw = page.getByRole('region', { name: 'Raw', exact: true })
    const copied = await copyBy(raw.getByRole('button', { name: 'Copy' }))
    const answer = await fetch(`${hub()}/v1/Accommodation?fields=Id,Shortname&pagesize=100`)
    expect(JSON.parse(copied)['Items']).toEqual((await answer.json())['Items'])
    // A long list is rendered in parts.
    const ids = raw.getByText('"Id"')
    await expect.poll(() => ids.count()).toBe(50)
    await raw.getByRole('button', { name: 'Show 50 more' }).click()
    await expect.poll(() => ids.count()).toBe(100)
    await rows(page).nth(2).getByRole('gridcell').first().click()
    await raw.getByText('"AccoDetail"').first().waitFor()
    const id = search(page).get('record') ?? ''
    await raw.getByText(`"${id}"`).first().waitFor()
  })

  it('links from a value of a station to its series', async () => {
    const { page } = await open(`${parking}?panes=table`)
    await rows(page).first().waitFor()
    await grid(page)
      .getByRole('link', { name: /Values of free over time/ })
      .first()
      .click()
    await expect.poll(() => search(page).get('series')).toMatch(/^ParkingStation\/.+\/free$/)
  })
})

/** Returns the row index of the focused cell, as screen readers announce it. */
function focusedRow(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() =>
    document.activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex'),
  )
}
