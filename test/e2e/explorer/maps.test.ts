import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { canvas, drag, lookAtMap, spotOf } from './fixture/map.ts'
import { holdRequests } from './fixture/visit.ts'

const houses = '/datasets/content/Accommodation'
const onMap = `${houses}?panes=map&pane=map`

/**
 * Polls with a long timeout, because maps are rendered by the processor here, which is busy with
 * other things.
 */
const until = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: 30_000, interval: 200 })

const search = (page: Page) => new URL(page.url()).searchParams
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const status = (page: Page) => page.locator('.dataset-map .foot [role=status]')

/** Waits until the given number of places is shown, or any number if none is given. */
async function untilPlaces(page: Page, count?: number): Promise<number> {
  const said = status(page).filter({ hasText: /\d places?/ })
  await said.waitFor()
  const read = async () => Number((await said.innerText()).replaceAll(/\D.*$/g, ''))
  if (count !== undefined) await until(read).toBe(count)
  return read()
}

async function total(hub: string, query: Readonly<Record<string, string>>): Promise<number> {
  const search = new URLSearchParams({ pagesize: '1', ...query })
  const answer = await fetch(`${hub}/v1/Accommodation?${search.toString()}`)
  const { TotalResults } = await answer.json()
  return TotalResults
}

/** Requests records with their places from the API. */
async function records(hub: string) {
  const answer = await fetch(
    `${hub}/v1/Accommodation?format=geojson&stream=true&fields=Id,AccoDetail.en.Name`,
  )
  const { features } = await answer.json()
  return features.map(({ geometry, properties }: Feature) => ({
    id: properties.Id,
    name: properties['AccoDetail.en.Name'],
    place: [geometry.coordinates[0], geometry.coordinates[1]] as const,
  }))
}
type Feature = {
  readonly geometry: { readonly coordinates: readonly number[] }
  readonly properties: { readonly Id: string; readonly 'AccoDetail.en.Name': string }
}

/** Returns two stations as the map requests them, both at the position of the first one. */
async function stationsAtOnePlace(hub: string) {
  const path = '/v2/flat,node/ParkingStation'
  const answer = await fetch(`${hub}${path}?format=geojson&select=scode,sname&limit=2`)
  const { features } = await answer.json()
  const [{ geometry }] = features
  const [x, y] = geometry.coordinates
  const names: [string, string] = features.map(
    ({ properties }: { properties: { sname: string } }) => properties.sname,
  )
  return {
    names,
    request: /flat,node\/ParkingStation\?(?=.*format=geojson)(?=.*select=scode,sname)/,
    collection: {
      type: 'FeatureCollection',
      features: features.map((one: object) => ({ ...one, geometry })),
    },
    path: `/datasets/timeseries/ParkingStation?panes=map&data=free&at=${y},${x},15`,
  }
}

const boxOf = (page: Page) =>
  (search(page).get('area') ?? '').replace('box:', '').split(',').map(Number)

