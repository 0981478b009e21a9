import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import {
  accommodations,
  carParks,
  chosen,
  count,
  editor,
  found,
  parameter,
  request,
  type,
} from './fixture/query-page.ts'

describeExplorer(
  'the filters of a dataset',
  ({ open, atEachSize, inEachLanguage, ...explorer }) => {
    it('update the URL, the request and the number of records on each click', async () => {
      const { page } = await open(accommodations)
      const all = await count(page, {})
      const climate = await count(page, { tagfilter: 'climate-house' })
      const either = await count(page, { tagfilter: 'climate-house,guestcard' })
      const both = await count(page, { tagfilter: 'and(climate-house,guestcard)' })
      expect(climate).toBeLessThan(all)
      await page.getByRole('checkbox', { name: `Climate house ${climate}` }).check()
      await found(page, climate).waitFor()
      expect(parameter(page, 'tag')).toBe('climate-house')
      await request(page).getByText('tagfilter=climate-house').first().waitFor()
      await page.getByRole('checkbox', { name: /^Guest card/ }).check()
      await found(page, either).waitFor()
      await page.getByText('All of them').click()
      await found(page, both).waitFor()
      await page.goBack()
      await found(page, either).waitFor()
      await chosen(page).getByRole('button', { name: 'Remove Tag: Climate house' }).click()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
        .toBe('Remove Tag: Guest card')
      await page.getByRole('button', { name: 'Clear all' }).click()
      await found(page, all).waitFor()
      expect(parameter(page, 'tag')).toBeNull()
    })

    it('include the parameters of this list, with names for their values', async () => {
      const { page } = await open(accommodations)
      const farms = await count(page, { typefilter: '4' })
      const farmsAndInns = await count(page, { typefilter: '36' })
      const tags = page.getByRole('group', { name: 'Tags' }).locator('.name')
      await tags.first().waitFor()
      // Tags are sorted by frequency once they are counted.
      await page.locator('.facet .count').first().waitFor()
      const order = await tags.allInnerTexts()
      await page.getByText('Type of lodging').click()
      await page.getByRole('checkbox', { name: 'Farm' }).check()
      await found(page, farms).waitFor()
      // Other filters count only what also matches this one.
      const climate = await count(page, { typefilter: '4', tagfilter: 'climate-house' })
      const counted = `Climate house ${String(climate)}`
      await page.getByRole('checkbox', { name: counted, exact: true }).waitFor()
      expect(await tags.allInnerTexts()).toEqual(order)
      await page.getByRole('checkbox', { name: 'Mountain inn' }).check()
      await found(page, farmsAndInns).waitFor()
      await chosen(page).getByText('Type of lodging: Farm, Mountain inn').waitFor()
      await page.getByText('Altitude', { exact: true }).click()
      await page.getByRole('spinbutton', { name: 'From (m)' }).fill('900')
      const high = await count(page, { typefilter: '36', altitudefilter: '900,99999' })
      await found(page, high).waitFor()
    })

    it('count the records that match the other filters', async () => {
      const { page } = await open(accommodations)
      const facet = (name: string) => page.getByRole('group', { name, exact: true })
      const box = (name: string, records: number) =>
        page.getByRole('checkbox', { name: `${name} ${String(records)}`, exact: true })
      const categoryfilter = '2048'
      const fourStars = await count(page, { categoryfilter })
      await page.getByText('Category', { exact: true }).click()
      await facet('Category').getByRole('button', { name: 'All' }).click()
      await box('4 stars', fourStars).check()
      await found(page, fourStars).waitFor()
      await page.locator('summary', { hasText: 'Municipality' }).click()
      const most = facet('Municipality')
        .locator('label', { has: page.locator('.count') })
        .first()
      await most.click()
      await chosen(page)
        .getByText(/^Municipality: \w/)
        .waitFor()
      const locfilter = parameter(page, 'by.locfilter') ?? ''
      const there = await count(page, { categoryfilter, locfilter })
      await found(page, there).waitFor()
      expect(await most.locator('.count').textContent()).toBe(String(there))
      const tagfilter = 'climate-house'
      await box(
        'Climate house',
        await count(page, { categoryfilter, locfilter, tagfilter }),
      ).waitFor()
    })

    it('for events include days, and topics by name', async () => {
      const { page } = await open('/datasets/content/Event?panes=table')
      await page.getByLabel('From', { exact: true }).fill('2026-12-01')
      await expect.poll(() => parameter(page, 'by.begindate')).toBe('2026-12-01')
      await page.getByText('Topics', { exact: true }).click()
      const topics = page.getByRole('group', { name: 'Topics' })
      await topics.getByRole('checkbox', { name: 'Guided tours', exact: true }).check()
      await request(page).getByText('topicfilter=eventtopic').first().waitFor()
    })

    it('for stations include origins and conditions on metadata', async () => {
      const { page } = await open(carParks)
      await page.getByText('Origins').click()
      const origin = page.getByRole('checkbox', { name: /^skidata/ })
      await origin.check()
      await expect.poll(() => parameter(page, 'source')).toBe('skidata')
      await page.getByText('More conditions').click()
      await page.getByRole('combobox', { name: 'Field of condition 1' }).click()
      await page.keyboard.type('nothing has this')
      await page.getByText('No field matches').click()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('capacity')
      await page.getByRole('option', { name: /^smetadata\.capacity/ }).click()
      await page.getByLabel('Comparison of condition 1').selectOption({ label: 'is at least' })
      await page.getByLabel('Value of condition 1').fill('200')
      await expect.poll(() => parameter(page, 'filter')).toBe('smetadata.capacity.gteq.200')
      await request(page).getByText('where=smetadata.capacity.gteq.200').first().waitFor()
    })

    it('can be used by keyboard alone, including the condition builder', async () => {
      const { page } = await open(accommodations)
      // Tab moves only to elements that have been rendered.
      await page.getByRole('group', { name: 'Tags' }).getByRole('checkbox').first().waitFor()
      await page.getByRole('searchbox', { name: 'Search' }).focus()
      await page.keyboard.type('berg')
      await expect.poll(() => parameter(page, 'q')).toBe('berg')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await expect.poll(() => parameter(page, 'tag')).toBe('accommodation')
      await page.getByText('More conditions').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'Field of condition 1' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type('active')
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => parameter(page, 'filter')).toBe('eq(Active,true)')
      const expected = await count(page, {
        searchfilter: 'berg',
        tagfilter: 'accommodation',
        rawfilter: 'eq(Active,true)',
      })
      await found(page, expected).waitFor()
    })

    it('open in a dialog on a phone, and return the focus', async () => {
      const { page } = await open(accommodations, { size: 'hand' })
      await page.getByRole('button', { name: 'Filters' }).click()
      const dialog = page.getByRole('dialog', { name: 'Filters' })
      const climate = await count(page, { tagfilter: 'climate-house' })
      await dialog.getByRole('checkbox', { name: /^Climate house/ }).check()
      await dialog.getByRole('button', { name: `Show ${climate} records` }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent.trim()))
        .toBe('Filters (1)')
    })

    atEachSize('have nothing that axe-core finds', accommodations, async (visit) => {
      const { page } = visit
      const opener = page.getByRole('button', { name: 'Filters' })
      if (visit.look.size === 'hand') await opener.click()
      await page.getByRole('checkbox', { name: /^Guest card/ }).check()
      await page.getByText('Type of lodging').click()
      await page.getByText('More conditions').click()
      await page.getByRole('combobox', { name: 'Field of condition 1' }).waitFor()
      await explorer.expectAccessible(page)
      await explorer.screenshot(visit, 'query-rows')
      await page.getByText('Write', { exact: true }).click()
      await editor(page).waitFor()
      await type(page, 'and(eq(Active,true),lke(')
      await page.getByText('Did you mean').first().waitFor()
      await explorer.expectAccessible(page)
      await explorer.screenshot(visit, 'query-wrong')
      await editor(page).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('eq(')
      await page.getByRole('listbox').waitFor()
      await explorer.expectAccessible(page)
      await explorer.screenshot(visit, 'query-completion')
    })

    inEachLanguage('speak the language of the page', accommodations, async (visit) => {
      const { page, look } = visit
      const words = {
        de: ['Klimahaus', 'Weitere Bedingungen', 'Bedingung hinzufügen'],
        it: ['CasaClima', 'Altre condizioni', 'Aggiungi una condizione'],
        en: ['Climate house', 'More conditions', 'Add a condition'],
      }[look.language]
      const [tag = '', conditions = '', add = ''] = words
      await page.getByRole('checkbox', { name: tag }).check()
      await page.getByText(conditions).click()
      await page.getByRole('button', { name: add }).waitFor()
      await explorer.expectAccessible(page)
      await explorer.screenshot(visit, 'query')
    })

    it('explain why the values in use cannot be loaded, and still work', async () => {
      const { page, expectStatus } = await open('/')
      for (const [status, title] of failures) {
        expectStatus(status)
        await page.route('**/catalogue/content/Accommodation/values', (route) =>
          status === 0
            ? route.abort()
            : route.fulfill({ status, headers: { 'retry-after': '60' }, json: { status } }),
        )
        await page.goto(new URL(accommodations, page.url()).href)
        await page.getByRole('alert').filter({ hasText: title }).first().waitFor()
        await page.getByRole('searchbox', { name: 'Search' }).fill('berg')
        await expect.poll(() => parameter(page, 'q')).toBe('berg')
      }
      await explorer.expectAccessible(page)
    })
  },
)

const failures = [
  [503, 'The hub is busy or starting'],
  [429, 'Too many requests'],
  [401, 'Log in to see this'],
  [403, 'Not for this account'],
  [404, 'Not found'],
  [0, 'The hub cannot be reached'],
] as const
