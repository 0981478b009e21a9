import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { describeExplorer } from './fixture/describe-explorer.ts'

/** What a person does at the identity provider. */
async function logIn(page: Page, password = 'demo') {
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('User name').fill('demo')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const account = { name: 'Logged in as demo' } as const

describeExplorer('logging in on the page', ({ open, expectAccessible }) => {
  it('comes back to where one was, sends the token with what is asked, and ends it at logout', async () => {
    const { page } = await open('/datasets/content/Accommodation?q=berg')
    const place = page.url()
    await logIn(page)
    await page.getByRole('button', account).waitFor()
    expect(page.url()).toBe(place)
    await expectAccessible(page)
    const asked = page.waitForRequest(/\/v1\//)
    await page.reload()
    expect((await asked).headers()['authorization']).toMatch(/^Bearer ey/)
    await page.getByRole('button', account).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    // The provider asks whether its session is to end, too.
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('says what to do when one comes back without having begun', async () => {
    const { page } = await open('/login/done?code=made-up&state=made-up')
    await page.getByRole('alert').getByText('The login did not work').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log in again' }).click()
    await page.getByLabel('User name').waitFor()
  })
})
