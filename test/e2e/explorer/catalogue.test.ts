import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { copyBy } from './fixture/copy-by.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'

const cards = (page: Page) => page.getByRole('article')
// The text of all titles, including those scrolled out of view, which are not rendered.
const titles = (page: Page) => cards(page).getByRole('heading').allTextContents()
const searchField = (page: Page) =>
  page.getByRole('searchbox', { name: 'Search datasets, records and stations' })
const said = (page: Page) => page.getByRole('status').filter({ hasText: /dataset/ })
const parameters = (page: Page) => new URL(page.url()).searchParams
const kilobyte = 1000

describeExplorer('the catalogue', ({ hub, open, atEachSize, inEachLanguage, ...explorer }) => {
  atEachSize('has nothing that axe-core finds', '/', async (visit) => {
    await cards(visit.page).first().waitFor()
    await explorer.expectAccessible(visit.page)
    await explorer.screenshot(visit, 'catalogue')
  })

  atEachSize('shows what a search finds', '/?q=parking&sort=count', async (visit) => {
    await cards(visit.page).first().waitFor()
    await explorer.expectAccessible(visit.page)
    await explorer.screenshot(visit, 'catalogue-search')
  })

  inEachLanguage('speaks the language of the page', '/', async (visit) => {
    const { page, look } = visit
    const title = { de: 'Unterkünfte', it: 'Alloggi', en: 'Accommodations' }[look.language]
    await cards(page).getByRole('link', { name: title, exact: true }).waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'catalogue')
  })

  it('shows a card for each dataset, and their number', async () => {
    const { page } = await open('/login/done')
    // Other tests push data of new datasets in the meantime, so the response of this very page
    // counts.
    const answer = page.waitForResponse('**/catalogue')
    await page.goto(`${hub()}/`)
    await cards(page).first().waitFor()
    const { datasets } = await (await answer).json()
    expect(await cards(page).count()).toBe(datasets.length)
    expect(await said(page).innerText()).toBe(`${String(datasets.length)} datasets`)
  })

  it('leads a journalist to the free spaces of car parks in three clicks', async () => {
    const { page } = await open('/')
    await searchField(page).click()
    await page.keyboard.type('parking')
    await expect.poll(() => said(page).innerText()).toMatch(/^\d of \d+ datasets$/)
    await page.getByRole('link', { name: 'Car parks', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Car parks' }).waitFor()
    await page.getByText('free', { exact: true }).first().waitFor()
  })

  it('finds datasets by synonyms, and reports when nothing matches', async () => {
    const { page } = await open('/')
    await searchField(page).fill('hotel')
    await expect.poll(() => titles(page)).toContain('Accommodations')
    await searchField(page).fill('xyzzy')
    await page.getByText('No title or description contains “xyzzy”.').waitFor()
    await explorer.expectAccessible(page)
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByRole('link', { name: 'Car parks', exact: true }).waitFor()
    expect(parameters(page).has('q')).toBe(false)
  })

  it('finds records and stations too, and suggests similar words if nothing matches', async () => {
    const { page } = await open('/')
    await searchField(page).fill('bozen')
    const records = page.getByRole('heading', { name: /^Records \(\d+\)$/ })
    await records.waitFor()
    await searchField(page).fill('bahnhof')
    await page.getByRole('heading', { name: 'Stations', exact: true }).waitFor()
    await explorer.expectAccessible(page)
    await searchField(page).fill('acomodation')
    await page.getByRole('button', { name: 'accommodation', exact: true }).click()
    await page.getByRole('link', { name: 'Accommodations', exact: true }).waitFor()
  })

  it('keeps filters in the URL, and removes the last one on Back', async () => {
    const { page } = await open('/')
    const traffic = page.getByRole('group', { name: 'Service' }).getByLabel('Traffic')
    await traffic.check()
    await expect.poll(() => cards(page).count()).toBe(1)
    expect(parameters(page).getAll('service')).toEqual(['traffic'])
    await page.getByRole('group', { name: 'Service' }).getByLabel('Content').check()
    expect(parameters(page).getAll('service')).toEqual(['traffic', 'content'])
    await page.goBack()
    await expect.poll(() => cards(page).count()).toBe(1)
    await page.reload()
    await cards(page).first().waitFor()
    expect(await traffic.isChecked()).toBe(true)
    expect(await cards(page).count()).toBe(1)
  })

  it('is sorted by title or by number of records', async () => {
    const { page } = await open('/?service=content')
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Title')
    await expect.poll(async () => (await titles(page))[0]?.trim()).toBe('Accommodations')
    const shown = (await titles(page)).map((title) => title.trim())
    expect(shown).toEqual(shown.toSorted((a, b) => a.localeCompare(b, 'en')))
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Most records')
    await expect.poll(async () => (await titles(page))[0]?.trim()).not.toBe('Accommodations')
    expect(parameters(page).get('sort')).toBe('count')
  })

  it('offers the request for each dataset to copy', async () => {
    const { page } = await open('/?q=Accommodation')
    const button = page.getByRole('button', { name: 'Request for Accommodations' })
    await button.click()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await explorer.expectAccessible(page)
    const card = cards(page).filter({ has: button })
    const copied = await copyBy(card.getByRole('button', { name: 'Copy' }))
    expect(new URL(copied).pathname).toBe('/v1/Accommodation')
  })

  it('can be used by keyboard: search, filter and card', async () => {
    const { page } = await open('/')
    await cards(page).first().waitFor()
    await searchField(page).focus()
    await page.keyboard.type('weather')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox')
    await page.keyboard.press('Space')
    await expect.poll(() => parameters(page).size).toBe(2)
    await cards(page).first().getByRole('link').focus()
    const name = await cards(page).first().getByRole('link').innerText()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })

  it('opens its filters with a button on a phone', async () => {
    const { page } = await open('/?access=open', { size: 'hand' })
    const group = page.getByRole('group', { name: 'Access' })
    await cards(page).first().waitFor()
    expect(await group.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await group.waitFor()
    await explorer.expectAccessible(page)
  })

  it('loads at most 200 kB on the first view', async () => {
    const { page } = await open('/')
    await cards(page).first().waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = await page.evaluate(() =>
      performance
        .getEntries()
        .flatMap((entry) => Number(Reflect.get(entry, 'encodedBodySize')) || 0)
        .reduce((sum, size) => sum + size, 0),
    )
    expect(bytes).toBeGreaterThan(10 * kilobyte)
    expect(bytes).toBeLessThanOrEqual(200 * kilobyte)
  })
})

const failures = [
  [401, 'Log in to see this'],
  [403, 'Not for this account'],
  [429, 'Too many requests'],
  [500, 'Something went wrong'],
  [503, 'The hub is busy or starting'],
] as const

describeExplorer('the catalogue while loading, failing or empty', ({ hub, open, ...explorer }) => {
  it.each(failures)('explains a %i, and appears once a retry succeeds', async (status, title) => {
    const visit = await open('/login/done')
    const { page } = visit
    visit.expectStatus(status)
    let isBusy = true
    await page.route('**/catalogue', (route) =>
      isBusy
        ? route.fulfill({
            status,
            headers: { 'retry-after': '2', 'x-request-id': 'c0ffee' },
            body: '{}',
          })
        : route.continue(),
    )
    await page.goto(`${hub()}/`)
    const alert = page.getByRole('alert')
    await alert.getByText(title).waitFor()
    if (status === 500) await alert.getByText('c0ffee').waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, `state-${String(status)}`)
    isBusy = false
    if (status !== 429 && status !== 503) {
      await page.getByRole('button', { name: 'Try again now' }).click()
    }
    await cards(page).first().waitFor()
    expect(await alert.count()).toBe(0)
  })

  it('reports that the hub cannot be reached, and retries automatically', async () => {
    const { page, expectStatus } = await open('/login/done')
    expectStatus(0)
    let isGone = true
    await page.route('**/catalogue', (route) => (isGone ? route.abort() : route.continue()))
    await page.goto(`${hub()}/`)
    await page.getByText('The hub cannot be reached').waitFor()
    await explorer.expectAccessible(page)
    isGone = false
    await cards(page).first().waitFor()
  })

  it('announces that it is loading', async () => {
    const { page } = await open('/login/done')
    let go: (() => void) | undefined
    const waiting = new Promise<void>((resolve) => {
      go = resolve
    })
    await page.route('**/catalogue', async (route) => {
      await waiting
      await route.continue()
    })
    await page.goto(`${hub()}/`)
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' })
    await explorer.expectAccessible(page)
    go?.()
    await cards(page).first().waitFor()
  })

  it('reports that a hub without data is empty', async () => {
    const { page } = await open('/login/done')
    await page.route('**/catalogue', (route) =>
      route.fulfill({ json: { extent: null, datasets: [] } }),
    )
    await page.goto(`${hub()}/`)
    await page.getByText('The hub is empty').waitFor()
    await explorer.expectAccessible(page)
  })
})
