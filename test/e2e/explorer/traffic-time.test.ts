import { expect, it } from 'vitest'
import { describeExplorer } from './fixture/describe-explorer.ts'

describeExplorer('the period of the traffic view', ({ open }) => {
  it('applies a year only once it is completely typed', async () => {
    const { page } = await open('/datasets/traffic')
    await page.locator('tbody button').first().waitFor()
    const before = await page.evaluate(() => history.length)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/Announcement?')) asked.push(request.url())
    })
    await page.getByLabel('From', { exact: true }).focus()
    await page.keyboard.type('11102026')
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^2026-1[01]/)
    // Today's events may be requested too.
    expect(asked.filter((url) => !url.includes('begin=20'))).toEqual([])
    expect(await page.evaluate(() => history.length)).toBe(before)
  })
})
