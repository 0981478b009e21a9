import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { sql } from '../src/sql/index.ts'
import { buildPage } from '../test/e2e/explorer/fixture/build-page.ts'
import { launchBrowser } from '../test/e2e/explorer/fixture/chromium.ts'
import { startHub, stopHub } from '../test/fixtures/hub-process.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { ceiling } from './harness/bench.ts'
import { median } from './harness/compare-sides.ts'
import { databaseConnections } from './harness/conditions.ts'

const rounds = 7

/** Factor by which the processor of the page is slowed down. */
const slowdown = 4

/** The views, each with a selector that matches when it shows data. */
const views = {
  catalogue: { path: '/', data: 'main h2, main li h3' },
  dataset: { path: '/datasets/content/Accommodation', data: '[role=rowheader] a' },
  record: { path: '/records/Accommodation/', data: 'main h2' },
  chart: {
    path: '/timeseries?series=ParkingStation/parking-0001/occupied',
    data: '.chart canvas',
  },
  traffic: { path: '/datasets/traffic', data: 'main tbody tr' },
} as const

/**
 * Time from the navigation to the first data, in a browser with an empty cache on a phone of some
 * years ago.
 */
export const explorerViews = ceiling({
  name: 'explorer-views',
  title: `Slowest of catalogue, dataset, record, chart and traffic on a processor ${slowdown} times as slow, from the address to the data`,
  goal: 1500,
  unit: 'ms',
  measure: async ({ store, postgresql, log }) => {
    await store.database.execute(sql`create database views`)
    await buildPage()
    const hub = await startHub({
      args: ['demo'],
      settings: {
        DATABASE_URL: new URL('/views', postgresql.url).href,
        HUB_DATABASE_CONNECTIONS: databaseConnections,
        HUB_STATEMENT_TIMEOUT: 30_000,
        HUB_DATA_DIR: 'unused',
      },
    })
    const browser = await launchBrowser()
    try {
      await untilLoaded(hub)
      const list = await fetch(`${hub.url}/v1/Accommodation?pagesize=1&fields=Id`)
      const [, id = ''] = /"Id"\s*:\s*"([^"]+)"/.exec(await list.text()) ?? []
      const times = Object.entries(views).map(([name]) => ({ name, all: new Array<number>() }))
      for (let round = 0; round < rounds; round++) {
        for (const [index, { path, data }] of Object.values(views).entries()) {
          const whole = `${hub.url}${path}${path.endsWith('Accommodation/') ? id : ''}`
          times[index]?.all.push(await openView(browser, whole, data))
        }
        log(`explorer-views: round ${round + 1} of ${rounds}`)
      }
      const detail = times.map(({ name, all }) => `${name} ${median(all).toFixed(0)}`).join(', ')
      const slowest = Array.from({ length: rounds }, (_, round) =>
        Math.max(...times.map(({ all }) => all[round] ?? 0)),
      )
      return { values: slowest, detail: `medians: ${detail} ms` }
    } finally {
      await browser.close()
      await stopHub(hub)
    }
  },
})

/**
 * Waits for the whole demo region. The hub serves requests earlier, and logs when the region is
 * complete.
 */
async function untilLoaded({ output }: HubProcess): Promise<void> {
  while (!output().includes('The history of 30 days is complete')) await pause(200)
}

async function openView(browser: Browser, url: string, data: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watch(data))
  await page.goto(url, { waitUntil: 'commit' })
  const shown = await page.evaluate<number>('globalThis.shown')
  await context.close()
  return shown
}

/** Source text, because it runs in the page. Times count from the navigation. */
const watch = (data: string) => `globalThis.shown = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('No data for 30 s: ' + document.body.innerText)), 30000)
  const look = () => {
    if (document.querySelector(${JSON.stringify(data)}) === null) requestAnimationFrame(look)
    else requestAnimationFrame(() => resolve(performance.now()))
  }
  requestAnimationFrame(look)
})`
