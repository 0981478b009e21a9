import { beforeAll, expect, it } from 'vitest'
import {
  chart,
  cursor,
  legend,
  other,
  paintedAt,
  parking,
  ready,
  search,
  watchValues,
} from './fixture/chart-page.ts'
import { copyBy } from './fixture/copy-by.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { autumnDay, pushAutumnDay } from './fixture/push-day.ts'

describeExplorer('the view of time series', ({ hub, open, atEachSize, ...explorer }) => {
  beforeAll(async () => {
    await pushAutumnDay(hub())
  })

  atEachSize(
    'has nothing that axe-core finds, with numbers, texts and JSON',
    chart([parking, other, 'CarsharingCar/car-0001', 'ON_DEMAND_VEHICLE/callbus-0001/position']),
    async (visit) => {
      await ready(visit.page)
      await explorer.screenshot(visit, 'timeseries')
      for (const details of await visit.page.locator('.legend summary').all()) await details.click()
      await visit.page.getByText('A value is due every').first().waitFor()
      await explorer.expectAccessible(visit.page)
    },
  )

  explorer.inEachLanguage(
    'speaks the language of the page, also of what is wrong',
    chart([parking, 'ParkingStation/nowhere/occupied'], '&view=table'),
    async ({ page, look }) => {
      const titles = { de: 'Zeitreihen', it: 'Serie temporali', en: 'Time series' }
      const wrong = {
        de: 'Einige Reihen fehlen',
        it: 'Mancano alcune serie',
        en: 'Some series are missing',
      }
      await page.getByRole('heading', { level: 1, name: titles[look.language] }).waitFor()
      await page.getByText(wrong[look.language]).waitFor()
      await page.getByRole('rowheader').first().waitFor()
      await explorer.expectAccessible(page)
    },
  )

  atEachSize('begins with what to do', '/timeseries', async (visit) => {
    await visit.page.getByText('No series chosen').waitFor()
    await explorer.expectAccessible(visit.page)
  })

  it('adds and removes series by keyboard alone', async () => {
    const { page } = await open('/timeseries')
    const field = page.getByRole('combobox', { name: 'Stations and data types' })
    await field.focus()
    // The list briefly still shows the results for the previous letters.
    const options = page.getByRole('listbox').getByRole('option')
    const only = (name: RegExp) =>
      expect.poll(() => options.allInnerTexts()).toEqual([expect.stringMatching(name)])
    await page.keyboard.type('parking-0001 occupied')
    await only(/P1.*occupied/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => search(page).getAll('series')).toEqual([parking])
    await page.keyboard.type('parking-0002 occupied')
    await only(/P2.*occupied/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => search(page).getAll('series')).toEqual([parking, other])
    await page.keyboard.press('Escape')
    await expect.poll(() => legend(page).count()).toBe(2)
    const remove = page.getByRole('button', { name: /^Remove P1/ })
    await remove.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => search(page).getAll('series')).toEqual([other])
    await expect.poll(() => legend(page).count()).toBe(1)
  })

  it('requests finer values on zooming in, and reuses those that it has', async () => {
    const { page } = await open('/timeseries?lang=en')
    const asked = watchValues(page)
    await page.goto(`${hub()}${chart([parking], '&range=1mo')}`)
    await ready(page)
    expect(asked().map((url) => url.searchParams.get('bucket'))).toEqual(['1h'])
    expect(asked()[0]?.searchParams.get('agg')).toBe('avg,min,max')
    const box = await page.locator('.u-over').boundingBox()
    if (box === null) throw new Error('There is no chart')
    await page.mouse.move(box.x + box.width * 0.7, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.8, box.y + 120, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => asked().length).toBe(2)
    await ready(page)
    expect(asked()[1]?.searchParams.has('bucket')).toBe(false)
    expect(search(page).get('range')).toMatch(/^\d{4}-.+Z\/\d{4}-.+Z$/)
    await page.goBack()
    await expect.poll(() => search(page).get('range')).toBe('1mo')
    await ready(page)
    expect(asked()).toHaveLength(2)
  })

  it('zooms by Ctrl and wheel, moves by Shift and drag, zooms out by double click', async () => {
    const { page } = await open(chart([parking], '&range=1d'))
    await ready(page)
    const length = () => {
      const [from = '', to = ''] = (search(page).get('range') ?? '').split('/')
      return Date.parse(to) - Date.parse(from)
    }
    const day = 86_400_000
    await page.locator('.u-over').hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await expect.poll(length).toBeLessThan(day)
    const closer = length()
    const from = search(page).get('range')
    await page.keyboard.down('Shift')
    const plot = await page.locator('.u-over').boundingBox()
    if (plot === null) throw new Error('There is no chart')
    const middle = plot.y + plot.height / 2
    await page.mouse.down()
    await page.mouse.move(plot.x + plot.width * 0.3, middle, { steps: 3 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await expect.poll(() => search(page).get('range')).not.toBe(from)
    expect(Math.abs(length() - closer)).toBeLessThan(2000)
    await page.locator('.u-over').dblclick()
    await expect.poll(length).toBeGreaterThan(closer * 1.9)
  })

  it('draws the line outside a gap, but not in it', async () => {
    const answer = await fetch(
      `${hub()}/v2/freshness/ParkingStation/?where=longestGap.gt.7000,kind.eq."number"&limit=1`,
    )
    const { data } = await answer.json()
    const [{ scode, tname, longestGapFrom, longestGapTo }] = data
    const read = (text: string) => Date.parse(text.replace(' ', 'T').replace('+0000', 'Z'))
    const [start, end] = [read(longestGapFrom), read(longestGapTo)]
    const around = 12 * 3_600_000
    const range = [start - around, end + around].map((time) => new Date(time).toISOString())
    const { page } = await open(
      chart([`ParkingStation/${scode}/${tname}`], `&range=${range.join('/')}`),
    )
    await ready(page)
    const share = (time: number) => (time - start + around) / (end - start + 2 * around)
    // A value may be missing at one of these times too.
    const before = [1, 2, 3].map((hours) => share(start - hours * 3_600_000))
    const middle = share((start + end) / 2)
    const [inGap, ...besides] = await paintedAt(page, [middle, ...before])
    expect(Math.max(...besides)).toBeGreaterThan(0)
    expect(inGap).toBe(0)
  })

  it('shows a day of 25 hours with one hour twice, and no hour twice in UTC', async () => {
    const { page } = await open(chart([autumnDay.series], `&range=${autumnDay.range}&view=table`))
    await ready(page)
    const heads = () => page.getByRole('rowheader').allInnerTexts()
    expect(await heads()).toHaveLength(autumnDay.hours)
    expect((await heads()).filter((text) => text.includes('02:00'))).toHaveLength(2)
    const zones = (await heads()).map((text) => text.slice(-4).trim())
    expect(new Set(zones)).toEqual(new Set(['CEST', 'CET']))
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('utc')
    await expect.poll(async () => (await heads())[0]).toContain('22:00 UTC')
    const inUtc = await heads()
    expect(inUtc).toHaveLength(autumnDay.hours)
    expect(inUtc.filter((text) => text.endsWith(' UTC'))).toHaveLength(autumnDay.hours)
    const hours = inUtc.map((text) => /(\d\d):00/.exec(text)?.[1])
    // The newest row is first.
    const expected = inUtc.map((_, index) => String((22 - index + 48) % 24).padStart(2, '0'))
    expect(hours).toEqual(expected)
    expect(search(page).get('zone')).toBe('utc')
  })

  it('requests buckets in the selected time zone', async () => {
    const { page } = await open('/timeseries')
    const asked = watchValues(page)
    await page.goto(`${hub()}${chart([parking], '&range=1mo')}`)
    await ready(page)
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('utc')
    await expect
      .poll(() => asked().map((url) => url.searchParams.get('timezone')))
      .toEqual(['Europe/Rome', 'UTC'])
  })

  it('announces each value when the chart is used by keyboard', async () => {
    const { page } = await open(chart([parking]))
    await ready(page)
    await cursor(page).focus()
    await page.keyboard.press('ArrowLeft')
    const newest = await cursor(page).getAttribute('aria-valuetext')
    expect(newest).toMatch(/CE[S]?T; .*occupied: \d+/)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).not.toBe(newest)
    await page.keyboard.press('+')
    await expect.poll(() => search(page).get('range')).toMatch(/Z\//)
    const closer = search(page).get('range')
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(() => search(page).get('range')).not.toBe(closer)
    await page.getByRole('button', { name: 'Exact times' }).click()
    await page.getByLabel('From', { exact: true }).fill('2026-01-02T03:04')
    await explorer.expectAccessible(page)
  })

  it('shows all values as a table, and copies them as CSV', async () => {
    const { page } = await open(chart([parking, other], '&range=1d'))
    await ready(page)
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('columnheader', { name: /^P1 .* occupied/ }).waitFor()
    const rows = await page.getByRole('rowheader').count()
    expect(rows).toBeGreaterThan(20)
    const copied = await copyBy(page.getByRole('button', { name: 'Copy as CSV' }))
    expect(copied.split('\r\n').length).toBeGreaterThanOrEqual(rows + 1)
    expect(copied.split('\r\n')[1]).toMatch(/^\d{4}-\d\d-\d\dT.*Z,/)
    await explorer.expectAccessible(page)
  })

  it('hides a series and shows it again, and draws no more than two units', async () => {
    const units = ['MeteoStation/meteo-0001/air-temperature', 'MeteoStation/meteo-0001/wind-speed']
    const { page } = await open(chart([...units, 'MeteoStation/meteo-0001/air-humidity']))
    await ready(page)
    await page.getByText('Not drawn: a chart has two scales').waitFor()
    await page.getByRole('button', { name: /^Hide .*air-temperature/ }).click()
    await expect.poll(() => page.getByText('Not drawn').count()).toBe(0)
    expect(search(page).getAll('hide')).toEqual([units[0]])
    await page.getByRole('button', { name: /^Show .*air-temperature/ }).click()
    await page.getByText('Not drawn').waitFor()
  })
})
