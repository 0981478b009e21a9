import { expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { bearer } from '../fixtures/composed-hub.ts'
import { describeOnEngines } from '../fixtures/databases.ts'
import { closed, opened, operationsOf, record, useFollowedHub } from '../fixtures/followed-hub.ts'

describeOnEngines('The change feed, by the rights of the caller,', (engine) => {
  const { followed, ask, write, now } = useFollowedHub(engine)

  it('reveals nothing about records that the caller never saw, not even in offsets', async () => {
    const from = await now()
    await write([record('SECRET', closed)])
    await write([], ['SECRET'])
    const { messages, next, isUpToDate } = await ask(`offset=${from}`)
    expect([messages, next, isUpToDate]).toEqual([[], from, true])
  })

  it('reports a record as deleted when it is closed, and as inserted when opened', async () => {
    await write([record('D')])
    const from = await now()
    await write([record('D', closed)])
    const hidden = await ask(`offset=${from}`)
    expect(operationsOf(hidden.messages)).toEqual(['delete D'])
    await write([record('D', opened)])
    expect(operationsOf((await ask(`offset=${hidden.next}`)).messages)).toEqual(['insert D'])
    await write([record('D', closed)])
    await write([record('D', opened)])
    await write([record('D', closed)])
    expect(operationsOf((await ask(`offset=${hidden.next}`)).messages)).toEqual(['delete D'])
  })

  it('reports deletions with the transaction and offset of the last visible change', async () => {
    await write([record('E')])
    const from = await now()
    await write([record('E', closed)])
    const hidden = await ask(`offset=${from}`)
    await write([record('E', { ...closed, Shortname: 'unseen' })])
    await write([record('E', { ...closed, Shortname: 'unseen again' })])
    const later = await ask(`offset=${from}`)
    expect([later.text, later.next]).toEqual([hidden.text, hidden.next])
  })

  it('reports nothing about a record that was visible only within a transaction', async () => {
    const from = await now()
    await followed().hub.store.database.transaction(async (tx) => {
      await followed().store(tx, [record('FLASH')])
      await followed().store(tx, [record('FLASH', closed)])
    })
    const { messages, next } = await ask(`offset=${from}`)
    expect([messages, next]).toEqual([[], from])
  })

  it('hides a record that is closed while a reader is between two pages', async () => {
    const names = Array.from({ length: 3100 }, (_, index) => `P${String(index).padStart(4, '0')}`)
    const from = await now()
    // One transaction per page, because a page ends before a transaction that does not fit.
    for (const first of [0, 1000, 2000, 3000]) {
      await write(names.slice(first, first + 1000).map((name) => record(name)))
    }
    const first = await ask(`offset=${from}`)
    const second = await ask(`offset=${first.next}`)
    await write([record('P2500', closed)])
    const third = await ask(`offset=${second.next}`)
    expect(operationsOf(third.messages)).not.toContain('insert P2500')
    const seen = [first, second, third].flatMap(({ messages }) => operationsOf(messages))
    expect(seen).toEqual(
      names.slice(0, 3000).map((name) => (name === 'P2500' ? `delete ${name}` : `insert ${name}`)),
    )
    expect(operationsOf((await ask(`offset=${third.next}`)).messages)).toContain('delete P2500')
  })

  it('is up to date even if many hidden changes follow', async () => {
    const from = await now()
    await write([record('ONE')])
    const before = await ask(`offset=${from}`)
    await write(Array.from({ length: 2100 }, (_, index) => record(`HID${String(index)}`, closed)))
    const after = await ask(`offset=${from}`)
    expect([after.text, after.next, after.isUpToDate]).toEqual([before.text, before.next, true])
  })

  it('reports a record as deleted when it no longer matches the filter', async () => {
    await write([record('F', { Active: true })])
    const filter = `rawfilter=${encodeURIComponent('eq(Active,true)')}`
    const { next } = await ask(`offset=now&${filter}`)
    await write([record('F', { Active: false })])
    await write([record('G', { Active: true })])
    const { messages } = await ask(`offset=${next}&${filter}`)
    expect(operationsOf(messages)).toEqual(['delete F', 'insert G'])
  })

  it('returns start offsets that do not reveal whether anything was written between', async () => {
    const [one, other] = [await now(), await now()]
    expect(one).not.toBe(other)
    expect(one.length).toBe(other.length)
  })

  it('reports closed records to callers to whom a rule opens them', async () => {
    await followed().openTo('PARTNER', 'content', 'partner')
    const partner = await bearer(['BDP_PARTNER'])
    const start = await now(partner)
    await write([record('S', { ...closed, _Meta: { Source: 'partner' } })])
    expect(operationsOf((await ask(`offset=${start}`, partner)).messages)).toEqual(['insert S'])
    const [from, fromPartner] = [await now(), await now(partner)]
    await write([], ['S'])
    expect((await ask(`offset=${from}`)).messages).toEqual([])
    expect(operationsOf((await ask(`offset=${fromPartner}`, partner)).messages)).toEqual([
      'delete S',
    ])
  })

  it('invalidates offsets when a rule changes, but only for callers it applies to', async () => {
    const partner = await bearer(['BDP_OTHER'])
    const [from, fromPartner] = [await now(), await now(partner)]
    await followed().openTo('OTHER', 'content', 'a22')
    expect((await ask(`offset=${fromPartner}`, partner)).status).toBe(410)
    expect((await ask(`offset=${from}`)).status).toBe(200)
  })

  it('refuses a waiting request if a rule that applies to the caller changes', async () => {
    const waiting = await bearer(['BDP_WAITING'])
    const from = await now(waiting)
    const answer = ask(`offset=${from}&live=long-poll`, waiting)
    await followed().openTo('WAITING', 'content', 'elsewhere')
    const timer = setInterval(() => followed().hub.tick(100), 20)
    await write([record('LATER')])
    const { status, headers } = await answer
    clearInterval(timer)
    expect([status, headers['stream-next-offset']]).toEqual([410, undefined])
  })

  it('does not report offsets as outdated while the rules cannot be read', async () => {
    const from = await now()
    const { database } = followed().hub.store
    await database.execute(sql`alter table access_rule rename to access_rule_away`)
    try {
      followed().hub.moveClock(120_000)
      followed().hub.tick(3000)
      await expect.poll(async () => (await ask(`offset=${from}`)).status).not.toBe(410)
    } finally {
      await database.execute(sql`alter table access_rule_away rename to access_rule`)
      followed().hub.tick(3000)
    }
  })

  it('reports changes that are made manually in the database', async () => {
    await write([record('H')])
    const from = await now()
    await followed().hub.store.database.execute(sql`delete from content.event where id = 'H'`)
    expect(operationsOf((await ask(`offset=${from}`)).messages)).toEqual(['delete H'])
  })

  it('renews offsets once a day, with a different offset each time', async () => {
    const from = await now()
    followed().hub.moveClock(86_400_000)
    const [one, other] = [await ask(`offset=${from}`), await ask(`offset=${from}`)]
    expect(new Set([from, one.next, other.next]).size).toBe(3)
    await write([record('RENEWED')])
    expect(operationsOf((await ask(`offset=${one.next}`)).messages)).toEqual(['insert RENEWED'])
  })
})
