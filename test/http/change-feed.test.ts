import { expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { bearer } from '../fixtures/composed-hub.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { openFollowedHub, operationsOf, record, useFollowedHub } from '../fixtures/followed-hub.ts'

describeOnEngines('The change feed', (engine) => {
  const { followed, ask, write, now } = useFollowedHub(engine)

  it('is listed for each entity', async () => {
    const answer = await followed().hub.ask({ url: '/changes' })
    const { feeds } = answer.json<{ feeds: readonly { name: string }[] }>()
    expect(feeds.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Event', 'Accommodation', 'Tag']),
    )
  })

  it('starts with all records, then reports each change once, including deletions', async () => {
    await write([record('A'), record('B')])
    const first = await ask('offset=-1&fields=Id')
    expect(operationsOf(first.messages)).toEqual(expect.arrayContaining(['insert A', 'insert B']))
    expect(first.messages.find(({ key }) => key === 'A')?.value).toEqual({ Id: 'A' })
    await write([record('B', { Shortname: 'new' }), record('C')])
    await write([], ['A'])
    const second = await ask(`offset=${first.next}&fields=Id`)
    expect(operationsOf(second.messages)).toEqual(['update B', 'insert C', 'delete A'])
    expect(second.isUpToDate).toBe(true)
    const third = await ask(`offset=${second.next}&fields=Id`)
    expect([third.messages, third.next, third.isUpToDate]).toEqual([[], second.next, true])
    expect(second.next > first.next).toBe(true)
    expect(second.messages[0]?.headers.txid).toBe(second.messages[1]?.headers.txid)
  })

  it('returns 304 if the caller has the current page', async () => {
    const from = await now()
    await write([record('SAME')])
    const first = await ask(`offset=${from}`)
    const condition = { 'if-none-match': String(first.headers['etag']) }
    expect((await ask(`offset=${from}`, condition)).status).toBe(304)
    await followed().hub.store.database.execute(
      sql`update feed_epoch set epoch = gen_random_uuid()`,
    )
    const list = await ask('offset=-1')
    followed().hub.tick(10_000)
    await expect.poll(async () => (await ask(`offset=${from}`)).status).toBe(410)
    const other = await ask('offset=-1', { 'if-none-match': String(list.headers['etag']) })
    expect(other.status).toBe(200)
  })

  it('refuses offsets of other feeds, parameters or rights, and invalid ones', async () => {
    const from = await now()
    const other = await bearer(['DataReader'])
    expect((await ask(`offset=${from}`, {}, 'Tag')).status).toBe(410)
    expect((await ask(`offset=${from}&language=de`)).status).toBe(410)
    expect((await ask('offset=nonsense')).status).toBe(400)
    const forged = from.replace(/_./, (first) => (first === '_A' ? '_B' : '_A'))
    expect((await ask(`offset=${forged}`)).status).toBe(410)
    await followed().hub.store.database.execute(sql`
      insert into access_rule (role, area, origin) values ('GUEST', 'content', 'other')`)
    followed().hub.tick(3000)
    await expect.poll(async () => (await ask(`offset=${from}`)).status).toBe(410)
    expect((await ask(`offset=${from}`, other)).status).toBe(410)
  })

  it('waits for a change with long-poll', async () => {
    const from = await now()
    const timer = setInterval(() => {
      followed().hub.tick(100)
    }, 20)
    const waiting = ask(`offset=${from}&live=long-poll`)
    await write([record('L')])
    const { messages, headers } = await waiting
    clearInterval(timer)
    expect(operationsOf(messages)).toEqual(['insert L'])
    expect(headers['stream-cursor']).toMatch(/^\d+$/)
  })

  it.skipIf(engine === 'embedded')(
    'waits for the end of older transactions, and then misses nothing (one connection has none)',
    async () => {
      const from = await now()
      const begun = Promise.withResolvers<undefined>()
      const end = Promise.withResolvers<undefined>()
      const held = followed().hub.store.database.transaction(async (tx) => {
        await followed().store(tx, [record('HELD')])
        begun.resolve(undefined)
        await end.promise
      })
      await begun.promise
      await write([record('YOUNGER')])
      const before = await followed().askMeanwhile(`offset=${from}`)
      end.resolve(undefined)
      await held
      const after = await ask(`offset=${before.next}`)
      expect(operationsOf(before.messages)).toEqual([])
      expect(operationsOf(after.messages).toSorted()).toEqual(['insert HELD', 'insert YOUNGER'])
    },
  )

  it('resumes an event source after its Last-Event-ID, not the offset in its URL', async () => {
    const from = await now()
    await write([record('M')])
    const { next } = await ask(`offset=${from}`)
    await write([record('N')])
    const events = await readEvents(`offset=${from}&live=sse`, { 'last-event-id': next })
    expect(events).toContain('"key":"N"')
    expect(events).not.toContain('"key":"M"')
  })

  it('limits the size of pages without losing records', async () => {
    const { next } = await ask('offset=now&fields=Id,Shortname')
    const long = 'x'.repeat(300_000)
    const ids = Array.from({ length: 20 }, (_, index) => `LONG${String(index).padStart(2, '0')}`)
    await write(ids.map((id) => record(id, { Shortname: long })))
    const first = await ask(`offset=${next}&fields=Id,Shortname`)
    expect(first.isUpToDate).toBe(false)
    expect(first.text.length).toBeLessThan(2_700_000)
    const keys: string[] = []
    for (let page = first; ; page = await ask(`offset=${page.next}&fields=Id,Shortname`)) {
      keys.push(...page.messages.map(({ key }) => key))
      if (page.isUpToDate) break
    }
    expect(keys).toEqual(ids)
    const list = await ask('offset=-1&fields=Id,Shortname')
    expect([list.isUpToDate, list.text.length < 20_000_000]).toEqual([false, true])
  })

  it('limits the number of waiting readers, and each caller to a quarter of it', async () => {
    const small = await openFollowedHub(engine, { HUB_CHANGE_READERS: '4' })
    try {
      const from = await small.now()
      const waiting = small.ask(`offset=${from}&live=long-poll`)
      const refused = await small.ask(`offset=${from}&live=long-poll`)
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10'])
      expect(refused.text).toContain('HUB-CHG-002')
      await small.write([record('P')])
      const timer = setInterval(() => small.hub.tick(100), 20)
      expect((await waiting).messages).toHaveLength(1)
      clearInterval(timer)
      const next = await small.ask(`offset=${from}&live=long-poll`)
      expect(next.status).toBe(200)
    } finally {
      await small.close()
    }
  })

  it('refuses a waiting request if a new epoch starts', async () => {
    const from = await now()
    const waiting = ask(`offset=${from}&live=long-poll`)
    await followed().hub.store.database.execute(
      sql`update feed_epoch set epoch = gen_random_uuid()`,
    )
    followed().hub.tick(10_000)
    await expect.poll(async () => (await ask(`offset=${from}`)).status).toBe(410)
    await write([record('NEXT')])
    const timer = setInterval(() => followed().hub.tick(100), 20)
    const { status, headers } = await waiting
    clearInterval(timer)
    expect([status, headers['stream-next-offset']]).toEqual([410, undefined])
  })

  it('frees the slots of readers that disconnect right after connecting', async () => {
    const small = await openFollowedHub(engine, { HUB_CHANGE_READERS: '4' })
    try {
      const url = await small.hub.app.listen({ host: '127.0.0.1', port: 0 })
      const from = await small.now()
      const address = `${url}/changes/Event?offset=${from}&live=long-poll`
      for (let count = 0; count < 20; count += 1) {
        const leaving = new AbortController()
        const request = fetch(address, { signal: leaving.signal }).catch(() => undefined)
        setTimeout(() => leaving.abort(), count)
        await request
      }
      await small.write([record('FREE')])
      const timer = setInterval(() => small.hub.tick(100), 20)
      await expect.poll(async () => (await fetch(address)).status).toBe(200)
      clearInterval(timer)
    } finally {
      await small.close()
    }
  })

  it('starts a new epoch if its table was replaced, for example by a restore', async () => {
    const from = await now()
    expect((await ask(`offset=${from}`)).status).toBe(200)
    await followed().hub.store.database.execute(sql`update feed_epoch set place = 'elsewhere'`)
    followed().hub.tick(10_000)
    await expect.poll(async () => (await ask(`offset=${from}`)).status).toBe(410)
    expect((await ask(`offset=${await now()}`)).status).toBe(200)
  })

  it('deletes old changes, and refuses offsets before them', async () => {
    const from = await now()
    await write([record('OLD')])
    await write([record('OLD')])
    const { database } = followed().hub.store
    await database.execute(sql`update change set time = time - interval '40 days'`)
    followed().hub.moveClock(31 * 86_400_000)
    followed().hub.tick(60_000)
    await expect
      .poll(() => database.texts(sql`select count(*) from change where dataset = 'Event'`))
      .toEqual([['1']])
    const late = await ask(`offset=${from}`)
    expect([late.status, late.headers['link']]).toEqual([
      410,
      '</changes/Event?offset=-1>; rel="start"',
    ])
    expect(late.text).toContain('HUB-CHG-001')
    expect((await ask('offset=-1')).status).toBe(200)
  })

  async function readEvents(query: string, headers: Record<string, string>): Promise<string> {
    const url = `/changes/Event?${query}`
    const answer = await followed().hub.app.inject({ url, headers, payloadAsStream: true })
    let text = ''
    for await (const part of answer.stream()) {
      text += String(part)
      if (text.includes('event: control')) break
    }
    return text
  }
})
