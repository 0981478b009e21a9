import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { tileArchive } from '../../fixtures/tile-archive.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { lookAtMap } from './fixture/map.ts'
import { pushTo } from './fixture/push.ts'

const onMap = '/datasets/content/Accommodation?panes=map&pane=map'

/**
 * Polls with a long timeout, because maps are rendered by the processor here, which is busy with
 * other things.
 */
const until = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: 30_000, interval: 200 })

const places = (page: Page) => page.getByText(/^\d+ places/).first()
const isDrawn = async (page: Page) => {
  await until(async () => (await lookAtMap(page)).colours).toBeGreaterThan(50)
}

/** A tile of one red pixel. */
const red = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

/**
 * A vector tile with one layer, `water`, of one polygon that covers it (Mapbox Vector Tile
 * specification 2.1).
 */
const water = Buffer.from(
  `1a20 0a05${Buffer.from('water').toString('hex')} 1212 1803 220e 090000 1a804000 008040 ff3f00 0f 288020 7802`.replaceAll(
    ' ',
    '',
  ),
  'hex',
)

describeExplorer('maps in different states', ({ open, hub, ...explorer }) => {
  it('request the tiles that the operator configured, and show their attribution', async () => {
    const { page } = await open('/docs')
    const asked: string[] = []
    await page.route('**/explorer.json', async (route) => {
      const answer = await route.fetch()
      const map = {
        tiles: `${new URL(page.url()).origin}/tiles/{z}/{x}/{y}.png`,
        attribution: '© Maps',
      }
      await route.fulfill({ json: { ...(await answer.json()), map } })
    })
    await page.route('**/tiles/**', async (route) => {
      asked.push(new URL(route.request().url()).pathname)
      await route.fulfill({ body: red, contentType: 'image/png' })
    })
    await page.goto(new URL(onMap, page.url()).href)
    await places(page).waitFor()
    await page.getByText('© Maps').waitFor()
    await until(() => asked.length).toBeGreaterThan(0)
    expect(asked[0]).toMatch(/^\/tiles\/\d+\/\d+\/\d+\.png$/)
    // Red covers the whole map, a little paler than the tile itself.
    await until(async () => (await lookAtMap(page)).lightness).toBeLessThan(150)
  })

  it.each([
    ['pictures', tileArchive({ kind: 'png', tile: red, metadata: {} })],
    [
      'shapes',
      tileArchive({ kind: 'mvt', tile: water, metadata: { vector_layers: [{ id: 'water' }] } }),
    ],
  ] as const)('are drawn over a tile archive of %s', async (_, archive) => {
    const { page } = await open('/docs')
    await page.route('**/explorer.json', async (route) => {
      const answer = await route.fetch()
      const map = { style: '/map/region.pmtiles' }
      await route.fulfill({ json: { ...(await answer.json()), map } })
    })
    const asked: string[] = []
    await page.route('**/map/region.pmtiles', async (route) => {
      const [, from = '0', to = '0'] =
        /bytes=(\d+)-(\d+)/.exec(route.request().headers()['range'] ?? '') ?? []
      asked.push(from)
      await route.fulfill({
        status: 206,
        headers: { 'content-range': `bytes ${from}-${to}/${String(archive.length)}` },
        body: archive.subarray(Number(from), Number(to) + 1),
      })
    })
    await page.goto(new URL(onMap, page.url()).href)
    await places(page).waitFor()
    // The tile is requested after the archive's header and directory.
    await until(() => asked.length).toBeGreaterThan(1)
    await until(async () => (await lookAtMap(page)).lightness).toBeLessThan(190)
  })

  it('are drawn over the configured style, or without it if it cannot be loaded', async () => {
    const { page, expectStatus } = await open('/docs')
    await page.route('**/explorer.json', async (route) => {
      const answer = await route.fetch()
      const map = { style: '/map/style.json', attribution: '© Style' }
      await route.fulfill({ json: { ...(await answer.json()), map } })
    })
    const paint = { 'background-color': '#f00' }
    const layers = [{ id: 'red', type: 'background', paint }]
    // Its images are relative to its URL.
    const style = { version: 8, sources: {}, layers, sprite: 'sprite' }
    const sprite = page.waitForRequest('**/map/sprite*.json')
    await page.route('**/map/sprite*', (route) =>
      route.fulfill(route.request().url().endsWith('.json') ? { json: {} } : { body: red }),
    )
    await page.route('**/map/style.json', (route) => route.fulfill({ json: style }))
    await page.goto(new URL(onMap, page.url()).href)
    await page.getByText('© Style').waitFor()
    await sprite
    await until(async () => (await lookAtMap(page)).lightness).toBeLessThan(150)

    expectStatus(404)
    await page.route('**/map/style.json', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await page.getByText('The background map cannot be loaded.').waitFor()
    await isDrawn(page)
  })

  it('report that the browser cannot draw them, and keep the list usable', async () => {
    const { page } = await open('/docs')
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await page.goto(new URL(onMap, page.url()).href)
    await page.getByText('No map in this browser').waitFor()
    await places(page).waitFor()
    await page.getByText('In view', { exact: true }).click()
    await page.locator('.dataset-map li button').first().click()
    await until(() => new URL(page.url()).searchParams.has('record')).toBe(true)
    await explorer.expectAccessible(page)
  })

  it('report that the hub is busy, and show the records after a retry', async () => {
    const { page, expectStatus } = await open('/docs')
    expectStatus(503)
    let isBusy = true
    await page.route(/format=geojson.*stream=true/, async (route) => {
      if (!isBusy) return route.fallback()
      return route.fulfill({ status: 503, headers: { 'retry-after': '60' }, json: { status: 503 } })
    })
    await page.goto(new URL(onMap, page.url()).href)
    const notice = page.locator('.dataset-map').getByText('The hub is busy or starting')
    await notice.waitFor()
    await explorer.expectAccessible(page)
    isBusy = false
    await page.locator('.dataset-map').getByRole('button', { name: 'Try again now' }).click()
    await places(page).waitFor()
    await notice.waitFor({ state: 'hidden' })
  })

  it('become dark when the page does', async () => {
    const { page } = await open(onMap)
    await places(page).waitFor()
    await isDrawn(page)
    expect((await lookAtMap(page)).lightness).toBeGreaterThan(200)
    await page.emulateMedia({ colorScheme: 'dark' })
    await until(async () => (await lookAtMap(page)).lightness).toBeLessThan(80)
  })

  it('show the location of a record', async () => {
    const answer = await fetch(`${hub()}/v1/Accommodation?pagesize=1&fields=Id`)
    const { Items } = await answer.json()
    const { page } = await open(`/records/Accommodation/${String(Items[0].Id)}`)
    await page.getByRole('region', { name: /^Map with the location of / }).waitFor()
    await until(async () => (await lookAtMap(page)).colours).toBeGreaterThan(20)
  })

  it('show the latest values with a legend and a table, and refresh them', async () => {
    const { page } = await open('/timeseries')
    await page.clock.install()
    const answered: string[] = []
    page.on('response', (response) => {
      if (response.url().includes('/latest?') && response.ok()) answered.push(response.url())
    })
    await page.goto(`${hub()}/timeseries?view=map&type=ParkingStation&measure=free`)
    await page.getByRole('region', { name: 'Colours' }).waitFor()
    await page.getByText(/new values appear automatically/).waitFor()
    await page.getByText('Values as a table').click()
    const answer = await fetch(
      `${hub()}/v2/flat,node/ParkingStation/free/latest?limit=-1&select=scode`,
    )
    const { data } = await answer.json()
    const lines = 1 + Number(data.length)
    await until(() => page.getByRole('table').getByRole('row').count()).toBe(lines)
    await explorer.expectAccessible(page)
    // The first refresh after six seconds may have happened already; the next one follows a changed
    // value.
    await page.clock.fastForward(6000)
    await until(() => answered.length - new Set(answered).size).toBeGreaterThan(0)
    await page.waitForTimeout(300)
    expect(await page.getByRole('table').getByRole('row').count()).toBe(lines)
    expect(await page.getByRole('table').isVisible()).toBe(true)
    expect(await page.getByText('Loading', { exact: true }).count()).toBe(0)
    // The panel shows both requests that the values come from.
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    await page.getByText('Request 2', { exact: true }).click()
    const bar = page.getByRole('region', { name: 'Request' })
    await bar.getByText('/v2/freshness/ParkingStation').first().waitFor()
  })

  it('follow changes of values through the change feed', async () => {
    const push = await pushTo(hub())
    const stationType = 'ExplorerLive'
    const items = [{ code: 'live', name: 'Live', active: true, coordinate: [11.35, 46.5] }]
    await push({ kind: 'dataTypes', items: [{ name: 'free' }] })
    await push({ kind: 'stations', stationType, origin: 'EXPLORER', items })
    const measure = (value: number) => {
      const values = [['live', 'free', new Date().toISOString(), value]]
      return push({ kind: 'measurements', stationType, period: 300, items: values })
    }
    await measure(17)
    const latest = `${hub()}/v2/flat,node/${stationType}/free/latest`
    await until(async () => (await (await fetch(latest)).json()).data?.length ?? 0).toBe(1)
    const { page } = await open('/timeseries')
    await page.clock.install()
    const following = page.waitForRequest(/live=long-poll/)
    await page.goto(`${hub()}/timeseries?view=map&type=${stationType}&measure=free`)
    await page.getByText(/new values appear automatically/).waitFor()
    await page.getByText('Values as a table').click()
    await page.getByRole('cell', { name: '17', exact: true }).waitFor()
    await page.clock.fastForward(6000)
    await following
    let reported = 0
    page.on('response', (response) => {
      if (response.url().includes('live=long-poll') && response.status() === 200) reported += 1
    })
    await measure(23)
    await until(() => reported).toBeGreaterThan(0)
    // Only once: the page waits for a response at most half a minute by its own clock.
    await page.clock.fastForward(6000)
    await page.getByRole('cell', { name: '23', exact: true }).waitFor()
  })
})
