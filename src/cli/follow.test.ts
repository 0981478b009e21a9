import { describe, expect, it } from 'vitest'
import { runHub } from '../../test/fixtures/run-hub.ts'
import { anEvent, supplier } from '../../test/contract/datex/an-event.ts'
import { toPublication } from '../traffic/index.ts'
import { delayAfter } from './follow.ts'
import { requestFeed, retryAfterOf } from './follow-source.ts'

const now = () => new Date('2026-06-01T12:00:00Z')
const { xml, publicationTime } = toPublication([anEvent()], { supplier, now: now() })
const hub = 'https://a.example/traffic/v1/situation-publication/x'
const foreign = 'https://b.example/traffic/feed.xml'

/** Requests a feed that responds in a given way, and returns what was sent. */
async function ask(address: string, answer: () => Response, held?: 'held') {
  const sent: Request[] = []
  const fetchFeed: typeof fetch = (input, init) => {
    sent.push(new Request(input, init))
    return Promise.resolve(answer())
  }
  const taken = { etag: '"e"', lastModified: 'Mon, 01 Jun 2026 10:00:00 GMT', publicationTime }
  const request = { address: new URL(address), version: '1', now }
  const found = await requestFeed(fetchFeed, {
    ...request,
    taken: held === undefined ? undefined : taken,
  })
  const [first = new Request(address)] = sent
  return { found, url: first.url, headers: first.headers }
}

describe('requests for a feed', () => {
  it('return a document with its validators', async () => {
    const answer = () => new Response(xml, { headers: { etag: '"a"' } })
    const { found, url, headers } = await ask(hub, answer)
    expect([url, headers.get('if-none-match'), headers.get('user-agent')]).toEqual([hub, null, 'hub-follow/1']) // oxfmt-ignore
    expect(found).toMatchObject({ isComplete: true, taken: { etag: '"a"', lastModified: null } })
    expect(found?.publication.situations).toHaveLength(1)
  })

  it('are conditional from then on, and request only the changes from a hub', async () => {
    const unchanged = () => new Response(null, { status: 304 })
    const { found, url, headers } = await ask(foreign, unchanged, 'held')
    expect([found, url]).toEqual([undefined, foreign])
    expect(headers.get('if-none-match')).toBe('"e"')
    expect(headers.get('if-modified-since')).toBe('Mon, 01 Jun 2026 10:00:00 GMT')
    const since = encodeURIComponent(publicationTime.toISOString())
    expect((await ask(hub, unchanged, 'held')).url).toBe(`${hub}?since=${since}`)
  })

  it.each([
    ['false', false],
    ['true', true],
    [undefined, true],
  ])('treat a response with X-Complete %s as complete: %s', async (header, isComplete) => {
    const headers = header === undefined ? {} : { 'x-complete': header }
    const { found } = await ask(hub, () => new Response(xml, { headers }), 'held')
    expect(found?.isComplete).toBe(isComplete)
  })

  it.each([
    ['120', 120_000],
    ['Mon, 01 Jun 2026 12:05:00 GMT', 300_000],
    ['Mon, 01 Jun 2026 11:05:00 GMT', undefined],
    ['soon', undefined],
  ])('report Retry-After: %s', async (written, milliseconds) => {
    const refused = () => new Response('', { status: 503, headers: { 'retry-after': written } })
    const error: unknown = await ask(foreign, refused).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('responded with status 503')
    expect(retryAfterOf(error)).toBe(milliseconds)
  })

  it('fail for anything that is not a complete SituationPublication', async () => {
    const broken = () => new Response(xml.slice(0, -40))
    await expect(ask(foreign, broken)).rejects.toThrow('not well-formed')
    await expect(ask(foreign, () => new Response('<html/>'))).rejects.toThrow('found html')
  })
})

describe('the pause between requests', () => {
  const pause = (failures: number, retryAfter?: number, random = 1) =>
    delayAfter({ failures, retryAfter, every: 60 }, () => random) / 1000

  it('is constant while requests succeed, and grows at random with failures', () => {
    expect(pause(0)).toBe(60)
    expect([1, 2, 3, 9].map((failures) => pause(failures))).toEqual([120, 240, 480, 900])
    expect(pause(3, undefined, 0)).toBe(240)
    expect(pause(1, undefined, 0)).toBe(60)
  })

  it('is as long as the server requests, up to a day', () => {
    expect(pause(1, 3_600_000)).toBe(3600)
    expect(pause(1, 1)).toBe(120)
    expect(pause(1, 1e12)).toBe(86_400)
  })
})

describe('hub import --follow', () => {
  it.each([
    [['--follow', 'ftp://a.example'], 'http or https'],
    [['--follow', 'https://a:b@a.example'], 'without a user name'],
    [['--follow', hub, '--every', '9'], 'at least 10'],
    [['--follow', hub, 'file.json'], 'path or --follow'],
    [['--follow', hub, '--stream', 'a/*'], 'provider/dataset'],
  ])('%j fails with exit code 2 and a hint', async (args, words) => {
    const { code, err } = await runHub(['import', ...args])
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  it('needs a client that may push', async () => {
    const { code, err } = await runHub(['import', '--follow', hub])
    expect([code, err]).toEqual([1, expect.stringContaining('--client')])
  })
})
