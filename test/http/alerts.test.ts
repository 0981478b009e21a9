import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Registry } from 'prom-client'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evaluation, loadAlerts, mailThrough, notifyDue } from '../../src/alerts/index.ts'
import { sql } from '../../src/sql/index.ts'
import { internet } from '../../src/http/index.ts'
import { openComposedHub } from '../fixtures/composed-hub.ts'
import { cloneDatabase, describeOnEngines } from '../fixtures/databases.ts'
import { isSignedWith, openReceiver, tokenOf } from '../fixtures/webhook-hub.ts'

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const oneMinute = 60_000

/** Starts a mail server that records the mails it receives. */
async function openMailServer() {
  const mails: { readonly to: readonly string[]; readonly text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = () => promisify((done: () => void) => server.close(done))()
  return { mails, url: `smtp://127.0.0.1:${String(address.port)}`, close }
}

const rulesOf = (webhook: string) => `receivers:
  - { name: chat, webhook: '${webhook}', secret: ${secret} }
  - { name: operators, email: [ops@region.example] }
rules:
  - { name: lifts-silent, watch: stream-silent, of: demo/lifts, limit: 30 }
  - { name: cars-silent, watch: stream-silent, of: demo/cars, limit: 30, to: [operators] }
`

describeOnEngines('Alerts', (engine) => {
  let folder = ''
  let hub: Awaited<ReturnType<typeof openComposedHub>>
  let clone: Awaited<ReturnType<typeof cloneDatabase>>
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let mail: Awaited<ReturnType<typeof openMailServer>>
  /**
   * Evaluates the rules on two nodes at once and sends the notifications, as the nodes do by
   * themselves.
   */
  let pass: (minutes?: number) => Promise<void>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hub-alerts-'))
    receiver = await openReceiver()
    mail = await openMailServer()
    const path = join(folder, 'alerts.yaml')
    await writeFile(path, rulesOf(receiver.url))
    clone = await cloneDatabase(engine)
    const from = 'Hub <hub@region.example>'
    const settings = { HUB_ALERTS: path, HUB_SMTP_URL: mail.url, HUB_SMTP_FROM: from }
    hub = await openComposedHub(clone.settings, settings)
    const { now, publicUrl, store } = hub
    const file = await loadAlerts(path, 'can be sent')
    const shared = { database: store.database, file, now, publicUrl, outside: internet }
    const nodes = ['one', 'two'].map((node) =>
      evaluation({ ...shared, metrics: new Registry(), node }),
    )
    pass = async (minutes = 1) => {
      hub.moveClock(minutes * oneMinute)
      await Promise.all(nodes.map((evaluate) => evaluate()))
      await notifyDue({ ...shared, sendMail: mailThrough(mail.url, from) })
    }
  })
  afterAll(async () => {
    await hub.close()
    await Promise.all([receiver.close(), mail.close(), clone.drop()])
    await rm(folder, { recursive: true })
  })

  const ask = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) =>
    hub.ask({ method, url: path, headers: await tokenOf(['ADMIN']), ...(payload && { payload }) })

  type Shown = Readonly<Record<string, unknown>>
  type All = Readonly<Record<'alerts' | 'rules' | 'notices', readonly Shown[]>>
  const list = async () => (await ask('GET', '/alerts')).json<All>()
  const alertOf = async (rule: string) => (await list()).alerts.find((one) => one['rule'] === rule)
  const received = () => [receiver.received.length, mail.mails.length]
  const push = (stream: string) =>
    hub.store.database.execute(sql`
      insert into message (id, stream, received, sender, may_backdate, body, sha256, state)
      values (gen_random_uuid(), ${stream}, ${hub.now()}, 'x', false, '', '', 'visible')`)

  it('are sent once by webhook and email, and again when they are resolved', async () => {
    expect(await list()).toMatchObject({ alerts: [], rules: [{}, {}], notices: [] })
    await push('demo/cars')
    await pass()
    await pass()
    expect(received()).toEqual([1, 1])
    const [post] = receiver.received
    const text = 'No message has ever arrived on demo/lifts'
    expect(isSignedWith(secret, post)).toBe(true)
    expect(JSON.parse(post?.body ?? '')).toMatchObject({
      type: 'alert.firing',
      data: { rule: 'lifts-silent', subject: 'demo/lifts', state: 'firing', text },
    })
    const [sent] = mail.mails
    expect(sent?.to).toEqual(['ops@region.example'])
    expect(sent?.text).toContain(`Subject: Alert: ${text}`)
    expect(sent?.text).toContain('From: Hub <hub@region.example>')
    expect(sent?.text).toContain('http://hub.test/desk/alerts')
    expect(await alertOf('lifts-silent')).toMatchObject({ state: 'firing', text })
    await push('demo/lifts')
    await pass()
    expect(received()).toEqual([2, 2])
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ type: 'alert.resolved' })
    expect(mail.mails[1]?.text).toContain('Subject: Resolved: ')
    expect((await list()).alerts).toEqual([])
  })

  it('are held back while their rule is silenced, and name who acknowledged them', async () => {
    expect((await ask('PUT', '/alerts/cars-silent/silence', { hours: 2 })).statusCode).toBe(204)
    expect((await list()).rules[1]).toMatchObject({
      name: 'cars-silent',
      silencedBy: 'caller with ADMIN',
    })
    await pass(40)
    expect(await alertOf('cars-silent')).toMatchObject({ state: 'firing', notified: null })
    expect(received()).toEqual([3, 3])
    expect((await ask('DELETE', '/alerts/cars-silent/silence')).statusCode).toBe(204)
    await pass()
    expect(received()).toEqual([3, 4])
    const subject = { subject: 'demo/cars' }
    const taken = await ask('POST', '/alerts/cars-silent/acknowledge', subject)
    expect(taken.statusCode).toBe(204)
    const { acknowledgedBy } = (await alertOf('cars-silent')) ?? {}
    expect(acknowledgedBy).toBe('caller with ADMIN')
    await pass(25 * 60)
    expect(received()).toEqual([4, 5])
    expect(mail.mails[4]?.text).toContain('demo/lifts')
  })

  it('are resent if delivery fails, and listed with the error until delivered', async () => {
    receiver.response.status = 500
    await push('demo/lifts')
    await pass()
    const lastError = 'The receiver responded with 500.'
    const notice = { receiver: 'chat', state: 'resolved', attempts: 1, lastError }
    expect((await list()).notices).toMatchObject([notice])
    receiver.response.status = 204
    await pass(2)
    expect(received()).toEqual([6, 6])
    expect(receiver.ids()[4]).toBe(receiver.ids()[5])
    expect((await list()).notices).toEqual([])
  })

  it('are restricted to operators, and refuse invalid requests', async () => {
    const headers = await tokenOf(['Event_Create'])
    expect((await hub.ask({ url: '/alerts', headers })).statusCode).toBe(403)
    expect((await hub.ask({ url: '/alerts' })).statusCode).toBe(401)
    const past = { hours: -1 }
    expect((await ask('PUT', '/alerts/cars-silent/silence', past)).statusCode).toBe(400)
    expect((await ask('PUT', '/alerts/nothing/silence', { hours: 1 })).statusCode).toBe(404)
    const nothing = { subject: 'nothing' }
    expect((await ask('POST', '/alerts/cars-silent/acknowledge', nothing)).statusCode).toBe(404)
    expect((await ask('POST', '/alerts/cars-silent/acknowledge', {})).statusCode).toBe(400)
    expect(JSON.stringify(await list())).not.toContain(secret)
  })

  it('are evaluated and sent by the hub in the background', async () => {
    const before = receiver.received.length
    hub.moveClock(40 * oneMinute)
    hub.tick(oneMinute)
    hub.tick(oneMinute)
    await expect.poll(() => alertOf('lifts-silent')).toMatchObject({ state: 'firing' })
    const receivedByHub = () => {
      // The hub synchronizes its clock with that of the database, which may set it back a little.
      hub.moveClock(5000)
      hub.tick(5000)
      return receiver.received.length
    }
    await expect.poll(receivedByHub).toBe(before + 1)
  })
})
