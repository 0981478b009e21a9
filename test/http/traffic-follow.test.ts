import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { followFeed, toTarget } from '../../src/cli/follow.ts'
import { recordTypes } from '../../src/datex/index.ts'
import { everything } from '../contract/datex/schema-facts.ts'
import { describeOn, useDatabase } from '../fixtures/databases.ts'
import { feedAddress, useTrafficHub } from '../fixtures/traffic-hub.ts'
import type { TrafficHub } from '../fixtures/traffic-hub.ts'

const start = '2026-01-01T00:00:00Z'
/** Stated explicitly, because events of some kinds leave a feed after a day if they have no end. */
const end = '2099-01-01T00:00:00Z'
const here = { type: 'Point', coordinates: [11.6380410572096, 46.7459449772936] }

/** URLs of the two hubs. Requests reach them without a network. */
const source = 'http://source.test'
const copy = 'http://copy.test'

describeOn('postgresql', 'A hub that follows the traffic feed of another', () => {
  const one = useTrafficHub(useDatabase('postgresql'))
  const other = useTrafficHub(useDatabase('postgresql'))

  /** Requests that were sent, each with the status of its response. */
  const requests: string[] = []
  /** Runs before a request is sent; may throw. */
  let before: (request: string) => void = () => undefined
  /** Runs after the response; may throw, as if the response had been lost. */
  let after = before

  const fetchInside: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { method = 'GET', headers, body } = init
    const request = `${method} ${url.href}`
    before(request)
    const hub: TrafficHub = url.origin === source ? one : other
    const answer = await hub.ask({
      ...{ method: method === 'POST' ? 'POST' : 'GET', url: `${url.pathname}${url.search}` },
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { payload: body }),
    })
    requests.push(`${request} ${String(answer.statusCode)}`)
    after(request)
    const { statusCode, rawPayload } = answer
    const given = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return new Response(statusCode === 304 ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: Object.fromEntries(given),
    })
  }

  const printed: string[] = []
  const complaints: string[] = []

  /**
   * Follows a provider like a new process, for some turns with something happening between them.
   */
  const follow = async (provider: string, ...between: (() => Promise<void>)[]) => {
    let isStopped = between.length === 0
    const basis = { fetch: fetchInside, now: () => new Date() }
    return await followFeed(
      {
        ...basis,
        target: toTarget({
          ...{ ...basis, hub: copy, stream: 'real/records', pause: (ms: number) => pause(ms / 20) },
          requestToken: () => Promise.resolve('admin'),
        }),
        ...{ version: '0', random: () => 0.5, isStopped: () => isStopped },
        pause: async () => {
          await between.shift()?.()
          isStopped = between.length === 0
        },
        print: (text) => printed.push(text),
        complain: (text) => complaints.push(text),
      },
      {
        address: new URL(`${source}${feedAddress(provider)}`),
        ...{ origin: undefined, every: 10, isOnce: between.length === 0 },
      },
    )
  }

  const comparable = async (hub: TrafficHub, provider: string) => {
    await pause(50)
    const { body } = await hub.readFeed(provider)
    return body
      .replaceAll(/ version="\d+"/g, '')
      .replaceAll(/<(\w+Time)>[^<]*<\/\1>/g, (whole, name: string) =>
        /^(overall|start|end)/.test(name) ? whole : '',
      )
      .split('<situation ')
      .slice(1)
  }
  const live = async (hub: TrafficHub, provider: string) =>
    (await comparable(hub, provider)).filter((xml) => !/<(end|cancel)>true/.test(xml))

  it('has the same situations, of all kinds and geometries', async () => {
    const items = Object.keys(recordTypes).map((type) => {
      const { id: _id, version: _version, validity: _validity, ...members } = everything(type)
      return { uuid: `all-${type}`, geometry: here, start, end, datex: { type, ...members } }
    })
    const line = [[11, 46], [11.5, 46.5], [12, 47]] // oxfmt-ignore
    await one.pushEvents('ALL_KINDS', [
      ...items,
      { uuid: 'all-line', start, geometry: { type: 'LineString', coordinates: line } },
      { uuid: 'all-area', start, geometry: { type: 'Polygon', coordinates: [[...line, line[0]]] } },
      {
        ...{ uuid: 'all-texts', start, geometry: here, tags: ['closure'], severity: 'highest' },
        ...{
          title: { de: 'Gesperrt', it: 'Chiuso' },
          text: { de: 'x '.repeat(2000), en: 'Closed' },
        },
        ...{ description: 'Said once more', locationDescription: 'km 430' },
      },
    ])
    expect(await follow('all-kinds')).toBe(true)
    expect(complaints).toEqual([])
    const expected = await comparable(one, 'all-kinds')
    expect(expected).toHaveLength(items.length + 3)
    expect(await comparable(other, 'all-kinds')).toEqual(expected)
  })

  it('receives changes, ends and cancellations, and requests nothing else', async () => {
    const state = (series: string, more: object = {}) => {
      return { uuid: `${series}-2`, series, geometry: here, start, ...more }
    }
    const names = ['m-changed', 'm-ends', 'm-cancelled', 'm-kept']
    await one.pushEvents('MOVES', names.map((uuid) => ({ uuid, geometry: here, start }))) // oxfmt-ignore
    requests.length = 0
    await follow(
      'moves',
      () => Promise.resolve(),
      () =>
        one.pushEvents('MOVES', [
          state('m-changed', { title: { it: 'Altro' } }),
          state('m-ends', { end: new Date().toISOString() }),
          state('m-cancelled', { cancelled: true }),
          { uuid: 'm-new', geometry: here, start },
        ]),
      () => Promise.resolve(),
    )
    const expected = await live(one, 'moves')
    expect(expected).toHaveLength(3)
    expect(await live(other, 'moves')).toEqual(expected)
    const asked = requests.filter((request) => request.includes(source))
    expect(asked).toEqual([
      expect.stringMatching(/moves 200$/),
      expect.stringMatching(/\?since=.* 304$/),
      expect.stringMatching(/\?since=.* 200$/),
    ])
    expect(printed.at(-1)).toMatch(/: 4 of 4 situations pushed, 0 rejected$/)
  })

  it('ends events that left the feed while it was stopped, and pushes nothing twice', async () => {
    await one.pushEvents('GAPS', [{ uuid: 'g-a', geometry: here, start }, { uuid: 'g-b', geometry: here, start }]) // oxfmt-ignore
    await follow('gaps')
    const closed = { uuid: 'g-a2', series: 'g-a', geometry: here, start }
    await one.pushEvents('GAPS', [closed], 'closed')
    await follow('gaps')
    expect(printed.at(-1)).toMatch(/: 1 of 1 situations pushed/)
    expect(await live(other, 'gaps')).toEqual(await live(one, 'gaps'))
    await follow('gaps')
    expect(printed.at(-1)).toMatch(/: 0 of 1 situations pushed/)
  })

  it('loses nothing if it is killed or the hub does not respond, at any step', async () => {
    await one.pushEvents('DIES', [{ uuid: 'd-a', geometry: here, start }])
    const isPush = (request: string) => request.startsWith('POST')
    const isReceipt = (request: string) => request.startsWith(`GET ${copy}/push/`)
    const die = (fits: (request: string) => boolean) => (request: string) => {
      if (fits(request)) throw new Error('Killed')
    }
    const nothing = () => undefined
    const times = [
      { before: die(isPush), after: nothing },
      { before: nothing, after: die(isPush) },
      { before: nothing, after: die(isReceipt) },
    ]
    for (const time of times) {
      ;({ before, after } = time)
      expect(await follow('dies')).toBe(false)
    }
    ;({ before, after } = { before: nothing, after: nothing })
    expect(await follow('dies')).toBe(true)
    expect(await live(other, 'dies')).toEqual(await live(one, 'dies'))
    // One version, not one per attempt.
    expect((await other.readFeed('dies')).body).toContain('<situation id="d-a" version="1">')
    complaints.length = 0
  })

  it('fails for a feed that does not exist, and reports the status', async () => {
    expect(await follow('nobody')).toBe(false)
    expect(complaints.pop()).toContain('responded with status 404')
  })
})
