import type { Page } from 'playwright-core'
import { buildPage } from '../test/e2e/explorer/fixture/build-page.ts'
import { launchBrowser } from '../test/e2e/explorer/fixture/chromium.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { ceiling } from './harness/bench.ts'
import { records } from './harness/conditions.ts'

const rounds = 3

/** Pixels per frame: reading, searching, and from top to bottom in some 20 s. */
const speeds = [40, 600, 8000] as const

/** Milliseconds of scrolling at each of the slower speeds. Pages are loaded in the meantime. */
const stretch = 4000

/**
 * The longest time for which the page does not respond while a table of all records is scrolled.
 */
export const explorerTable = ceiling({
  name: 'explorer-table',
  title: `Longest pause while a table over ${records.toLocaleString('en')} records is scrolled from top to bottom`,
  goal: 100,
  unit: 'ms',
  measure: async (environment) => {
    await loadAccommodations(environment)
    await buildPage()
    // A hub serves the page that existed when it started.
    const hub = await environment.startHub()
    const browser = await launchBrowser()
    try {
      const values: number[] = []
      for (let round = 0; round < rounds; round++) {
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
        // The images of the fixture do not exist.
        await page.route('https://**', (route) => route.abort())
        await page.goto(`${hub.url}/datasets/content/Accommodation?panes=table`)
        values.push(await scrollAll(page))
        environment.log(`explorer-table: ${values.at(-1)?.toFixed(0) ?? ''} ms`)
        await page.close()
      }
      return { values, detail: `by ${speeds.join(', ')} pixels a frame; the last row was seen` }
    } finally {
      await browser.close()
      await stopHub(hub)
    }
  },
})

/** Scrolls at each speed and finally to the end; returns the longest pause in milliseconds. */
async function scrollAll(page: Page): Promise<number> {
  await page.locator('[role=rowheader] a').first().waitFor({ timeout: 60_000 })
  const longest = await page.evaluate<number>(scroll)
  const last = page.locator(`[role=row][aria-rowindex="${records + 1}"][aria-busy=false]`)
  await last.waitFor({ timeout: 60_000 })
  return longest
}

/** Source text, because it runs in the page. A pause is a long task or a gap between two frames. */
const scroll = `(async () => {
  const grid = document.querySelector('[role=grid]')
  let longest = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  })
  observer.observe({ type: 'longtask' })
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const isAtEnd = () => grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1
  let before = await frame()
  for (const [index, speed] of ${JSON.stringify(speeds)}.entries()) {
    const began = before
    const isLast = index === ${speeds.length - 1}
    while (!isAtEnd() && (isLast || before - began < ${stretch})) {
      grid.scrollTop += speed
      const now = await frame()
      longest = Math.max(longest, now - before)
      before = now
    }
  }
  observer.disconnect()
  return longest
})()`
