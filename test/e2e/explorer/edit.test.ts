import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'
import { firstOf, rewrite } from './fixture/rewrite.ts'
import { holdRequests } from './fixture/visit.ts'

/** Maximum number of clicks for the whole session; filling a field counts as one. */
const maxClicks = 24

const button = (of: Page | Locator, name: string) => of.getByRole('button', { name, exact: true })
const field = (page: Page, group: string, label: string) =>
  page.getByRole('group', { name: group }).getByLabel(label, { exact: true })
const status = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text })

const sources = (pictures: readonly Element[]) =>
  pictures.map((picture) => picture.getAttribute('src'))

describeExplorer('editing records', ({ hub, open, screenshot, expectAccessible }) => {
  it('lets a clerk edit, merge, restore, create and delete records in few clicks', async () => {
    const path = await firstOf(hub(), 'Accommodation', 'pagenumber=200')
    const visit = await open(path)
    const { page, expectStatus } = visit
    expectStatus(400, 401, 404, 412)
    await logIn(page, 'demo-clerk')
    let clicks = 0
    const click = async (target: Locator) => {
      clicks += 1
      await target.click()
    }
    const fill = async (target: Locator, text: string) => {
      clicks += 1
      await target.fill(text)
    }

    // Enter the Italian name beside the other languages.
    await click(page.getByRole('link', { name: 'Edit', exact: true }))
    const name = `Maso ${String(Date.now())}`
    await fill(field(page, 'Title AccoDetail.Name', 'Italian'), name)
    await status(page, '1 change, checked by the hub').waitFor()
    await screenshot(visit, 'edit')
    await expectAccessible(page)

    // The hub's objection to a place is shown at its field.
    await click(page.getByText('Place', { exact: true }))
    await click(page.locator('summary').filter({ hasText: 'Place 1' }))
    const latitude = page.getByLabel('Latitude', { exact: true })
    const known = await latitude.inputValue()
    await fill(latitude, '146.5')
    await status(page, 'not accepted').waitFor()
    await expect.poll(() => latitude.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('At most 90 is allowed', { exact: true }).first().waitFor()
    await screenshot(visit, 'edit-fault')
    await expectAccessible(page)
    await fill(latitude, known)
    await status(page, '1 change, checked by the hub').waitFor()
    await click(button(page, 'Save'))
    await page.getByRole('tab', { name: 'Overview' }).waitFor()

    // Someone else saves the same record in the meantime: both versions are shown, and both changes
    // kept.
    await click(page.getByRole('link', { name: 'Edit', exact: true }))
    await field(page, 'Title AccoDetail.Name', 'Italian').waitFor()
    await rewrite(hub(), path, ['/Shortname', `By others ${name}`])
    await fill(field(page, 'Title AccoDetail.Name', 'German'), `Hof ${name}`)
    const conflict = page.getByRole('alert')
    await conflict.getByText(`By others ${name}`).waitFor()
    await conflict.getByText(`Hof ${name}`).waitFor()
    await screenshot(visit, 'edit-conflict')
    await expectAccessible(page)
    await click(button(page, 'Apply my changes to it'))
    await status(page, '1 change, checked by the hub').waitFor()
    await click(button(page, 'Save'))
    await click(page.getByRole('tab', { name: 'Versions' }))
    await page
      .getByRole('insertion')
      .filter({ hasText: `Hof ${name}` })
      .waitFor()

    // The previous version is restored.
    await click(page.getByRole('button', { name: /^Restore version/ }).first())
    await click(button(page.getByRole('dialog'), 'Restore'))
    await page
      .getByRole('deletion')
      .filter({ hasText: `Hof ${name}` })
      .waitFor()

    // Create a new record, and delete it.
    await click(page.getByRole('main').getByRole('link', { name: 'Accommodations' }))
    await click(page.getByRole('link', { name: 'New record' }))
    await fill(field(page, 'Title AccoDetail.Name', 'English'), `New ${name}`)
    await status(page, '1 change, checked by the hub').waitFor()
    await click(button(page, 'Create'))
    await page.getByRole('heading', { level: 1, name: `New ${name}` }).waitFor()
    await click(button(page, 'Delete'))
    const dialog = page.getByRole('dialog', { name: `Delete New ${name}` })
    await click(button(dialog, 'Delete'))
    await page.getByRole('link', { name: 'New record' }).waitFor()
    expect(clicks).toBeLessThanOrEqual(maxClicks)
  })

  it('warns before a link or Back discards unsaved changes', async () => {
    const path = await firstOf(hub(), 'Accommodation')
    const { page } = await open(path)
    await logIn(page, 'demo-clerk')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const name = field(page, 'Title AccoDetail.Name', 'Italian')
    await name.fill('Unsaved')
    const questions: string[] = []
    page.on('dialog', (dialog) => {
      questions.push(dialog.message())
      void (questions.length < 3 ? dialog.dismiss() : dialog.accept())
    })
    await button(page, 'Cancel')
      .or(page.getByRole('link', { name: 'Cancel' }))
      .click()
    await page.goBack()
    await expect.poll(() => questions).toHaveLength(2)
    expect(await name.inputValue()).toBe('Unsaved')
    expect(new URL(page.url()).pathname).toBe(`${path}/edit`)
    await page.getByRole('navigation').getByRole('link', { name: 'Docs' }).click()
    await page.getByRole('heading', { level: 1, name: 'Docs' }).waitFor()
    expect(new Set(questions)).toEqual(
      new Set(['Your changes are not saved. Leave and discard them?']),
    )
  })

  it('changes opening hours by week, the order of pictures, and a place on the map', async () => {
    type Pictured = { readonly Id: string; readonly ImageGallery?: readonly unknown[] | null }
    const list = await fetch(`${hub()}/v1/Accommodation?pagesize=100&fields=Id,ImageGallery`)
    const { Items }: { readonly Items: readonly Pictured[] } = await list.json()
    const pictured = Items.find(({ ImageGallery }) => (ImageGallery ?? []).length > 1)
    const { page } = await open(`/records/Accommodation/${pictured?.Id ?? ''}`)
    await logIn(page, 'demo-clerk')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const section = (name: string) => page.getByRole('region', { name, exact: true })
    const unfold = (of: Locator) => of.locator('summary').first().click()

    const times = section('Times')
    await unfold(times)
    await times.getByRole('button', { name: 'Add: Operation Schedule', exact: true }).click()
    const monday = times.getByLabel('Monday', { exact: true }).last()
    await monday.fill('9')
    await times.getByText('Write times like 9-12, 14:30-18').waitFor()
    await monday.fill('9-12')
    await button(times, 'All days like Monday').last().click()
    expect(await times.getByLabel('Sunday', { exact: true }).last().inputValue()).toBe(
      '09:00–12:00',
    )

    const pictures = section('Pictures')
    await unfold(pictures)
    const shown = () => pictures.getByRole('img', { includeHidden: true }).evaluateAll(sources)
    const before = await shown()
    await pictures
      .getByRole('button', { name: /^Move .* down$/ })
      .first()
      .click()
    expect((await shown()).slice(0, 2)).toEqual(before.slice(0, 2).toReversed())

    const place = section('Place')
    await unfold(place)
    await place.locator('summary').filter({ hasText: 'Place 1' }).click()
    const latitude = place.getByLabel('Latitude', { exact: true })
    const known = await latitude.inputValue()
    await place
      .getByRole('region')
      .locator('canvas')
      .click({ position: { x: 60, y: 60 } })
    await expect.poll(() => latitude.inputValue()).not.toBe(known)
    await status(page, /changes, checked by the hub/).waitFor()
  })

  it('works by keyboard on a phone, in Italian', async () => {
    const path = await firstOf(hub(), 'Accommodation')
    const visit = await open(`${path}/edit`, { size: 'hand' })
    const { page } = visit
    await logIn(page, 'demo-clerk')
    await button(page, 'Save').waitFor()
    await page.goto(`${hub()}${path}/edit?lang=it`)
    await button(page, 'Salva').waitFor()
    await page.getByLabel('Cerca un campo').fill('Shortname')
    await page.getByLabel('Shortname').focus()
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await status(page, '1 modifica, controllo superato').waitFor()
    await screenshot(visit, 'edit')
    await expectAccessible(page)
  })

  it('applies one change to several records after a preview, and undoes it', async () => {
    const visit = await open('/datasets/content/Accommodation?panes=table')
    const { page, expectStatus } = visit
    expectStatus(401)
    await logIn(page, 'demo-clerk')
    await button(page, 'Edit several').click()
    const dialog = page.getByRole('dialog', { name: 'Edit several records' })
    await button(dialog, 'None').click()
    for (const index of [0, 1]) await dialog.getByRole('checkbox').nth(index).check()
    await dialog.getByLabel('Field').selectOption('MainLanguage')
    await dialog.getByLabel('Value').fill(`x${String(Date.now())}`)
    const letGo = await holdRequests(page, '**/v1/Accommodation/*')
    await button(dialog, 'Check').press('Enter')
    await dialog.getByRole('progressbar').waitFor()
    await expectAccessible(page)
    letGo()
    await dialog.getByText('will be changed', { exact: true }).nth(1).waitFor()
    await expectAccessible(page)
    await button(dialog, 'Save 2 records').press('Enter')
    await dialog.getByText('saved', { exact: true }).nth(1).waitFor()
    await screenshot(visit, 'edit-several')
    await button(dialog, 'Undo').press('Enter')
    await dialog.getByText('undone').nth(1).waitFor()
    await button(dialog, 'Close').last().press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('grid').getByRole('rowheader').first().waitFor()
  })

  it('is refused to users without permission', async () => {
    const path = await firstOf(hub(), 'Accommodation')
    const { page } = await open(path)
    await page.getByRole('tab', { name: 'Overview' }).waitFor()
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0)
    await page.goto(`${hub()}${path}/edit`)
    await page.getByRole('alert').getByText('Log in to see this').waitFor()
    await logIn(page)
    await page.getByRole('alert').getByText('Not for this account').waitFor()
    await page.goto(`${hub()}/datasets/content/Accommodation/new`)
    await page.getByRole('alert').getByText('Not for this account').waitFor()
  })
})
