import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Route } from 'playwright-core'
import { cloneDatabase } from '../../fixtures/databases.ts'
import type { TestDatabase } from '../../fixtures/databases.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { startHub, stopHub } from '../../fixtures/hub-process.ts'
import type { HubProcess } from '../../fixtures/hub-process.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'

/**
 * Repeats the page's request until the quota is used up, with many requests in parallel so that it
 * works on any machine, however slow.
 */
async function exhaust(route: Route): Promise<void> {
  const { referer = '' } = await route.request().allHeaders()
  const askToo = () => fetch(route.request().url(), { method: 'HEAD', headers: { referer } })
  let response = await route.fetch()
  while (response.status() !== 429) {
    await Promise.all(Array.from({ length: 40 }, askToo))
    response = await route.fetch()
  }
  await route.fulfill({ response })
}

describeExplorer('the page when there is nothing to show', ({ open, ...explorer }) => {
  let clone: TestDatabase
  let hub: HubProcess
  let port: number
  const start = () => startHub({ settings: clone.settings, port, environment: { HUB_QUOTA: 'on' } })

  beforeAll(async () => {
    clone = await cloneDatabase(inject('postgresql') === null ? 'embedded' : 'postgresql')
    port = await freePort()
    hub = await start()
  })
  afterAll(async () => {
    await stopHub(hub)
    await clone.drop()
  })

  const heading = (name: string) => ({ name, exact: true })

  it('reports too many requests, counts down and retries', async () => {
    const visit = await open('/', { at: hub.url })
    const { page } = visit
    visit.expectStatus(429, 404)
    await page.route('**/v1/Accommodation/NONE', exhaust, { times: 1 })
    await page.goto(`${hub.url}/records/Accommodation/NONE`)
    const alert = page.getByRole('alert')
    await alert.getByText('Too many requests').waitFor()
    // A second later the page has retried and shows the actual result.
    await alert.getByText('Not found').waitFor()
  })

  it('reports that a login is required, with a button for it', async () => {
    const visit = await open('/', { at: hub.url })
    visit.expectStatus(401)
    await visit.page.goto(`${hub.url}/records/AccommodationRoom/none`)
    const alert = visit.page.getByRole('alert')
    await alert.getByText('Log in to see this').waitFor()
    await explorer.expectAccessible(visit.page)
    await explorer.screenshot(visit, 'state-login')
    await alert.getByRole('button', { name: 'Log in' }).click()
    await visit.page.getByLabel('User name').waitFor()
  })

  it('reports that a record does not exist, with a link to the catalogue', async () => {
    const visit = await open('/', { at: hub.url })
    visit.expectStatus(404)
    await visit.page.goto(`${hub.url}/records/Accommodation/NONE`)
    const alert = visit.page.getByRole('alert')
    await alert.getByText('Not found').waitFor()
    await explorer.expectAccessible(visit.page)
    await alert.getByRole('link', { name: 'To the catalogue' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  })

  it('reports a missing record in each language', async () => {
    for (const [language, said] of [
      ['de', 'Nicht vorhanden'],
      ['it', 'Non trovato'],
    ] as const) {
      const visit = await open('/', { at: hub.url, language })
      visit.expectStatus(404)
      await visit.page.goto(`${hub.url}/records/Accommodation/NONE`)
      await visit.page.getByRole('alert').getByText(said).waitFor()
      await explorer.expectAccessible(visit.page)
    }
  })

  it('reports that the hub cannot be reached, and continues automatically', async () => {
    const visit = await open('/', { at: hub.url })
    const { page } = visit
    await page.getByRole('main').getByRole('link').first().waitFor()
    visit.expectStatus(0, 503)
    await stopHub(hub)
    await page.getByRole('navigation', heading('Main')).getByRole('link', { name: 'Docs' }).click()
    await page.getByRole('alert').getByText('The hub cannot be reached').waitFor()
    await page.getByText(/Trying again/).waitFor()
    await explorer.expectAccessible(page)
    await explorer.screenshot(visit, 'state-offline')
    hub = await start()
    await page.getByRole('heading', { level: 1 }).waitFor({ timeout: 60_000 })
    await expect.poll(() => page.getByRole('alert').count(), { timeout: 30_000 }).toBe(0)
  })
})
