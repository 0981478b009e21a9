import { beforeAll, expect, it, vi } from 'vitest'
import { embeddedPushPermission } from '../../src/access/index.ts'
import type { PushPermission } from '../../src/access/index.ts'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { hotels, usePushCollector } from '../fixtures/push-collector.ts'

const mapping = { name: 'places', version: '3', stream: 'demo/places' }

const grants = [
  { client: 'provider', pathPattern: '/demo/*' },
  { client: 'provider', pathPattern: '/acme/granted' },
  { client: 'closed', pathPattern: '/rival/*' },
  { client: 'user:editor', pathPattern: '/people/*' },
]

/** Replaces the embedded permission in some tests, with one that lists no streams. */
let external: PushPermission | undefined

describeWithDatabase('the streams of a provider', (database) => {
  const embedded = embeddedPushPermission(() => grants)
  const { send, get } = usePushCollector(database, () => ({
    mappings: () => [mapping],
    permission: {
      ...embedded,
      mayPush: (...path) => (external ?? embedded).mayPush(...path),
      pathsOf: (principal) => (external ?? embedded).pathsOf(principal),
    },
  }))

  const push = async (url: string, body: string, caller = 'provider') => {
    const sent = await send(body, { authorization: `Bearer ${caller}` }, url)
    return String(sent.json().id)
  }
  const settled = async (url: string, id: string, caller = 'provider') => {
    await vi.waitFor(
      async () => {
        const { reason, finished, state } = (await get(`${url}/${id}`, caller)).json()
        if (finished === null && reason !== 'no pipeline') throw new Error(`It is ${state}`)
      },
      { timeout: 60_000 },
    )
  }
  const streams = async (caller: string) => {
    const { streams: found } = (await get('/push', caller)).json()
    return found.map(({ stream }: { stream: string }) => stream)
  }
  const messages = async (query: string) => (await get(`/push/demo/hotels${query}`)).json().messages

  let ids: readonly string[] = []
  beforeAll(async () => {
    const bodies = [hotels({ Id: 'A' }, { Id: '' }), hotels({ Id: '' }), hotels({ Id: 'B' })]
    for (const body of bodies) {
      const id = await push('/push/demo/hotels', body)
      await settled('/push/demo/hotels', id)
      ids = [id, ...ids]
    }
    const others = await push('/push/demo/hotels', hotels(), 'admin')
    await settled('/push/demo/hotels', others)
    ids = [others, ...ids]
    await settled('/push/demo/csv', await push('/push/demo/csv', 'a;b'))
    await settled('/push/rival/secret', await push('/push/rival/secret', 'x;y', 'closed'), 'closed')
  })

  it('are those granted by name and those with messages, and no others', async () => {
    expect(await streams('provider')).toEqual(['acme/granted', 'demo/csv', 'demo/hotels'])
    expect(await streams('closed')).toEqual(['rival/secret'])
    expect(await streams('admin')).toEqual(['demo/csv', 'demo/hotels', 'rival/secret'])
    expect(await streams('acco')).toEqual([])
    expect((await get('/push', 'nobody')).json()).toMatchObject({ errorCode: 'HUB-ACC-001' })
  })

  it('show how many messages arrived, and whether anything reads them', async () => {
    const { since, streams: found } = (await get('/push')).json()
    expect(Date.parse(since)).toBeLessThan(Date.now() - 29 * 86_400_000)
    const today = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    expect(found).toEqual([
      {
        ...{ stream: 'acme/granted', mapping: null, lastArrival: null, unread: 0, bytes: 0 },
        ...{ messages: {}, arrivals: {} },
      },
      expect.objectContaining({
        stream: 'demo/csv',
        unread: 1,
        messages: { accepted: 1 },
        bytes: 3,
      }),
      expect.objectContaining({
        unread: 0,
        messages: { visible: 2, rejected: 1, empty: 1 },
        lastArrival: (await messages('?limit=1'))[0].received,
      }),
    ])
    expect(Object.entries(found[2].arrivals)).toEqual([[today, 4]])
  })

  it('name the mapping that reads them', async () => {
    await settled('/push/demo/places', await push('/push/demo/places', 'a;b'))
    const { streams: found } = (await get('/push')).json()
    expect(found.at(-1)).toMatchObject({
      stream: 'demo/places',
      mapping: { name: 'places', version: '3' },
    })
  })

  it('list their messages, newest first, and filter them by state and time', async () => {
    const all = await messages('')
    expect(all.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(all).toMatchObject([
      { state: 'empty', isOwn: false },
      { state: 'visible', stored: 1, rejected: 0, secondsUntilVisible: expect.any(Number) },
      { state: 'rejected', rejected: 1, secondsUntilVisible: null },
      { state: 'visible', stored: 1, rejected: 1, isOwn: true, contentType: 'application/json' },
    ])
    expect(all[3]).not.toHaveProperty('sender')
    expect(await messages('?state=rejected')).toMatchObject([{ id: ids[2] }])
    expect(await messages(`?from=${all[1].received}&state=visible`)).toMatchObject([{ id: ids[1] }])
    expect(await messages('?from=0000-01-01T00:00:00Z')).toHaveLength(4)
  })

  it('list their messages in pages, each message once', async () => {
    const seen: unknown[] = []
    let url: string | undefined = '/push/demo/hotels?limit=2'
    while (url !== undefined) {
      const page = await get(url)
      seen.push(...page.json().messages.map(({ id }: { id: string }) => id))
      url = /<http:\/\/hub\.test([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    }
    expect(seen).toEqual(ids)
  })

  it.each([
    ['?state=done', 'HUB-QRY-001'],
    ['?from=yesterday', 'HUB-QRY-001'],
    ['?from=2026-11-20T23:59:60Z', 'HUB-QRY-001'],
    ['?limit=501', 'HUB-QRY-001'],
    ['?cursor=abc', 'HUB-QRY-012'],
  ])('refuse %s', async (query, errorCode) => {
    expect((await get(`/push/demo/hotels${query}`)).json()).toMatchObject({ errorCode })
  })

  it('refuse the cursor of another list', async () => {
    const { link } = (await get('/push/demo/hotels?limit=2')).headers
    const cursor = /cursor=([^>&]*)/.exec(String(link))?.[1] ?? ''
    const other = await get(`/push/demo/hotels?limit=2&state=visible&cursor=${cursor}`)
    expect(other.json()).toMatchObject({ errorCode: 'HUB-QRY-012' })
  })

  it('do not exist for those who may not push to them', async () => {
    for (const stream of ['rival/secret', 'rival/nothing']) {
      const { status, errorCode } = (await get(`/push/${stream}`)).json()
      expect([status, errorCode]).toEqual([404, 'HUB-RTE-003'])
    }
  })

  it('include those of a person, regardless of the client', async () => {
    const id = await push('/push/people/notes', 'x;y', 'editor')
    await settled('/push/people/notes', id, 'editor')
    expect(await streams('editor')).toEqual(['people/notes'])
    const { messages: found } = (await get('/push/people/notes', 'editor')).json()
    expect(found).toMatchObject([{ id, isOwn: true }])
    expect((await get(`/push/people/notes/${id}/original`, 'editor')).body).toBe('x;y')
    const [stored] = await database().texts(sql`select sender from message where id = ${id}`)
    expect(stored).toEqual(['user:editor'])
    expect((await get(`/push/people/notes/${id}/original`, 'admin')).statusCode).toBe(404)
  })

  it('are those a caller has pushed to and still may, for an external provider', async () => {
    const asked: string[] = []
    external = {
      ...embedded,
      pathsOf: () => undefined,
      mayPush: (_, path) => {
        asked.push(path)
        return Promise.resolve(path !== '/demo/csv')
      },
    }
    try {
      expect(await streams('provider')).toEqual(['demo/hotels', 'demo/places'])
      expect(asked).toEqual(['/demo/csv', '/demo/hotels', '/demo/places'])
    } finally {
      external = undefined
    }
  })
})
