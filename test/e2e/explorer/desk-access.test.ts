import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'
import { sizes } from './fixture/visit.ts'

describeExplorer('access in the Desk', ({ hub, open, screenshot, expectAccessible }) => {
  it('manages users and signing keys by keyboard, and shows who removed a user', async () => {
    const visit = await open('/desk/access')
    const { page, expectStatus } = visit
    await logIn(page, 'demo-operator')
    const name = `ada-${String(process.pid)}`
    const press = async (button: string) => {
      await page.getByRole('button', { name: button, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.getByRole('tab', { name: 'Users', selected: true }).waitFor()
    await press('Add user')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User name').fill(` ${name}`)
    expectStatus(400)
    await page.keyboard.press('Enter')
    await dialog.getByText(/^has 1 to 200 characters, without a space/).waitFor()
    await dialog.getByLabel('User name').fill(name)
    await dialog.getByLabel('Roles').fill('BDP_A22, Venue_Update')
    await page.keyboard.press('Enter')
    await dialog.getByText('Shown only now').waitFor()
    expect(await dialog.locator('code').textContent()).toHaveLength(32)
    await press('Done')
    const row = page.getByRole('listitem').filter({ hasText: name })
    await row.getByText('Venue_Update').waitFor()
    await screenshot(visit, 'desk-access')
    await expectAccessible(page)

    await press(`Change: ${name}`)
    await dialog.getByLabel('Roles').fill('BDP_A22')
    await dialog.getByLabel('Can log in').uncheck()
    await press('Save')
    await row.getByText('disabled').waitFor()
    await press(`Remove: ${name}`)
    await dialog.getByText('is removed permanently').waitFor()
    // The viewport at 400 percent zoom: content that is too large must scroll.
    await page.setViewportSize({ width: 390, height: 256 })
    await expectAccessible(page)
    await page.setViewportSize(sizes.desk)
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await row.waitFor({ state: 'detached' })

    await page.getByRole('tab', { name: 'Signing keys' }).click()
    await press('New key')
    await dialog.getByText('The new key signs in half a minute').waitFor()
    await dialog.getByRole('button', { name: 'Add' }).press('Enter')
    await page.getByText('still verifies').first().waitFor()
    await screenshot(visit, 'desk-access-keys')
    await page.getByRole('tab', { name: 'Users' }).press('End')
    await page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByText('removed by demo-operator')
      .waitFor()
    expect(new URL(page.url()).searchParams.get('part')).toBe('audit')
    await expectAccessible(page)
  })

  it('fits a phone in German', async () => {
    const visit = await open('/desk/access?part=clients', { size: 'hand' })
    const { page } = visit
    await logIn(page, 'demo-operator')
    await page.getByRole('button', { name: 'Add client' }).waitFor()
    await page.goto(`${hub()}/desk/access?part=push&lang=de`)
    await page.getByRole('button', { name: 'Recht hinzufügen' }).click()
    await page.getByRole('dialog').getByLabel('Pfad').waitFor()
    await screenshot(visit, 'desk-access-dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Protokoll' }).click()
    await page.getByLabel('Was').waitFor()
    await screenshot(visit, 'desk-access-audit')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThan(391)
  })

  it.each([
    ['en', 'Add user', 'User name', 'The password consists only of spaces.'],
    ['de', 'Benutzer hinzufügen', 'Benutzername', 'Das Passwort besteht nur aus Leerzeichen.'],
    ['it', 'Aggiungi un utente', 'Nome utente', 'La password contiene solo spazi.'],
  ] as const)(
    'refuses a password of only spaces in plain words: %s',
    async (language, ...texts) => {
      const [add = '', userName = '', refusal = ''] = texts
      const { page } = await open('/desk/access')
      await logIn(page, 'demo-operator')
      await page.getByRole('button', { name: 'Add user' }).waitFor()
      await page.goto(`${hub()}/desk/access?lang=${language}`)
      await page.getByRole('button', { name: add }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(userName).fill(`blank-${language}`)
      await dialog.getByLabel(/Passwor[dt]/).fill('   ')
      await dialog.getByText(refusal).waitFor()
      await dialog.getByLabel(/Passwor[dt]/).press('Enter')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('listitem').first().waitFor()
      expect(await page.getByText(`blank-${language}`).count()).toBe(0)
    },
  )

  it('is not shown to users without the role ADMIN', async () => {
    const { page } = await open('/desk/access')
    await logIn(page, 'demo-clerk')
    await page.getByText('Your account does not have the role ADMIN').waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
  })
})
