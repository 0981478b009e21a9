import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { pushEvent } from './fixture/push-event.ts'

const rows = (page: Page) => page.locator('tbody tr')
const titles = (page: Page) => page.locator('tbody button')
const search = (page: Page) => new URL(page.url()).searchParams
/**
 * Waits until nothing has arrived for half a second. Network idle does not work here, because the
 * change feed keeps a request open.
 */
const untilQuiet = (page: Page) =>
  page.waitForFunction(() => {
    const ends = performance.getEntriesByType('resource').map((one) => one.startTime + one.duration)
    return performance.now() - Math.max(...ends) > 500
  })

const until = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: 30_000, interval: 200 })

/** Shrinks the visual viewport, as the on-screen keyboard of a phone does. */
async function coverBelow(field: Locator): Promise<void> {
  await field.evaluate((element) => {
    const value = element.getBoundingClientRect().bottom + 20
    Object.defineProperty(visualViewport, 'height', { value })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
}

const provider = '/datasets/traffic/province-bz'

describeExplorer('the traffic view', ({ hub, open, atEachSize, inEachLanguage, ...explorer }) => {
  atEachSize(
    'shows events on a map, a timeline and in a table',
    '/datasets/traffic',
    async (visit) => {
      const { page } = visit
      await titles(page).first().waitFor()
      await page.getByRole('group', { name: 'Timeline' }).getByRole('button').first().waitFor()
      await page.getByRole('region', { name: /map/i }).first().waitFor()
      // The tab order must follow the visual order: below, or beside.
      const places = await page.locator('.halves > *').evaluateAll((parts) =>
        parts.map((part) => {
          const { x, y } = part.getBoundingClientRect()
          return { x, y }
        }),
      )
      expect(places).toEqual(places.toSorted((a, b) => a.y - b.y || a.x - b.x))
      await explorer.expectAccessible(page)
      await explorer.screenshot(visit, 'traffic')
    },
  )

  it('ends at its footer, even with a long list beside the map', async () => {
    const { page } = await open('/datasets/traffic?zoom=month')
    await titles(page).first().waitFor()
    const below = () =>
      page.evaluate(() => {
        const foot = document.querySelector('footer')?.getBoundingClientRect().bottom ?? 0
        return document.documentElement.scrollHeight - foot - window.scrollY
      })
    await until(below).toBeLessThan(2)
  })

  it('keeps the table and the focus while another period is requested', async () => {
    const { page } = await open('/datasets/traffic')
    await titles(page).first().waitFor()
    const month = page.getByRole('radio', { name: 'Month' })
    await page.evaluate(() => {
      Object.assign(window, { table: document.querySelector('tbody') })
    })
    const answered = page.waitForResponse(/\/v1\/Announcement/)
    await month.focus()
    await month.press('Space')
    await answered
    await expect.poll(() => search(page).get('zoom')).toBe('month')
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'detached' })
    expect(await month.evaluate((radio) => radio === document.activeElement)).toBe(true)
    expect(
      await page.evaluate(() => Reflect.get(window, 'table') === document.querySelector('tbody')),
    ).toBe(true)
  })

  atEachSize('says everything of an event', '/datasets/traffic?state=active', async (visit) => {
    const { page } = visit
    const title = await titles(page).first().innerText()
    await titles(page).first().click()
    const details = page.getByRole('article', { name: title })
    await details.getByRole('cell', { name: 'First report' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('event-title')
    await details.getByText('Raw', { exact: true }).click()
    await details
      .getByText('"FeatureCollection"')
      .or(details.getByText('"Feature"'))
      .first()
      .waitFor()
    await details.getByText('DATEX II', { exact: true }).click()
    await details.getByText('<situationRecord').waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'traffic-event')
    const id = search(page).get('event') ?? ''
    await details.getByRole('button', { name: 'Close' }).click()
    await details.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`event-${id}`)
  })

  inEachLanguage('speaks the language of the page', provider, async ({ page, look }) => {
    const { now, severity } = {
      de: { now: 'Jetzt', severity: 'Schwere' },
      it: { now: 'Adesso', severity: 'Gravità' },
      en: { now: 'Now', severity: 'Severity' },
    }[look.language]
    await page.getByRole('radio', { name: now }).waitFor({ state: 'attached' })
    await page.getByRole('columnheader', { name: severity }).waitFor()
    const closure = { de: 'Fahrverbot', it: 'Divieto di transito', en: 'Driving ban' }[
      look.language
    ]
    await page.locator('.timeline').getByText(closure).first().waitFor()
    await explorer.expectAccessible(page)
  })

  it('filters by state, road, kind and text, keeps these in the URL, clears them', async () => {
    const { page } = await open(`${provider}?zoom=month`)
    await titles(page).first().waitFor()
    await page.getByText('Last updated').waitFor()
    const all = await rows(page).count()
    await page.getByText('Past', { exact: true }).click()
    await until(() => rows(page).count()).toBeLessThan(all)
    const accident = rows(page)
      .filter({ has: page.getByRole('button', { name: 'Accident' }) })
      .first()
    const road = await accident.locator('.road').innerText()
    await page.getByLabel('Road', { exact: true }).selectOption(road)
    await until(() =>
      page
        .locator('.road')
        .allInnerTexts()
        .then((roads) => [...new Set(roads)]),
    ).toEqual([road])
    const kind = page.getByLabel('Kind', { exact: true })
    await kind.pressSequentially('acc')
    const option = page.getByRole('option', { name: /Accident/ })
    await coverBelow(kind)
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? 0
    await until(async () => (await top(option)) < (await top(kind))).toBe(true)
    await option.click()
    await page.keyboard.press('Escape')
    await until(() =>
      titles(page)
        .allInnerTexts()
        .then((found) => [...new Set(found)]),
    ).toEqual(['Accident'])
    expect(Object.fromEntries(search(page))).toMatchObject({
      state: 'past',
      road,
      kind: 'accident',
    })
    await page.getByLabel('Text', { exact: true }).fill('nothing has this')
    await page.getByText('No events', { exact: true }).waitFor()
    await explorer.expectAccessible(page)
    await page.getByRole('button', { name: 'Clear the filters' }).last().click()
    // The demo may have reported another event in the meantime.
    await until(() => rows(page).count()).toBeGreaterThanOrEqual(all)
    await page.goBack()
    await page.getByText('No events', { exact: true }).waitFor()
  })

  it('moves between events, zooms and changes the period by keyboard', async () => {
    const { page } = await open(provider)
    const bars = page.getByRole('group', { name: 'Timeline' }).locator('[data-event]')
    await bars.first().waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-event'))
    await page.locator('[data-event][tabindex="0"]').focus()
    const first = await focused()
    await page.keyboard.press('ArrowRight')
    await until(focused).not.toBe(first)
    await page.keyboard.press('ArrowLeft')
    await until(focused).toBe(first)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('article').waitFor()
    expect(search(page).get('event')).toBeTruthy()
    await page.locator('[data-event][tabindex="0"]').focus()
    await page.keyboard.press('-')
    await until(() => search(page).get('zoom')).toBe('month')
    await until(focused).toBeTruthy()
    const earlier = page.getByRole('button', { name: 'Earlier' })
    await earlier.focus()
    await page.keyboard.press('Enter')
    await until(() => search(page).get('from')).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(await earlier.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until(() => search(page).has('from')).toBe(false)
  })

  it('follows the feed: new, changed and ended events are marked and announced', async () => {
    const { page } = await open('/datasets/traffic')
    await titles(page).first().waitFor()
    await page.getByText('Last updated').waitFor()
    const said = page.locator('.line [role=status]').first()
    const event = await pushEvent(hub())
    const look = () => page.getByRole('button', { name: 'Check now' }).click()
    // The demo also reports events, sometimes at the same time.
    const untilSaid = async (text: RegExp) => {
      await until(async () => {
        await look()
        return said.innerText()
      }).toMatch(text)
    }
    await untilSaid(/\d new event/)
    const row = rows(page).filter({ hasText: event.title })
    await row.getByText('New', { exact: true }).waitFor()
    await event.change({ severity: 'highest' })
    await untilSaid(/\d changed/)
    await row.getByText('Very high').waitFor()
    await event.change({ cancelled: true })
    await untilSaid(/\d ended/)
    await row.getByText('Cancelled').waitFor()
    // A check without news does not request the whole period again.
    await untilQuiet(page)
    let lists = 0
    page.on('request', (request) => {
      if (request.url().includes('/v1/Announcement?')) lists += 1
    })
    for (let check = 0; check < 2; check += 1) {
      const checked = page.waitForResponse(/situation-publication/)
      await look()
      await checked
      await untilQuiet(page)
    }
    expect(lists).toBe(0)
    await explorer.expectAccessible(page)
  })

  it('shows a new event as soon as the change feed reports it', async () => {
    const { page } = await open('/docs')
    const following = page.waitForRequest(/changes\/Announcement.*live=long-poll/)
    await page.goto(`${hub()}/datasets/traffic`)
    await titles(page).first().waitFor()
    await following
    const event = await pushEvent(hub())
    await rows(page).filter({ hasText: event.title }).getByText('New', { exact: true }).waitFor()
  })

  it('stops following on request, and reports it', async () => {
    const { page } = await open('/datasets/traffic')
    await titles(page).first().waitFor()
    await page.getByLabel('Follow changes').uncheck()
    await page.getByText('Changes are not followed.').waitFor()
    expect(search(page).get('unfollowed')).toBe('true')
  })

  it('shows the requests that it sends', async () => {
    const { page } = await open(provider)
    await titles(page).first().waitFor()
    const line = page.locator('.request .line')
    expect(await line.innerText()).toContain('/v1/Announcement?source=PROVINCE_BZ')
    await page.getByText('Feed (DATEX II)', { exact: true }).last().click()
    expect(await line.innerText()).toContain('/traffic/v1/situation-publication/province-bz')
    const standards = page.getByRole('list', { name: 'Standards' })
    expect(await standards.getByRole('link').first().getAttribute('href')).toContain(
      '/traffic/v1/situation-publication/province-bz',
    )
  })

  it('shows no error if a feed is closed, and links only to open feeds', async () => {
    const visit = await open('/docs')
    visit.expectStatus(404)
    const { page } = visit
    const dataset = await (await page.request.get(`${hub()}/catalogue/traffic/province-bz`)).json()
    await page.route('**/catalogue', (route) =>
      route.fulfill({
        json: {
          datasets: [{ ...dataset, type: 'closed', sources: ['CLOSED'] }, dataset],
        },
      }),
    )
    await page.goto(`${hub()}/datasets/traffic`)
    await titles(page).first().waitFor()
    await page.getByText('Last updated').waitFor()
    expect(await page.locator('.trouble').count()).toBe(0)
    await page.getByText('Feed (DATEX II)', { exact: true }).last().click()
    await until(() => page.locator('.request .line').innerText()).toContain('/province-bz')
  })

  it('reports a feed that fails, and continues with the others', async () => {
    const visit = await open('/docs')
    visit.expectStatus(503)
    const { page } = visit
    const dataset = await (await page.request.get(`${hub()}/catalogue/traffic/province-bz`)).json()
    await page.route('**/catalogue', (route) =>
      route.fulfill({
        json: { datasets: [{ ...dataset, type: 'broken', sources: ['BROKEN'] }, dataset] },
      }),
    )
    await page.route('**/situation-publication/broken', (route) => route.fulfill({ status: 503 }))
    await page.goto(`${hub()}/datasets/traffic`)
    await page.locator('.trouble').waitFor()
    await page.getByText('Last updated').waitFor()
  })

  it('reports that a provider does not exist', async () => {
    const visit = await open('/docs')
    visit.expectStatus(404)
    await visit.page.goto(`${hub()}/datasets/traffic/nobody`)
    await visit.page.getByRole('alert').getByText('Not found').waitFor()
    expect(await visit.page.locator('tbody tr').count()).toBe(0)
    await explorer.expectAccessible(visit.page)
  })

  it.each([
    [503, 'starting or busy'],
    [429, 'Too many requests'],
  ])('waits and retries after a %i', async (status) => {
    const visit = await open('/docs')
    const { page } = visit
    visit.expectStatus(status)
    let isBroken = true
    await page.route('**/v1/Announcement?**', (route) =>
      isBroken
        ? route.fulfill({
            status,
            headers: { 'retry-after': '2' },
            json: { title: 'Later', status },
          })
        : route.continue(),
    )
    await page.goto(`${hub()}/datasets/traffic`)
    await page.getByRole('alert').waitFor()
    await explorer.expectAccessible(page)
    isBroken = false
    await titles(page).first().waitFor()
  })

  it('pauses without a connection, reports it, and continues when it is back', async () => {
    const visit = await open('/datasets/traffic')
    const { page } = visit
    await titles(page).first().waitFor()
    // The map is loaded after the events.
    await page.locator('.map').scrollIntoViewIfNeeded()
    await page.locator('.maplibregl-canvas').waitFor()
    await untilQuiet(page)
    visit.expectStatus(0)
    await page.context().setOffline(true)
    await page.getByText('Paused: no connection.').waitFor()
    await titles(page).first().waitFor()
    await page.context().setOffline(false)
    await page.getByText('Changes appear automatically.').waitFor()
  })
})
