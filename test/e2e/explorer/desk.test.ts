import { beforeAll, expect, it } from 'vitest'
import { countActions } from './fixture/count-actions.ts'
import { describeExplorer } from './fixture/describe-explorer.ts'
import { logIn } from './fixture/log-in.ts'
import { pushTo } from './fixture/push.ts'

describeExplorer('the Desk', ({ hub, open, atEachSize, screenshot, expectAccessible }) => {
  it('requires a login, and then shows what the account may do', async () => {
    const { page } = await open('/desk')
    await page.getByText('Provide, maintain and monitor data here').waitFor()
    expect(await page.getByRole('banner').getByRole('link', { name: 'Desk' }).count()).toBe(0)
    await logIn(page, 'demo-clerk')
    await page.getByText('What you can do as demo-clerk.').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Desk' }).waitFor()
    await page.getByRole('link', { name: 'Records' }).waitFor()
    await expectAccessible(page)
  })

  it('reports that an account may not change anything', async () => {
    const { page } = await open('/desk')
    await logIn(page)
    await page.getByText('Your account cannot change anything here').waitFor()
  })

  // The console logs every refused request, which fails the test.
  it.each(['/desk/streams', '/desk/streams/demo/desk-hour'])(
    'sends no request that requires a login before the user has logged in: %s',
    async (path) => {
      const { page } = await open(path)
      await page.getByText('Provide, maintain and monitor data here').waitFor()
      await page.waitForLoadState('networkidle')
    },
  )

  it('opens the playground for an account without the right to push to the stream', async () => {
    const { page } = await open('/')
    await logIn(page)
    await page.getByRole('banner').getByRole('link', { name: 'Desk' }).waitFor()
    await page.goto(`${hub()}/desk/streams/demo/desk-hour/playground`)
    await page.getByText('1 item would be stored').waitFor()
    await page.waitForLoadState('networkidle')
  })

  const stations = (...items: readonly object[]) => ({
    kind: 'stations',
    stationType: 'DeskStation',
    origin: 'demo-desk',
    items,
  })

  const places = [
    { id: 'hour-1', name: 'Lake', lon: 11.26, lat: 46.42 },
    { id: 'hour-2', name: 7, lon: 11.26, lat: 46.42 },
  ]

  beforeAll(async () => {
    const push = await pushTo(hub(), 'desk')
    await push(stations({ code: 'desk-1', name: 'Desk 1' }, { code: '' }))
    const pushHour = await pushTo(hub(), 'desk-hour')
    await pushHour(places)
    const pushUnread = await pushTo(hub(), 'desk-unread')
    await pushUnread({ free: 3 })
  })

  atEachSize('shows what a stream received, and what was rejected', '/desk', async (visit) => {
    const { page } = visit
    await logIn(page, 'demo-provider')
    await page.getByRole('main').getByRole('link', { name: 'Streams' }).click()
    const unread = page.getByRole('listitem').filter({ hasText: 'demo/desk-unread' })
    await unread.getByText('Nothing reads this stream yet').waitFor()
    await unread.getByText('1 waiting').waitFor()
    await unread.getByRole('img', { name: 'Arrivals in 31 days, at most 1 in a day' }).waitFor()
    await screenshot(visit, 'streams')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'demo/desk', exact: true }).click()
    await page.getByText('1 item stored, 1 rejected').waitFor()
    await page.getByText('Receipt').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: '/items/1/code' }).waitFor()
    await page.getByText('Only its sender can see the body.').waitFor()
    await page.getByRole('button', { name: 'Replay' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Data from newer messages stays').waitFor()
    await screenshot(visit, 'stream-replay')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('1 item stored, 1 rejected').waitFor()
    await screenshot(visit, 'stream')
    await expectAccessible(page)
    await page.getByLabel('State').selectOption('Dead')
    await page.getByText('No messages').waitFor()
    expect(new URL(page.url()).search).toBe('?state=dead')
  })

  atEachSize('tries a mapping on what nothing reads yet', '/desk', async (visit) => {
    const { page } = visit
    await logIn(page, 'demo-provider')
    await page.getByRole('main').getByRole('link', { name: 'Streams' }).click()
    const unread = page.getByRole('listitem').filter({ hasText: 'demo/desk-unread' })
    await unread.getByRole('link', { name: 'Try a mapping' }).click()
    await page.getByText('1 item would be stored').waitFor()
    const mapping = page.getByRole('textbox', { name: 'Mapping' })
    expect(await mapping.inputValue()).toContain('stream: demo/desk-unread')
    await page.getByLabel('Payload').fill('[{"id": "b1", "name": 7, "lon": 11.2, "lat": 46.4}]')
    await page.getByRole('cell', { name: 'item 0 /items/0/name' }).waitFor()
    await page.getByLabel('Payload').fill('[{"at": "2026-01-01T00:00:00Z", "free": 3}]')
    const values =
      '{"kind": "measurements", "stationType": "Desk", "period": 60, "items": [["b1", "free", at, free]]}'
    await mapping.fill(`version: 1\nstream: demo/desk-unread\neech: x\neach: |\n  ${values}\n`)
    await page.getByRole('button', { name: 'Line 3, column 7' }).click()
    await mapping.fill(`version: 1\nstream: demo/desk-unread\neach: |\n  ${values}\n`)
    await page.getByRole('img', { name: 'Values of 1 series' }).waitFor()
    await mapping.press('ControlOrMeta+End')
    await page.getByRole('button', { name: 'description' }).click()
    expect(await mapping.inputValue()).toMatch(/description: $/)
    await screenshot(visit, 'playground')
    await expectAccessible(page)
  })

  it('lets a provider try, save and replay a mapping in at most twelve actions', async () => {
    const visit = await open('/desk')
    const { page } = visit
    await logIn(page, 'demo-operator')
    await page.getByText('What you can do as demo-operator.').waitFor()
    const actions = await countActions(page)
    await page.getByRole('main').getByRole('link', { name: 'Streams' }).click()
    const unread = page.getByRole('listitem').filter({ hasText: 'demo/desk-hour' })
    await unread.getByRole('link', { name: 'Try a mapping' }).click()
    await page.getByLabel('Payload').fill(JSON.stringify(places))
    const mapping = page.getByRole('textbox', { name: 'Mapping' })
    await mapping.fill((await mapping.inputValue()).replace('"Example"', '"DeskHour"'))
    await page.getByText('1 item would be stored, 1 rejected').waitFor()
    await page.getByRole('button', { name: 'Save as mapping' }).click()
    await page.getByRole('dialog').getByText('1 item would be stored, 1 rejected').waitFor()
    await screenshot(visit, 'playground-save')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/Version \d+ is saved/).waitFor()
    await screenshot(visit, 'playground-saved')
    await expectAccessible(page)

    await page.getByRole('link', { name: 'demo/desk-hour', exact: true }).click()
    await page.getByText('1 item stored, 1 rejected').waitFor()
    await page.getByText('Receipt').click()
    await page.getByText('Read by demo/desk-hour 1').waitFor()
    await page.getByRole('cell', { name: '/items/0/name' }).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Stored data does not change').waitFor()
    await screenshot(visit, 'stream-preview')
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('1 item stored, 1 rejected').waitFor()
    const stored = async () => (await fetch(`${hub()}/v2/flat/DeskHour`)).text()
    await expect.poll(stored).toContain('hour-1')
    expect(await actions()).toBeLessThanOrEqual(12)
  })

  atEachSize(
    'lets operators take an alert on, and silence a rule',
    '/desk/alerts',
    async (visit) => {
      const { page } = visit
      await logIn(page, 'demo-operator')
      // A hub starts checking its rules two minutes after its start.
      await page.getByText('No message has ever arrived').first().waitFor({ timeout: 150_000 })
      await screenshot(visit, 'alerts')
      const taken = page.getByText('Acknowledged by demo-operator')
      const take = page.getByRole('button', { name: 'Acknowledge: No message has ever arrived' })
      await take.or(taken).first().waitFor()
      if (await take.isVisible()) await take.click()
      await taken.waitFor()
      await page.getByRole('button', { name: 'Silence: series-stale' }).click()
      await page.getByRole('menuitem', { name: '8 hours' }).click()
      await page.getByRole('button', { name: 'End silence: series-stale' }).click()
      await page.getByRole('button', { name: 'Silence: series-stale' }).waitFor()
      await expectAccessible(page)
    },
  )
})