describeExplorer('maps', ({ hub, open, atEachSize, inEachLanguage, ...explorer }) => {
  atEachSize('show all records on the shapes of the hub', onMap, async (visit) => {
    const { page } = visit
    expect(await untilPlaces(page)).toBe(await total(hub(), {}))
    await until(async () => (await lookAtMap(page)).colours).toBeGreaterThan(50)
    expect((await lookAtMap(page)).lightness).toBeGreaterThan(200)
    await explorer.expectAccessible(visit.page)
    await explorer.screenshot(visit, 'map')
  })

  it('are dark when the page is dark', async () => {
    const { page } = await open(onMap, { light: 'dark' })
    await untilPlaces(page)
    await until(async () => (await lookAtMap(page)).colours).toBeGreaterThan(50)
    expect((await lookAtMap(page)).lightness).toBeLessThan(80)
  })

  inEachLanguage('speak the language of the page', onMap, async ({ page, look }) => {
    const words = {
      de: ['Rechteck zeichnen', 'Alles zeigen', /\d Orte/],
      it: ['Disegna un rettangolo', 'Mostra tutto', /\d luoghi/],
      en: ['Draw a rectangle', 'Show everything', /\d places/],
    } as const
    const [draw, whole, places] = words[look.language]
    await tool(page, draw).waitFor()
    await tool(page, whole).waitFor()
    await status(page).filter({ hasText: places }).waitFor()
    await explorer.expectAccessible(page)
  })

  it('open a cluster on a click, and keep their position in the URL', async () => {
    const all = await records(hub())
    const mean = (part: 0 | 1) =>
      all.reduce(
        (sum: number, { place }: { place: readonly number[] }) => sum + (place[part] ?? 0),
        0,
      ) / all.length
    const { page } = await open(`${onMap}&at=${String(mean(1))},${String(mean(0))},4`)
    await untilPlaces(page)
    // The map and the one cluster on it must be rendered.
    await until(async () => (await lookAtMap(page)).colours).toBeGreaterThan(20)
    const middle = await spotOf(page, 0.5, 0.5)
    await until(async () => {
      await page.mouse.click(middle.x, middle.y)
      return Number((search(page).get('at') ?? '').split(',')[2])
    }).toBeGreaterThan(4.5)
    // The map may still be moving; what counts is its position when it was reloaded.
    const again = await page.reload()
    await untilPlaces(page)
    expect(search(page).get('at')).toBe(new URL(again?.url() ?? '').searchParams.get('at'))
  })

  it('show a card for a clicked record, which links to the whole record', async () => {
    const all = await records(hub())
    const far = ({ place: [x, y] }: { place: readonly [number, number] }) =>
      Math.min(
        ...all.map(({ place }: { place: readonly [number, number] }) =>
          place[0] === x && place[1] === y ? 9 : Math.hypot(place[0] - x, place[1] - y),
        ),
      )
    const alone = all.toSorted((a: never, b: never) => far(b) - far(a))[0]
    const { page } = await open(`${onMap}&at=${alone.place[1]},${alone.place[0]},15`)
    await untilPlaces(page)
    const middle = await spotOf(page, 0.5, 0.5)
    const card = page.getByRole('region', { name: alone.name, exact: true })
    await until(async () => {
      await page.mouse.click(middle.x, middle.y)
      return card.isVisible()
    }).toBe(true)
    expect(search(page).get('record')).toBe(alone.id)
    // The card has the same content as the columns beside the map.
    await card.getByText('Municipality', { exact: true }).waitFor()
    await explorer.expectAccessible(page)
    await card.getByRole('link', { name: 'Open' }).click()
    await page.waitForURL(`**/records/Accommodation/${alone.id}*`)
  })

  it('colour stations by their latest values', async () => {
    const { page } = await open('/datasets/timeseries/ParkingStation?panes=map&data=free')
    const legend = page.getByRole('region', { name: 'Colours' })
    await legend.getByText('free').waitFor()
    expect(await legend.getByRole('listitem').count()).toBeGreaterThan(2)
    await page.getByText('In view', { exact: true }).click()
    const first = page.locator('.dataset-map li button').first()
    const name = (await first.textContent())?.trim() ?? ''
    await first.click()
    const card = page.getByRole('region', { name, exact: true })
    await card.getByRole('link', { name: /free/ }).waitFor()
    await explorer.expectAccessible(page)
  })

  it('list several stations at one location, and show the one chosen by keyboard', async () => {
    const place = await stationsAtOnePlace(hub())
    const { page } = await open('/docs')
    await page.route(place.request, (route) => route.fulfill({ json: place.collection }))
    await page.goto(`${hub()}${place.path}`)
    await untilPlaces(page, 2)
    const several = page.getByRole('region', { name: '2 places', exact: true })
    const middle = await spotOf(page, 0.5, 0.5)
    await until(async () => {
      await page.mouse.click(middle.x, middle.y)
      return several.isVisible()
    }).toBe(true)
    await explorer.expectAccessible(page)
    await several.getByRole('button', { name: place.names[1], exact: true }).press('Enter')
    const card = page.getByRole('region', { name: place.names[1], exact: true })
    await card.getByRole('link', { name: /free/ }).waitFor()
    const isFocused = (one: Element) => one === document.activeElement
    await until(() => card.evaluate(isFocused)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await card.waitFor({ state: 'detached' })
    await until(() => canvas(page).evaluate(isFocused)).toBe(true)
    expect(search(page).has('record')).toBe(false)
  })

  it('hide the values of one station while another one loads', async () => {
    const [first, second] = (await stationsAtOnePlace(hub())).names
    const { page } = await open('/datasets/timeseries/ParkingStation?panes=map&data=free')
    const card = (name: string) => page.getByRole('region', { name, exact: true })
    await page.getByText('In view', { exact: true }).click()
    const choose = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await choose(first)
    await card(first).getByRole('link', { name: /free/ }).waitFor()
    const letGo = await holdRequests(page, /scode\.eq\./)
    await choose(second)
    await card(second).waitFor()
    expect(await card(second).locator('dt').count()).toBe(0)
    letGo()
    await card(second).getByRole('link', { name: /free/ }).waitFor()
  })

  it('show values on cards as soon as the catalogue lists their data types', async () => {
    const [name] = (await stationsAtOnePlace(hub())).names
    const { page } = await open('/docs')
    const dataset = '**/catalogue/timeseries/ParkingStation'
    await page.route(dataset, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), dataTypes: [] } })
    })
    await page.goto(`${hub()}/datasets/timeseries/ParkingStation?panes=map&data=free`)
    await page.getByText('In view', { exact: true }).click()
    await page.getByRole('button', { name, exact: true }).click()
    const card = page.getByRole('region', { name, exact: true })
    await card.locator('dt').first().waitFor()
    expect(await card.getByRole('link', { name: /free/ }).count()).toBe(0)
    await page.unroute(dataset)
    await card.getByRole('link', { name: /free/ }).waitFor()
  })

  it('list the records in view, and move to a selected record elsewhere', async () => {
    const [first] = await records(hub())
    const { page } = await open(`${onMap}&at=46.9,12.3,13&record=${first.id}`)
    await page.getByRole('region', { name: first.name, exact: true }).waitFor()
    await page.getByText('In view', { exact: true }).click()
    const chosen = page.getByRole('button', { name: first.name, pressed: true })
    await chosen.waitFor()
    await explorer.expectAccessible(page)
  })

  it('filter by a rectangle that can be drawn, resized, moved by keys and removed', async () => {
    const { page } = await open(onMap)
    const all = await untilPlaces(page)
    await tool(page, 'Draw a rectangle').click()
    await page.getByText('Drag from corner to corner. Escape ends it.').first().waitFor()
    await drag(page, await spotOf(page, 0.45, 0.45), await spotOf(page, 0.6, 0.6))
    await until(() => search(page).get('area')).toMatch(/^box:/)
    const drawn = boxOf(page)
    const [west = 0, south = 0, east = 0, north = 0] = drawn
    const inside = await total(hub(), {
      polygon: `bbi(${west} ${south},${east} ${north})`,
    })
    expect(inside).toBeGreaterThan(0)
    expect(inside).toBeLessThan(all)
    await untilPlaces(page, inside)

    const corner = page.getByRole('button', { name: /^Corner 3:/ })
    // The map no longer moves once the pointer is over the corner.
    await corner.hover()
    const box = await corner.boundingBox()
    if (box === null) throw new Error('There is no corner')
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await drag(page, from, { x: from.x + 60, y: from.y - 60 })
    await until(() => boxOf(page)[2]).toBeGreaterThan(east)
    // The opposite corner stays.
    expect(boxOf(page)[0]).toBeCloseTo(west, 5)

    const before = boxOf(page)
    await page.getByRole('button', { name: /^Move the area/ }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await until(() => boxOf(page)[0]).toBeGreaterThan(before[0] ?? 0)
    await explorer.expectAccessible(page)

    await tool(page, 'Remove the area').click()
    await untilPlaces(page, all)
    expect(search(page).has('area')).toBe(false)
  })

  it('discard a new rectangle on Escape, and keep the circle from the URL', async () => {
    const { page } = await open(`${onMap}&area=circle:11.35,46.5,5000`)
    const near = { latitude: '46.5', longitude: '11.35', radius: '5000' }
    const inside = await total(hub(), near)
    await untilPlaces(page, inside)
    await tool(page, 'Draw a rectangle').click()
    const [from, to] = [await spotOf(page, 0.4, 0.4), await spotOf(page, 0.6, 0.6)]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 3 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(search(page).get('area')).toBe('circle:11.35,46.5,5000')
    expect(await untilPlaces(page)).toBe(inside)
  })

  it('filter by a rectangle that is typed in by keyboard, and report invalid values', async () => {
    const { page } = await open(onMap)
    await untilPlaces(page)
    await tool(page, 'Type in the area').focus()
    await page.keyboard.press('Enter')
    const fill = async (name: string, text: string) => {
      const field = page.getByRole('textbox', { name, exact: true })
      await field.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
    }
    await fill('North', '146.5')
    await page.keyboard.press('Enter')
    await page.getByText('A number from −90 to 90').waitFor()
    await explorer.expectAccessible(page)
    await fill('North', '46.6')
    await fill('South', '46.4')
    await fill('West', '11.2')
    await fill('East', '11.5')
    await page.keyboard.press('Enter')
    await until(() => search(page).get('area')).toBe('box:11.2,46.4,11.5,46.6')
    await untilPlaces(page, await total(hub(), { polygon: 'bbi(11.2 46.4,11.5 46.6)' }))
  })

  it('change the cursor over a cluster that can be opened', async () => {
    const [first] = await records(hub())
    const { page } = await open(`${onMap}&at=${first.place[1]},${first.place[0]},5`)
    await untilPlaces(page)
    await until(async () => (await lookAtMap(page)).colours).toBeGreaterThan(20)
    const spot = await spotOf(page, 0.5, 0.5)
    const cursor = () => canvas(page).evaluate((one) => one.style.cursor)
    await until(async () => {
      await page.mouse.move(spot.x, spot.y)
      await page.mouse.move(spot.x + 1, spot.y)
      return cursor()
    }).toBe('pointer')
  })

  it('zoom and move by keyboard', async () => {
    const { page } = await open(`${onMap}&at=46.6,11.4,9`)
    await untilPlaces(page)
    await canvas(page).focus()
    await page.keyboard.press('+')
    const camera = () => (search(page).get('at') ?? '').split(',').map(Number)
    await until(() => camera()[2]).toBeGreaterThan(9.5)
    await page.keyboard.press('ArrowRight')
    await until(() => camera()[1]).toBeGreaterThan(11.4)
  })
})
