import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAlerts } from './rules.ts'

const good = `receivers:
  - { name: operators, email: [ops@region.example] }
  - name: chat
    webhook: https://chat.example/hook
    secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
rules:
  - { name: parking-silent, watch: stream-silent, of: demo/parking, limit: 30 }
  - { name: stale, watch: series-stale, limit: 20, to: [chat] }
`

describe('The file of alerts', () => {
  let file = ''
  beforeAll(async () => {
    file = join(await mkdtemp(join(tmpdir(), 'hub-alerts-')), 'alerts.yaml')
  })
  afterAll(() => rm(join(file, '..'), { recursive: true }))

  async function load(text: string, mail: Parameters<typeof loadAlerts>[1] = 'can be sent') {
    await writeFile(file, text)
    return loadAlerts(file, mail)
  }

  it('is read', async () => {
    const { receivers, rules } = await load(good)
    expect(receivers.map(({ name }) => name)).toEqual(['operators', 'chat'])
    expect(rules).toMatchObject([{ watch: 'stream-silent', limit: 30 }, { to: ['chat'] }])
  })

  it.each<[string, string, string]>([
    ['stream-silent,', 'stream-silnt,', 'alerts.yaml:7:36: rules.0.watch'],
    [', of: demo/parking', '', 'alerts.yaml:7:5: rules.0 needs of'],
    ['series-stale,', 'feed-late, of: x,', 'rules.1.of does not apply to feed-late'],
    ['limit: 20', 'limt: 20', 'Did you mean limit?'],
    [
      'to: [chat]',
      'to: [cat]',
      'alerts.yaml:8:57: rules.1.to.0 is not a receiver (there are: operators, chat)',
    ],
    ['name: stale', 'name: parking-silent', 'rules.1.name parking-silent is used twice'],
    [', email: [ops@region.example]', '', 'receivers.0 needs either email or webhook'],
    [
      '    secret: whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n',
      '',
      'receivers.1 needs a secret',
    ],
    ['whsec_', '', 'receivers.1.secret'],
  ])('with %j replaced by %j is rejected at its position', async (written, instead, fault) => {
    await expect(load(good.replace(written, instead))).rejects.toThrow(fault)
  })

  it('must exist, and needs a mail server for email receivers', async () => {
    await expect(load(good, 'cannot be sent')).rejects.toThrow(
      'receivers.0.email needs HUB_SMTP_URL',
    )
    await expect(loadAlerts('/nowhere.yaml', 'can be sent')).rejects.toThrow(
      'there is no such file',
    )
  })
})
