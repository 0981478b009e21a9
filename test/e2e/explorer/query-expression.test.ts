import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { holdRequests } from './fixture/visit.ts'
import {
  accept,
  accommodations,
  carParks,
  count,
  editor,
  found,
  parameter,
  type,
  write,
} from './fixture/query-page.ts'

describeExplorer('an expression', ({ open }) => {
  it('marks its error, suggests a correction, and is not applied while invalid', async () => {
    const { page } = await open(accommodations)
    await write(page)
    await type(page, "and(eq(Active,true),lke(Shortname,'a'))")
    const wrong = page.locator('.verdict mark.wrong')
    await expect.poll(() => wrong.allTextContents()).toEqual(['lke'])
    await page.getByText('Did you mean').first().waitFor()
    expect(await editor(page).getAttribute('aria-invalid')).toBe('true')
    const id = await editor(page).getAttribute('aria-describedby')
    expect(await page.locator(`[id="${id ?? ''}"]`).innerText()).toContain('expected: and')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Did you mean' }).waitFor()
    expect(parameter(page, 'filter')).toBeNull()
    await type(page, "and(eq(Active,true),like(Shortname,'a'))")
    await expect.poll(() => wrong.count()).toBe(0)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => parameter(page, 'filter'))
      .toBe("and(eq(Active,true),like(Shortname,'a'))")
    const matches = await count(page, { rawfilter: "and(eq(Active,true),like(Shortname,'a'))" })
    await found(page, matches).waitFor()
  })

  it('warns about a doubtful name, and shows how it was understood', async () => {
    const { page } = await open(accommodations)
    await write(page)
    await type(page, 'eq(Actve,true)')
    await page.getByText('Did you mean Active?').first().waitFor()
    await expect
      .poll(() => page.locator('.verdict mark.doubtful').allTextContents())
      .toEqual(['Actve'])
    await type(page, 'eq(Active , true)')
    await page.getByText('Understood as').waitFor()
    await page.getByText('eq(Active,true)', { exact: true }).waitFor()
  })

  it('is completed by keyboard: function, field and value', async () => {
    const { page } = await open(accommodations)
    await write(page)
    const options = page.getByRole('listbox').getByRole('option')
    const chosen = (text: string) =>
      page.getByRole('listbox').getByRole('option', { selected: true }).filter({ hasText: text })
    await page.keyboard.type('eq')
    await accept(page, chosen('eq'))
    await page.keyboard.type('AccoTypeI')
    await accept(page, chosen('AccoTypeId'))
    await options.filter({ hasText: "'Farm'" }).waitFor()
    await page.keyboard.type("'Fa")
    await accept(page, chosen("'Farm'"))
    await expect.poll(() => editor(page).inputValue()).toBe("eq(AccoTypeId,'Farm')")
    await page.keyboard.press('Enter')
    await expect.poll(() => parameter(page, 'filter')).toBe("eq(AccoTypeId,'Farm')")
  })

  it('does not open a list of values after Escape, even if they arrive later', async () => {
    const { page } = await open(accommodations)
    await write(page)
    const values = '**/v1/Distinct?*'
    const letGo = await holdRequests(page, values)
    const asked = page.waitForRequest(values)
    await page.keyboard.type('eq(AccoTypeId,')
    await asked
    await page.keyboard.press('Escape')
    const answered = page.waitForResponse(values)
    letGo()
    await answered
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('listbox').count()).toBe(0)
  })

  it('for stations is completed from their metadata, with matching operators', async () => {
    const { page } = await open(carParks)
    await write(page)
    const options = page.getByRole('listbox').getByRole('option')
    await page.keyboard.type('smetadata.municipality.')
    await options.filter({ hasText: 'gteq' }).waitFor()
    await page.keyboard.type('eq.')
    await options.filter({ hasText: '"Bozen"' }).waitFor()
    await type(page, 'scode.eq.105')
    await page.getByText('As a text it is written "105"').first().waitFor()
    await expect.poll(() => page.locator('.verdict mark.wrong').allTextContents()).toEqual(['105'])
  })

  it('is shown as rows if it is simple, and as text if it is not', async () => {
    const { page } = await open(`${accommodations}&filter=or(eq(Active,true),ge(Altitude,1200))`)
    await page.getByRole('combobox', { name: 'Field of condition 2' }).waitFor()
    expect(await page.getByLabel('Value of condition 2').inputValue()).toBe('1200')
    expect(await page.getByRole('radio', { name: 'Any matches' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Remove condition 1' }).click()
    await expect.poll(() => parameter(page, 'filter')).toBe('ge(Altitude,1200)')
    // An incomplete condition is kept while its section is collapsed.
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const begun = page.getByRole('combobox', { name: 'Field of condition 2' })
    await begun.waitFor()
    await page.getByText('More conditions').click()
    await begun.waitFor({ state: 'hidden' })
    await page.getByText('More conditions').click()
    await begun.waitFor()
    await page.getByText('Write', { exact: true }).click()
    await editor(page).waitFor()
    await type(page, 'not(ge(Altitude,1200))')
    await page.keyboard.press('Enter')
    await expect.poll(() => parameter(page, 'filter')).toBe('not(ge(Altitude,1200))')
    await page.getByText('Choose', { exact: true }).click()
    await page.getByText('Rows cannot show all of this').waitFor()
  })

  it('can start from an example, in a larger window', async () => {
    const { page } = await open(accommodations)
    await page.getByText('More conditions').click()
    await page.getByRole('button', { name: 'Edit in a larger window' }).click()
    const dialog = page.getByRole('dialog', { name: 'More conditions' })
    await dialog.getByText('Write', { exact: true }).click()
    await dialog.getByText('Examples').click()
    await dialog.getByRole('button', { name: /^Active, and at least 1200 m up/ }).click()
    await dialog.getByText('The hub understands this').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => parameter(page, 'filter')).toMatch(/^and\(eq\(Active,true\),ge\(/)
  })
})
