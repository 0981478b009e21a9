import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Outside, Target } from '../../http/index.ts'
import { checkAddress, sendNotification } from './send.ts'
import type { Sending } from './send.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const notification = { url: 'https://receiver.test/hook', secret, delivery: 'one', body: '{}' }
const never = new AbortController().signal

/** Builds a network in which names resolve as in `hosts`, each look-up to the next entry. */
function outsideOf(hosts: Readonly<Record<string, readonly (readonly string[])[]>> = {}) {
  const sent: Target[] = []
  const lookups = new Map<string, number>()
  const outside: Outside = {
    resolve: (host) => {
      const count = lookups.get(host) ?? 0
      lookups.set(host, count + 1)
      const found = hosts[host]?.[count] ?? hosts[host]?.at(-1) ?? ['93.184.216.34']
      return Promise.resolve(found)
    },
    exchange: (target) => {
      sent.push(target)
      const message = new IncomingMessage(new Socket())
      message.statusCode = 200
      return Promise.resolve(message)
    },
  }
  return { outside, sent }
}

const sendingTo = (outside: Outside, loopback: Sending['loopback'] = 'refused'): Sending => ({
  ...{ outside, loopback },
  now: () => new Date(Date.UTC(2026, 10, 25)),
})

describe('a receiver', () => {
  it.each([
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'nonsense',
    'https://user@example.org/',
    'https://user:word@example.org/',
    'https://example.org:22/',
    'https://example.org:6379/',
    'https://localhost/',
    'http://localhost:8080/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.1.2.3/',
    'https://inside.test/',
    'https://mixed.test/',
    'https://nowhere.test/',
  ])('cannot be %s', async (url) => {
    const { outside, sent } = outsideOf({
      'inside.test': [['10.1.2.3']],
      'mixed.test': [['8.8.8.8', '127.0.0.1']],
      'nowhere.test': [[]],
      localhost: [['127.0.0.1']],
    })
    expect((await checkAddress(sendingTo(outside), url)).kind).toBe('refused')
    const outcome = await sendNotification(sendingTo(outside), { ...notification, url }, never)
    expect([outcome.kind, sent]).toEqual(['failed', []])
  })

  it.each([
    'http://localhost:4000/',
    'http://127.0.0.1:4000/',
    'http://[::1]:4000/',
    'https://localhost/',
  ])('can be %s for a hub that only its own machine can reach', async (url) => {
    const { outside } = outsideOf()
    expect((await checkAddress(sendingTo(outside, 'allowed'), url)).kind).toBe('allowed')
  })

  it.each([
    'http://10.0.0.1/',
    'http://127.0.0.1.test/',
    'http://localhost.test/',
    'ftp://localhost/',
  ])('cannot be %s even for such a hub', async (url) => {
    const { outside } = outsideOf()
    expect((await checkAddress(sendingTo(outside, 'allowed'), url)).kind).toBe('refused')
  })

  it('is connected to at the IP address that was checked', async () => {
    const { outside, sent } = outsideOf({ 'receiver.test': [['8.8.8.8'], ['127.0.0.1']] })
    const outcome = await sendNotification(sendingTo(outside), notification, never)
    expect(outcome).toEqual({ kind: 'accepted', status: 200 })
    expect(sent[0]?.addresses).toEqual(['8.8.8.8'])
    const again = await sendNotification(sendingTo(outside), notification, never)
    expect(again).toMatchObject({
      kind: 'failed',
      error: 'The host is not one of the public internet.',
    })
    expect(sent).toHaveLength(1)
  })

  it('whose name cannot be resolved is a failure without a status', async () => {
    const { outside } = outsideOf()
    const broken = { ...outside, resolve: () => Promise.reject(new Error('EAI_AGAIN')) }
    const outcome = await sendNotification(sendingTo(broken), notification, never)
    expect(outcome).toMatchObject({ kind: 'failed', status: null })
  })

  it('that does not respond is a failure when the signal aborts', async () => {
    const { outside } = outsideOf()
    const ended = AbortSignal.timeout(50)
    const silent: Outside = {
      ...outside,
      exchange: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted'))
          })
        }),
    }
    const outcome = await sendNotification(sendingTo(silent), notification, ended)
    expect(outcome).toMatchObject({ kind: 'failed', status: null })
  })
})
