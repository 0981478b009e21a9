import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'

describeExplorer('the Desk', ({ open, expectAccessible }) => {
  it('asks to log in, and then shows what the account may do', async () => {
    const { page, expectStatus } = await open('/desk')
    expectStatus(401)
    await page.getByText('This is where data is provided').waitFor()
    expect(await page.getByRole('banner').getByRole('link', { name: 'Desk' }).count()).toBe(0)
    await logIn(page, 'demo-clerk')
    await page.getByText('What you can do as demo-clerk.').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Desk' }).waitFor()
    await page.getByRole('link', { name: 'Records' }).waitFor()
    await expectAccessible(page)
  })

  it('says so where the account may change nothing', async () => {
    const { page } = await open('/desk')
    await logIn(page)
    await page.getByText('Your account may change nothing here').waitFor()
  })
})
