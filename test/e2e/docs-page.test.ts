import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../fixtures/databases.ts'
import type { TestDatabase } from '../fixtures/databases.ts'
import { startHub, stopHub } from '../fixtures/hub-process.ts'
import type { HubProcess } from '../fixtures/hub-process.ts'

const executablePath = '/usr/bin/chromium'
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync']
const isAbsent = !existsSync(executablePath)
const title = 'the page at /docs/swagger'
const leftOut = '[left out: Chromium is not installed; run npm run setup]'

describe.skipIf(isAbsent)(isAbsent ? `${title} ${leftOut}` : title, () => {
  let clone: TestDatabase
  let hub: HubProcess
  let browser: Browser

  beforeAll(async () => {
    clone = await cloneDatabase('embedded')
    hub = await startHub({ settings: clone.settings })
    browser = await chromium.launch({ executablePath, args })
  })
  afterAll(async () => {
    await browser.close()
    await stopHub(hub)
    await clone.drop()
  })

  it('shows every address in a browser, without an error and without asking elsewhere', async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      const { host, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && host !== new URL(hub.url).host) faults.push(request.url())
    })
    await page.goto(`${hub.url}/docs/swagger`)
    await page.getByText('Push', { exact: true }).click()
    await page.getByText('/push/{provider}/{dataset}', { exact: true }).waitFor()
    await page.getByText('Content', { exact: true }).click()
    await page.getByText('/v1/Accommodation/{id}', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('opens the page of an error from its type', async () => {
    const response = await fetch(`${hub.url}/v1/Accommodation?pagenumber=0`)
    const page = await browser.newPage()
    const { type } = Parse(Type.Object({ type: Type.String() }), await response.json())
    await page.goto(`${hub.url}${new URL(type).pathname}`)
    expect(await page.getByRole('heading').textContent()).toBe('Invalid parameter')
  })
})
