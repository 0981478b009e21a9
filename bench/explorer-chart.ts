import type { Browser } from 'playwright-core'
import { buildPage } from '../test/e2e/explorer/fixture/build-page.ts'
import { launchBrowser } from '../test/e2e/explorer/fixture/chromium.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { dataType, loadFiveMinuteYear, stationType, year } from './fixtures/five-minute-year.ts'
import { ceiling } from './harness/bench.ts'

const rounds = 7

/**
 * Time from the navigation to the drawn chart, for a year of 5-minute values in a browser with an
 * empty cache.
 */
export const explorerChart = ceiling({
  name: 'explorer-chart',
  title:
    'Chart of a year of 5-minute values of a logged-in person, from the address to the drawing',
  goal: 1000,
  unit: 'ms',
  measure: async (environment) => {
    await loadFiveMinuteYear(environment)
    await buildPage()
    // A hub serves the page that existed when it started.
    const hub = await environment.startHub()
    const browser = await launchBrowser()
    try {
      const values: number[] = []
      for (let round = 0; round < rounds; round++) {
        values.push(await openChart(browser, hub, round))
        environment.log(`explorer-chart: ${values.at(-1)?.toFixed(0) ?? ''} ms`)
      }
      return { values, detail: '105,120 values as 730 buckets; another station each time' }
    } finally {
      await browser.close()
      await stopHub(hub)
    }
  },
})

/** Opens the chart of another station in each round, so that no response is cached. */
async function openChart(browser: Browser, hub: HubProcess, round: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const tokens = { access: await hub.token('demo-basic'), expires: Date.now() + 3_600_000 }
  await context.addInitScript(
    `sessionStorage.setItem('hub.tokens', ${JSON.stringify(JSON.stringify(tokens))})`,
  )
  await context.addInitScript(watch)
  const page = await context.newPage()
  const code = `year-${String(round + 1).padStart(3, '0')}`
  const query = new URLSearchParams({
    lang: 'en',
    series: `${stationType}/${code}/${dataType}`,
    range: `${year.from}T00:00Z/${year.to}T00:00Z`,
  })
  await page.goto(`${hub.url}/timeseries?${query.toString()}`)
  const drawn = await page.evaluate<number>('globalThis.drawn')
  await context.close()
  return drawn
}

/**
 * Source text, because it runs in the page. The chart is drawn one frame after the page announces
 * the number of shown values to screen readers. Times count from the navigation.
 */
const watch = `globalThis.drawn = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('No chart for 30 s: ' + document.body.innerText)), 30000)
  const look = () => {
    const said = [...document.querySelectorAll('[role=status]')].map((one) => one.textContent)
    const isThere = document.querySelector('.chart canvas') !== null
    if (isThere && said.some((text) => /values are shown/.test(text))) {
      requestAnimationFrame(() => resolve(performance.now()))
    } else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`
