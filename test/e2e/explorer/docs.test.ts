import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'

const until = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 30_000 })

describeExplorer('the docs', ({ hub, open, atEachSize, inEachLanguage, ...explorer }) => {
  atEachSize('begin with three kinds of readers', '/docs', async (visit) => {
    const { page } = visit
    for (const reader of ['Find data', 'Build an app', 'Provide data'])
      await page.getByRole('heading', { level: 2, name: reader }).waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'docs')
  })

  atEachSize('show a page of the guide', '/docs/content-queries', async (visit) => {
    const { page } = visit
    await page.getByRole('heading', { level: 2, name: 'Expressions' }).waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'docs-guide')
  })

  atEachSize('have a page for each operation', '/docs/api/listAccommodation', async (visit) => {
    const { page } = visit
    await page.getByRole('heading', { level: 2, name: 'Try it' }).waitFor()
    await page.getByText('Response schema', { exact: true }).first().click()
    await page.getByText('TotalResults', { exact: true }).first().waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'docs-operation')
  })

  inEachLanguage(
    'speak the language of the page, and say what is in English',
    '/docs/push',
    async (visit) => {
      const { page, look } = visit
      const { here, english } = {
        de: { here: 'Auf dieser Seite', english: 'Die Anleitung ist auf Englisch.' },
        it: { here: 'In questa pagina', english: 'La guida è in inglese.' },
        en: { here: 'On this page', english: '' },
      }[look.language]
      await page.getByRole('navigation', { name: here }).waitFor()
      if (english !== '') await page.getByText(english, { exact: true }).waitFor()
      expect(await page.locator('.prose').getAttribute('lang')).toBe('en')
      await explorer.expectAccessible(page)
    },
  )

  it.each([
    ['/docs/api', 'GET'],
    ['/docs/errors', 'HUB-QRY-001'],
    ['/docs/deprecations', 'Removed'],
    ['/docs/errors/HUB-QRY-001', 'Invalid parameter'],
  ])('have no accessibility violations at %s', async (path, said) => {
    const { page } = await open(path)
    // The text may be in a collapsed section.
    const first = page.getByRole('main').getByText(said, { exact: true }).first()
    await first.waitFor({ state: 'attached' })
    await explorer.expectAccessible(page)
  })

  it('run an example of the guide and show its response', async () => {
    const { page } = await open('/docs/content-search')
    await page
      .getByRole('button', { name: 'Run /v1/Find?q=little%20lake%20museum', exact: true })
      .click()
    await page.getByText('"TotalResults"').first().waitFor()
    expect(await page.locator('.answer .line').first().innerText()).toMatch(/^200/)
    await explorer.expectAccessible(page)
  })

  it('search the guide by keyboard, and open the result', async () => {
    const { page } = await open('/docs')
    await page.getByRole('searchbox', { name: 'Search the guide' }).focus()
    await page.keyboard.type('idempotency-key')
    await page.locator('.results mark').first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until(() => new URL(page.url()).pathname).toMatch(/^\/docs\/\w/)
    await page.locator('.prose').getByText('Idempotency-Key').first().waitFor()
  })

  it('let readers find and try an operation, and keep its form in the URL', async () => {
    const { page } = await open('/docs/api')
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('get /v1/event list')
    // The list has changed by then.
    await until(() => new URL(page.url()).searchParams.get('q')).toBe('get /v1/event list')
    await page.locator('a[href="/docs/api/listEvent"]').click()
    await page.getByRole('heading', { level: 1, name: 'listEvent' }).waitFor()
    await page.getByRole('spinbutton', { name: 'pagesize' }).fill('1')
    await until(() => new URL(page.url()).searchParams.get('p.pagesize')).toBe('1')
    await page.getByRole('group', { name: 'Code' }).getByText('pagesize=1').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByText('"TotalResults"').first()
    await answer.waitFor()
    // The result is visible without scrolling.
    await until(() => answer.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(
      true,
    )
    await page.reload()
    await until(() => page.getByRole('spinbutton', { name: 'pagesize' }).inputValue()).toBe('1')
  })

  it('show an error with its code, which links to its explanation', async () => {
    const visit = await open('/docs/api/listEvent?p.pagenumber=0')
    const { page } = visit
    visit.expectStatus(400)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByRole('link', { name: 'HUB-QRY-001' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invalid parameter' }).waitFor()
  })

  it('list path parameters first, and each allowed value', async () => {
    const { page } = await open('/docs/api/getAccommodation')
    const names = page.locator('section[aria-labelledby=parameters] dt .name')
    await names.first().waitFor()
    expect(await names.first().innerText()).toBe('id')
    const allowed = page.locator('.facts').filter({ hasText: 'Allowed' }).first()
    expect(await allowed.innerText()).toMatch(/json csv|json json-ld/)
  })

  it('start with an example that finds something', async () => {
    const { page } = await open('/docs')
    await page.getByRole('button', { name: /^Run \/v1\/Find/ }).click()
    const answer = page.locator('.answer').first()
    await until(() => answer.innerText()).toMatch(/"TotalResults": [1-9]/)
  })

  it('show the received part of an interrupted response, and report the interruption', async () => {
    const visit = await open('/docs')
    const { page } = visit
    visit.expectStatus(0)
    // Playwright can only send whole responses, so the body reader is made to fail after the first
    // chunk.
    await page.addInitScript(() => {
      const ask = window.fetch.bind(window)
      window.fetch = async (...asked) => {
        const answer = await ask(...asked)
        if (!answer.url.includes('/v1/Find')) return answer
        const first = new TextEncoder().encode('{"TotalResults": 7,')
        let sent = 0
        const body = new ReadableStream({
          pull: (control) => {
            sent += 1
            if (sent === 1) control.enqueue(first)
            else control.error(new TypeError('network error'))
          },
        })
        return new Response(body, { headers: answer.headers })
      }
    })
    await page.reload()
    await page.getByRole('button', { name: /^Run \/v1\/Find/ }).click()
    await page.getByText('"TotalResults": 7').waitFor()
    await page.getByRole('alert').getByText('The response was interrupted here.').waitFor()
  })

  it('report missing parameters before a request can be sent', async () => {
    const { page } = await open('/docs/api/getEvent?p.id=')
    await page.getByText('Missing: id.').waitFor()
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  })

  it('serve the type URL of a problem as a view in browsers and as text to programs', async () => {
    const answer = await fetch(`${hub()}/v1/Accommodation?pagenumber=0`)
    const { type } = await answer.json()
    const { pathname } = new URL(type)
    const { page } = await open(pathname)
    await page.getByRole('heading', { level: 1, name: 'Invalid parameter' }).waitFor()
    await page.getByRole('link', { name: 'All errors' }).click()
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
    const plain = await (await fetch(`${hub()}${pathname}`)).text()
    expect(plain).toContain('HUB-QRY-001')
    expect(plain).not.toContain('<script')
  })

  it('show the deprecation that a response header links to, and filter by state', async () => {
    const answer = await fetch(`${hub()}/v1/HubActivityPoi?fields=GpsPoints`)
    const [, target = ''] =
      /<([^>]+)>; rel="deprecation"/.exec(answer.headers.get('link') ?? '') ?? []
    const { pathname, hash } = new URL(target)
    const { page } = await open(`${pathname}${hash}`)
    const row = page.locator('tr.target').first()
    await row.waitFor()
    expect(await row.innerText()).toContain('Use GpsInfo')
    const { deprecations } = await (await fetch(`${hub()}/deprecations`)).json()
    for (const state of ['removed', 'deprecated']) {
      const those = deprecations.filter((one: { readonly state: string }) => one.state === state)
      expect(those.length).toBeGreaterThan(0)
      await page.getByLabel('State', { exact: true }).selectOption(state)
      await until(() => page.locator('tbody tr').count()).toBe(those.length)
    }
  })

  it.each(['/docs/nothing', '/docs/api/nothing'])(
    'report that nothing exists at %s',
    async (path) => {
      const { page } = await open(path)
      await page.getByRole('alert').waitFor()
      await explorer.expectAccessible(page)
    },
  )

  it('wait and retry when the OpenAPI description cannot be loaded', async () => {
    const visit = await open('/docs')
    const { page } = visit
    visit.expectStatus(503)
    let isBroken = true
    await page.route('**/openapi.json', (route) =>
      isBroken
        ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { status: 503 } })
        : route.continue(),
    )
    await page.goto(`${hub()}/docs/api`)
    await page.getByRole('alert').waitFor()
    isBroken = false
    await page.locator('a[href="/docs/api/listEvent"]').waitFor()
  })
})
