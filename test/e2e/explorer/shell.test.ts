import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { listen } from '../../fixtures/listen.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { holdRequests } from './fixture/visit.ts'

describeExplorer('the shell of the page', ({ hub, open, inEachLanguage, expectAccessible }) => {
  inEachLanguage('speaks the language of the browser, and says so', '/', async (visit) => {
    const { page, look } = visit
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(look.language)
    const words = { de: 'Katalog', it: 'Catalogo', en: 'Catalogue' }
    await page.getByRole('heading', { level: 1, name: words[look.language] }).waitFor()
    await page.getByRole('contentinfo').waitFor()
  })

  it('uses the selected language, and keeps it in the URL and across views', async () => {
    const { page } = await open('/')
    await page.getByRole('button', { name: 'Language: English' }).click()
    await page.getByRole('menuitemradio', { name: 'Italiano' }).click()
    await page.getByRole('heading', { level: 1, name: 'Catalogo' }).waitFor()
    expect(new URL(page.url()).searchParams.get('lang')).toBe('it')
    await page.getByRole('link', { name: 'Documentazione' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).search).toBe('?lang=it')
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'Catalogo' }).waitFor()
  })

  it('has menus that work by keyboard and return the focus', async () => {
    const { page } = await open('/')
    const button = page.getByRole('button', { name: 'Appearance: System' })
    const focused = () => page.evaluate(() => document.activeElement?.textContent.trim())
    await button.focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('System')
    await expectAccessible(page)
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('Dark')
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+l')
    expect(await focused()).toBe('System')
    await page.keyboard.press('Shift+L')
    expect(await focused()).toBe('Light')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
    await button.click()
    await page.getByRole('menu').waitFor()
    await button.click()
    await page.getByRole('menu').waitFor({ state: 'hidden' })
  })

  it('applies the dark appearance over the setting of the system, and remembers it', async () => {
    const { page } = await open('/')
    const paper = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await paper()
    await page.getByRole('button', { name: 'Appearance: System' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(paper).not.toBe(light)
    await page.reload()
    await page.getByRole('button', { name: 'Appearance: Dark' }).waitFor()
    expect(await paper()).not.toBe(light)
  })

  it('can be used by keyboard: skip link, navigation, heading of the next view', async () => {
    const { page } = await open('/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Skip to the content',
    )
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.getByRole('link', { name: 'Docs', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await expect.poll(() => page.title()).toBe('Docs · Hub')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  })

  const top = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

  it('restores the scroll position on Back and on reload, also after leaving at once', async () => {
    const { page } = await open('/')
    const link = page.getByRole('main').getByRole('link', { name: 'Accommodations' }).first()
    await link.waitFor()
    // The page is left in the same moment, so the position must be saved immediately.
    await page.evaluate(() => {
      window.scrollTo(0, 700)
      document.querySelector<HTMLAnchorElement>('header a[href="/docs"]')?.click()
    })
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor()
    await expect.poll(() => top(page)).toBe(0)
    await page.goBack()
    await link.waitFor()
    await expect.poll(() => top(page)).toBe(700)
    await page.reload()
    await link.waitFor()
    await expect.poll(() => top(page)).toBe(700)
  })

  it('scrolls to the fragment of a URL, and ignores an invalid one', async () => {
    const { page } = await open('/docs/push')
    const id = await page.locator('main h2[id]').last().getAttribute('id')
    await page.goto('about:blank')
    const visit = await open(`/docs/push#${id ?? ''}`)
    await expect.poll(() => top(visit.page)).toBeGreaterThan(300)
    const wrong = await open('/docs/push#%zz')
    await wrong.page.locator('main h2').first().waitFor()
    const listed = await open('/docs/deprecations#%zz')
    // The table may be in a collapsed section.
    await listed.page.locator('main table').first().waitFor({ state: 'attached' })
  })

  it('moves the focus to a late heading, unless the user has moved it', async () => {
    const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName)
    for (const [goesOn, end] of [
      [false, 'H1'],
      [true, 'A'],
    ] as const) {
      const { page } = await open('/')
      const letGo = await holdRequests(page, /assets\/TimeseriesView-/)
      await page.getByRole('banner').getByRole('link', { name: 'Time series' }).click()
      if (goesOn) await page.keyboard.press('Tab')
      await pause(2000)
      letGo()
      await page.getByRole('heading', { level: 1, name: 'Time series' }).waitFor()
      await expect.poll(() => focused(page)).toBe(end)
    }
  })

  it('preloads the code of a view on hover, and its data when a link is pressed', async () => {
    const { page } = await open('/')
    await page.getByRole('main').getByRole('link').first().waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const quota = () => asked.filter((path) => path === '/quota').length
    const code = page.waitForRequest(/assets\/TimeseriesView-/)
    await page.getByRole('banner').getByRole('link', { name: 'Time series' }).hover()
    await code
    expect(quota()).toBe(0)
    await page.mouse.down()
    await expect.poll(quota).toBe(1)
    await page.mouse.up()
    await page.getByRole('heading', { level: 1, name: 'Time series' }).waitFor()
    expect(quota()).toBe(1)
  })

  it('reloads automatically once if a part is missing, and then only on request', async () => {
    const { page, expectStatus } = await open('/')
    expectStatus(0)
    await page.route(/assets\/TimeseriesView-/, (route) => route.abort())
    await page.getByRole('banner').getByRole('link', { name: 'Time series' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(/^Trying again in/).waitFor()
    await alert.getByRole('button', { name: 'Try again now' }).click()
    await alert.getByText('Something went wrong').waitFor()
    expect(await alert.getByText(/^Trying again/).count()).toBe(0)
    await page.unroute(/assets\/TimeseriesView-/)
    await alert.getByRole('button', { name: 'Try again now' }).click()
    await page.getByRole('combobox', { name: 'Stations and data types' }).waitFor()
  })

  it('uses the time zone chosen in the footer, and remembers it', async () => {
    const { page } = await open('/datasets/traffic?zoom=day')
    const begins = () =>
      page
        .locator('.request .line')
        .innerText()
        .then((line) => /begin=[^&]*T(\d\d)/.exec(line)?.[1])
    await expect.poll(begins).toMatch(/^2[23]$/)
    await page.getByLabel('Times are shown in').selectOption('utc')
    await expect.poll(begins).toBe('00')
    await page.reload()
    await expect.poll(begins).toBe('00')
  })

  it('reports an unknown path as a page to people, and as JSON to programs', async () => {
    const visit = await open('/docs')
    visit.expectStatus(404)
    const { page } = visit
    const answer = await page.goto(new URL('/nope', page.url()).href)
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    const program = await page.request.get(new URL('/nope', page.url()).href, {
      headers: { accept: 'application/json' },
    })
    expect(program.headers()['content-type']).toContain('problem+json')
  })

  it('shows one view without a banner in an allowed frame, and opens others outside', async () => {
    const visit = await open('/?lang=en')
    const { page } = visit
    await page.getByRole('button', { name: 'Embed this view' }).click()
    const code = await page
      .getByRole('dialog', { name: 'Embed this view' })
      .locator('code')
      .innerText()
    expect(code).toContain('/?lang=en&amp;embed=true" title="Hub"')
    const website = await listen(
      createServer((_, response) => {
        response.setHeader('content-type', 'text/html').end(`<title>News</title>${code}`)
      }),
    )
    await page.goto(website.url)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
    expect(await frame.getByRole('banner').count()).toBe(0)
    const whole = frame.getByRole('link', { name: 'Open in Hub' })
    expect(await whole.getAttribute('href')).toBe(`${hub()}/?lang=en`)
    const opened = page.waitForEvent('popup')
    await frame
      .getByRole('link', { name: /Traffic/ })
      .first()
      .click()
    const other = await opened
    await other.getByRole('banner').waitFor()
    expect(new URL(other.url()).search).toBe('?lang=en')
    await frame.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
    await website.close()
    for (const fault of visit.takeFaults()) expect(fault).toContain(website.url)
  })

  it('reports a path of its own that does not exist', async () => {
    const { page } = await open('/')
    await page.evaluate(() => {
      history.pushState(null, '', '/datasets/nothing/here')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'To the catalogue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  })
})
