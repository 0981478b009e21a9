import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'

const kilobyte = 1000

/**
 * Waits until no more resources arrive. Network idle does not work here, because a view that
 * follows a change feed always has an open request.
 */
async function untilLoaded(page: Page): Promise<void> {
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length)
  for (let [before, now] = [-1, await count()]; before !== now;) {
    await page.waitForTimeout(1000)
    ;[before, now] = [now, await count()]
  }
}

describeExplorer('the first view', ({ open, hub }) => {
  it.each([
    '/',
    '/datasets/content/Accommodation?panes=table',
    '/timeseries?series=ParkingStation/parking-0001/occupied',
    '/datasets/traffic',
    '/docs',
  ])(
    'loads at most 130 KB of compressed scripts, styles and data, except maps and lists: %s',
    async (path) => {
      const { page } = await open(path)
      await untilLoaded(page)
      const loaded = await page.evaluate(() =>
        [
          ...performance.getEntriesByType('navigation'),
          ...performance.getEntriesByType('resource'),
        ].map(({ name }) => name),
      )
      const counted = loaded.filter((name) =>
        path === '/' ? true : name.includes('/assets/') && !/maplibre|map/i.test(name),
      )
      const sizes = await Promise.all(counted.map(packedSize))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      console.log(`${path}: ${counted.length} files, ${(total / kilobyte).toFixed(0)} KB gzip`)
      expect(total).toBeLessThanOrEqual(130 * kilobyte)
    },
  )

  it('paints its largest element within 1.5 seconds', async () => {
    const times: number[] = []
    // Five first-time visitors in sequence, so that no other window is open.
    for (let visitor = 0; visitor < 5; visitor += 1) {
      const { page } = await open('/')
      await page.waitForLoadState('networkidle')
      times.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              new PerformanceObserver((list) => {
                resolve(list.getEntries().at(-1)?.startTime ?? Infinity)
              }).observe({ type: 'largest-contentful-paint', buffered: true })
            }),
        ),
      )
      await page.context().close()
    }
    const median = times.toSorted((a, b) => a - b)[2]
    console.log(`largest contentful paint: ${times.map((one) => one.toFixed(0)).join(', ')} ms`)
    expect(median).toBeLessThanOrEqual(1500)
  })

  it('is fetched once: later visits request no asset again', async () => {
    const { page } = await open('/')
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('response', (response) => {
      if (response.url().includes('/assets/') && !response.fromServiceWorker())
        asked.push(response.url())
    })
    await page.goto(`${hub()}/docs`)
    await page.goto(`${hub()}/`)
    await page.waitForLoadState('networkidle')
    const fromNetwork = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(
          (entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming,
        )
        .filter(({ name, transferSize }) => name.includes('/assets/') && transferSize > 0)
        .map(({ name }) => name),
    )
    expect(asked.length).toBeGreaterThan(0)
    expect(fromNetwork).toEqual([])
  })
})

/** Returns the compressed size that a browser without brotli receives, excluding headers. */
async function packedSize(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  const length = response.headers.get('content-length')
  if (length !== null) return Number(length)
  // A response that is compressed while being sent arrives decompressed, so compress it again.
  const packed = new Blob([await response.arrayBuffer()])
    .stream()
    .pipeThrough(new CompressionStream('gzip'))
  return (await new Response(packed).arrayBuffer()).byteLength
}
