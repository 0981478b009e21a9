import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'

const tokenAddress = /openid-connect\/token$/

/** Makes the access token expire, as it would some minutes later. */
async function makeOver(page: Page) {
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('hub.tokens') ?? '{}')
    sessionStorage.setItem('hub.tokens', JSON.stringify({ ...kept, expires: 0 }))
  })
}

const account = { name: 'Logged in as demo' } as const

describeExplorer('logging in on the page', ({ open, expectAccessible, screenshot }) => {
  it('returns to the same page, sends the token, and deletes it at logout', async () => {
    const { page } = await open('/datasets/content/Accommodation?panes=table&q=berg')
    const place = page.url()
    await logIn(page)
    await page.getByRole('button', account).waitFor()
    await expect.poll(() => page.url()).toBe(place)
    await expectAccessible(page)
    const asked = page.waitForRequest(/\/v1\//)
    await page.reload()
    expect((await asked).headers()['authorization']).toMatch(/^Bearer ey/)
    await page.getByRole('button', account).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    // The provider asks whether to end its session too.
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('adds the token to the requests that the page shows', async () => {
    const { page } = await open('/datasets/content/Accommodation?panes=table')
    await logIn(page)
    await page.getByRole('button', account).waitFor()
    const request = page.getByRole('region', { name: 'Request' })
    await request.getByRole('button', { name: 'Request' }).click()
    await request.getByText('curl', { exact: true }).click()
    await request.getByText('Authorization: Bearer $TOKEN').waitFor()
  })

  it('renews an expired token when the page is loaded', async () => {
    const { page } = await open('/datasets/content/Accommodation?panes=table')
    await logIn(page)
    await page.getByRole('button', account).waitFor()
    await makeOver(page)
    const renewed = page.waitForResponse(tokenAddress)
    const asked = page.waitForRequest(/\/v1\//)
    await page.reload()
    expect((await renewed).status()).toBe(200)
    expect((await asked).headers()['authorization']).toMatch(/^Bearer ey/)
    await page.getByRole('grid').or(page.getByRole('table')).first().waitFor()
    await page.getByRole('button', account).waitFor()
  })

  it('survives an outage of the provider, and continues automatically', async () => {
    const { page, expectStatus } = await open('/datasets/content/Accommodation?panes=table')
    await logIn(page)
    await page.getByRole('button', account).waitFor()
    await makeOver(page)
    expectStatus(503)
    await page.route(tokenAddress, (route) => route.fulfill({ status: 503, body: '' }))
    await page.reload()
    const alert = page.getByRole('alert').first()
    await alert.getByText('The hub is busy or starting').waitFor()
    await page.getByRole('button', account).waitFor()
    await page.unroute(tokenAddress)
    await alert.waitFor({ state: 'detached' })
    await page.getByRole('button', account).waitFor()
  })

  it('reports when the provider has ended the session, and shows public data', async () => {
    const visit = await open('/datasets/content/Accommodation?panes=table')
    const { page } = visit
    await logIn(page)
    await page.getByRole('button', account).waitFor()
    await makeOver(page)
    visit.expectStatus(400)
    await page.route(tokenAddress, (route) =>
      route.fulfill({ status: 400, json: { error: 'invalid_grant' } }),
    )
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('Your login has ended').waitFor()
    await page.getByRole('grid').or(page.getByRole('table')).first().waitFor()
    await expectAccessible(page)
    await screenshot(visit, 'state-login-ended')
    await alert.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
    expect(await alert.count()).toBe(0)
  })

  it('reports when it cannot start', async () => {
    const { page, expectStatus } = await open('/')
    expectStatus(0)
    await page.route(/openid-configuration/, (route) => route.abort())
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').getByText('The login could not start').waitFor()
    await expectAccessible(page)
    await page.unroute(/openid-configuration/)
    await page.getByRole('alert').getByRole('button', { name: 'Log in again' }).click()
    await page.getByLabel('User name').waitFor()
  })

  it('reloads the page on the second attempt if its code could not be loaded', async () => {
    const { page, expectStatus } = await open('/docs')
    expectStatus(0)
    await page.route(/assets\/provider/, (route) => route.abort())
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').getByText('The login could not start').waitFor()
    const again = page.getByRole('alert').getByRole('button', { name: 'Log in again' })
    await Promise.all([page.waitForEvent('load'), again.click()])
    await page.unroute(/assets\/provider/)
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('User name').waitFor()
  })

  it('reports that it cannot start if the browser refuses to store data', async () => {
    const { page } = await open('/')
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
    })
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('The login could not start').waitFor()
    await alert.getByText('Access is denied for this document.').waitFor()
  })

  it('offers a new login if the returned one was not started in this tab', async () => {
    const { page } = await open('/login/done?code=made-up&state=made-up')
    await page.getByRole('alert').getByText('The login did not work').waitFor()
    await page.getByText('This login was not started in this tab').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log in again' }).click()
    await page.getByLabel('User name').waitFor()
  })
})
