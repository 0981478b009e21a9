import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'
import { firstOf, rewrite } from './fixture/rewrite.ts'
import { follow } from './fixture/visit.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const parameters = (page: Page) => new URL(page.url()).searchParams

const hut = 'tagfilter=gastronomy&source=lts'

describeExplorer('the view of a record', ({ hub, open, ...explorer }) => {
  const looks = [
    { size: 'desk', language: 'en' },
    { size: 'desk', light: 'dark', language: 'de' },
    { size: 'hand', language: 'it' },
  ] as const

  it('has metadata for search engines, which no other view keeps', async () => {
    const path = await firstOf(hub(), 'HubActivityPoi', hut)
    const [, written = ''] =
      /<title>(.*)<\/title>/.exec(await (await fetch(hub() + path)).text()) ?? []
    const { page } = await open(path)
    const facts = () =>
      page.evaluate(() => {
        const read = (element: string, name: string) =>
          document.head.querySelector(element)?.getAttribute(name)
        const own =
          'meta[property^="og:"], link[rel="alternate"], script[type="application/ld+json"]'
        return {
          title: document.title,
          path: new URL(read('link[rel="canonical"]', 'href') ?? '').pathname,
          description: read('meta[name="description"]', 'content') ?? '',
          ofRecord: document.head.querySelectorAll(own).length,
        }
      })
    await part(page, 'Opening times').waitFor()
    const ofRecord = await facts()
    expect(ofRecord).toMatchObject({ title: written, path })
    expect(ofRecord.description.length).toBeGreaterThan(20)
    expect(ofRecord.ofRecord).toBeGreaterThan(10)
    await page.locator('nav a[href="/datasets/content/HubActivityPoi"]').first().click()
    await page.getByRole('grid').waitFor()
    const ofDataset = await facts()
    expect(ofDataset).toMatchObject({ path: '/datasets/content/HubActivityPoi', ofRecord: 0 })
    expect(ofDataset.title).not.toBe(written)
    expect(ofDataset.description).not.toBe(ofRecord.description)
    await page.goBack()
    await part(page, 'Opening times').waitFor()
    await expect.poll(facts).toMatchObject({ title: written, path, ofRecord: 0 })
  })

  it.each(looks)('has no accessibility violations: $size, $language', async (look) => {
    const visit = await open(await firstOf(hub(), 'HubActivityPoi', hut), look)
    const { page } = visit
    const words = { de: 'Öffnungszeiten', it: 'Orari di apertura', en: 'Opening times' }
    await part(page, words[look.language]).waitFor()
    await page.locator('.map').scrollIntoViewIfNeeded()
    await page.locator('.maplibregl-canvas').waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'record')
    for (const name of ['members', 'versions', 'raw']) {
      await page.goto(`${page.url().split('?')[0] ?? ''}?part=${name}`)
      await page.getByRole('tabpanel').waitFor()
      await page.waitForLoadState('networkidle')
      await explorer.expectAccessible(page)
      await explorer.screenshot(visit, `record-${name}`)
    }
  })

  it('loads the map library only when a map is in view, and not all the catalogue', async () => {
    const visit = await open('/docs', { size: 'hand' })
    const { page } = visit
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${hub()}${await firstOf(hub(), 'HubActivityPoi', hut)}`)
    await part(page, 'About this record').waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((path) => path.includes('maplibre'))).toEqual([])
    const whole = await page.evaluate(() =>
      performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/catalogue')),
    )
    expect(whole).toEqual([])
    await page.locator('.map').scrollIntoViewIfNeeded()
    await page.locator('.maplibregl-canvas').waitFor()
  })

  it('shows texts in the selected language, or in all languages side by side', async () => {
    const { page } = await open(await firstOf(hub(), 'HubActivityPoi', hut))
    const choice = part(page, 'Texts').getByRole('combobox', { name: 'Language of the texts' })
    await choice.selectOption('Italian')
    await part(page, 'Texts').locator('[lang=it]').first().waitFor()
    expect(parameters(page).get('texts')).toBe('it')
    await choice.selectOption('Side by side')
    await part(page, 'Texts').locator('[lang=de]').first().waitFor()
    await explorer.expectAccessible(page)
    await page.reload()
    await part(page, 'Texts').locator('[lang=it]').first().waitFor()
  })

  it('is shown with raw field names if the descriptions cannot be loaded', async () => {
    const { page, expectStatus } = await open('/login/done')
    expectStatus(503)
    await page.route('**/catalogue/content/*/members', (route) =>
      route.fulfill({ status: 503, json: { status: 503 } }),
    )
    await page.goto(new URL(await firstOf(hub(), 'HubActivityPoi', hut), page.url()).href)
    await part(page, 'More fields').getByText('OperationSchedule').waitFor()
  })

  it('shows a week of opening times, with today marked', async () => {
    const { page } = await open(await firstOf(hub(), 'HubActivityPoi', hut))
    const table = part(page, 'Opening times').getByRole('table').first()
    await table.waitFor()
    expect(await table.getByRole('rowheader').count()).toBe(7)
    const weekday = new Date().toLocaleDateString('en', {
      ...{ weekday: 'long', timeZone: 'Europe/Rome' },
    })
    const today = table.locator('[aria-current=date]')
    expect(await today.getByRole('rowheader').innerText()).toContain(weekday)
  })

  it('links a tag to all records that have it', async () => {
    const { page } = await open(await firstOf(hub(), 'HubActivityPoi', hut))
    await part(page, 'Tags').getByRole('link', { name: 'Gastronomy' }).click()
    await page
      .getByRole('heading', { level: 1, name: 'Activities and points of interest' })
      .waitFor()
    expect(parameters(page).get('tag')).toBe('gastronomy')
  })

  it('links to related records, and returns on Back', async () => {
    const { page } = await open(await firstOf(hub(), 'MetaRegion'))
    const related = part(page, 'Related records')
    const link = related.getByRole('link').first()
    await link.waitFor()
    // Names that are not in the record itself are requested.
    await expect.poll(() => link.innerText()).not.toMatch(/^[0-9A-F]{32}$/)
    const name = await link.innerText()
    await link.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.goBack()
    await related.waitFor()
  })

  it('shows pictures with alternative text and licence, or a notice if one fails', async () => {
    const path = await firstOf(hub(), 'HubActivityPoi', hut)
    const { page, expectStatus } = await open(path)
    const pictures = part(page, 'Pictures')
    await pictures.getByRole('img').first().waitFor()
    expect(await pictures.locator('img:not([alt]), img[alt=""]').count()).toBe(0)
    await pictures.getByText('Licence: CC0').first().waitFor()
    expectStatus(0, 404)
    await page.route('**/demo/images/**', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await pictures.getByText('This picture cannot be loaded').first().waitFor()
    await explorer.expectAccessible(page)
  })

  it('lists all fields, searchable by name, with their deprecations', async () => {
    const { page } = await open(await firstOf(hub(), 'Accommodation'))
    await tab(page, 'All fields').click()
    expect(parameters(page).get('part')).toBe('members')
    await page.getByRole('searchbox', { name: 'Find a field' }).fill('TrustYouScore')
    await page.getByText(/^\d values? found$/).waitFor()
    await page.getByText('Deprecated since 20 Nov 2026').first().waitFor()
    await page.getByText('use Review.trustyou.Score').waitFor()
    await explorer.expectAccessible(page)
  })

  it('can be used by keyboard: arrow keys switch between parts', async () => {
    const { page } = await open(await firstOf(hub(), 'Venue'))
    await tab(page, 'Overview').focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('searchbox', { name: 'Find a field' }).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('group', { name: 'JSON', exact: true }).waitFor()
    expect(parameters(page).get('part')).toBe('raw')
    await page.goBack()
    await page.getByRole('searchbox', { name: 'Find a field' }).waitFor()
  })
})

describeExplorer('the versions of a record', ({ hub, open, ...explorer }) => {
  it('show the old and the new value of each changed field', async () => {
    const path = await firstOf(hub(), 'Article')
    const text = `Written at ${String(Date.now())}.`
    await rewrite(hub(), path, ['/Detail/en/BaseText', text])
    const { page } = await open(`${path}?part=versions`)
    await page.getByText('Detail › en › BaseText').waitFor()
    await page.getByRole('insertion').filter({ hasText: text }).waitFor()
    await page.getByRole('deletion').waitFor()
    await page.getByText('The first version that the hub keeps.').waitFor()
    await explorer.expectAccessible(page)
  })

  it('are restored by a user with permission after a preview of the difference', async () => {
    // Not one of the first records: those appear in lists that other tests compare with the API in
    // the meantime.
    const path = await firstOf(hub(), 'Accommodation', 'pagenumber=150')
    const { page, expectStatus } = await open('/desk')
    expectStatus(401)
    await logIn(page, 'demo-clerk')
    await page.getByText('What you can do as demo-clerk.').waitFor()
    const text = `Written at ${String(Date.now())}.`
    await rewrite(hub(), path, ['/Shortname', text])
    await page.goto(`${hub()}${path}?part=versions`)
    await page
      .getByRole('button', { name: /^Restore version/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(text).waitFor()
    await explorer.expectAccessible(page)
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('deletion').filter({ hasText: text }).waitFor()
  })

  it('of an accommodation require a login', async () => {
    // No request is refused, so the console of visitors stays clean.
    const { page } = await open(await firstOf(hub(), 'Accommodation'))
    await tab(page, 'Versions').click()
    await page.getByRole('alert').getByText('Log in to see this').waitFor()
    await explorer.expectAccessible(page)
  })
})

const failures = [
  [401, 'Log in to see this'],
  [403, 'Not for this account'],
  [404, 'Not found'],
  [429, 'Too many requests'],
  [500, 'Something went wrong'],
  [503, 'The hub is busy or starting'],
] as const

describeExplorer('any record', ({ hub, open, ...explorer }) => {
  it('of each entity has a view', { timeout: 300_000 }, async () => {
    const { page } = await open('/login/done')
    const { datasets } = await (await page.request.get(`${hub()}/catalogue`)).json()
    const lists: readonly (readonly [string, string])[] = datasets.flatMap(
      (one: { service: string; access: string; type: string; links: { list: string } }) =>
        one.service === 'content' && one.access !== 'closed' ? [[one.type, one.links.list]] : [],
    )
    expect(lists.length).toBeGreaterThan(20)
    for (const [type, list] of lists) {
      const url = `${hub()}${new URL(list).pathname}?pagesize=1`
      const found = await (await page.request.get(url)).json()
      const { Id } = Array.isArray(found) ? found[0] : found.Items[0]
      await follow(page, `/records/${type}/${encodeURIComponent(String(Id))}`)
      await part(page, 'About this record').waitFor()
      expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe('')
      // Wait until this view is gone, so that the next one is not mistaken for it.
      await page.goBack()
      await part(page, 'About this record').waitFor({ state: 'detached' })
    }
  })

  it('with unexpected values does not break the view', async () => {
    const { page } = await open('/login/done')
    const odd = {
      ...{
        Id: 7,
        Detail: [{ de: null }],
        ImageGallery: { a: 1 },
        GpsInfo: 'here',
        Tags: [null, 3],
      },
      ...{ OperationSchedule: [{ OperationScheduleTime: 'always' }], LocationInfo: [], Geo: null },
      ...{ ContactInfos: { de: 'x' }, EventDate: [{}], LastChange: 'yesterday', HasLanguage: 'de' },
      ...{ RelatedContent: [{}], LicenseInfo: 'free', Geometry: { type: 'Polygon' }, EndDate: 5 },
    }
    await page.route('**/v1/Venue/odd', (route) => route.fulfill({ json: odd }))
    await page.goto(`${hub()}/records/Venue/odd`)
    await part(page, 'About this record').waitFor()
    for (const name of ['All fields', 'JSON']) {
      await tab(page, name).click()
      await page.getByRole('tabpanel', { name }).waitFor()
    }
    await explorer.expectAccessible(page)
  })

  it('that does not exist, or whose entity does not exist, is reported as not found', async () => {
    const { page, expectStatus } = await open('/login/done')
    expectStatus(404)
    for (const path of ['/records/Venue/nowhere', '/records/Moon/1']) {
      await page.goto(`${hub()}${path}`)
      await page.getByRole('alert').getByText('Not found').waitFor()
      await explorer.expectAccessible(page)
    }
    await page.getByRole('link', { name: 'To the catalogue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  })

  it('that fails with 401, 403, 404, 429, 500 or 503 explains what to do', async () => {
    const { page, expectStatus } = await open('/login/done')
    for (const [status, title] of failures) {
      expectStatus(status)
      await page.route('**/v1/Venue/1', (route) =>
        route.fulfill({ status, headers: { 'retry-after': '30' }, body: '{}' }),
      )
      await page.goto(`${hub()}/records/Venue/1`)
      await page.getByRole('alert').getByText(title).waitFor()
    }
    await explorer.expectAccessible(page)
  })
})
