import { createHash, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { storeTogether } from './store-message.ts'
import type { NewMessage } from './store-message.ts'

const message = (body: Buffer, more: Partial<NewMessage> = {}): NewMessage => ({
  ...{ id: randomUUID(), stream: 'a/b', received: new Date(), sender: 's', mayBackdate: true },
  ...{ contentType: undefined, headers: { 'user-agent': 'a"b\\' }, packed: undefined },
  ...{ body, sha256: createHash('sha256').update(body).digest() },
  ...more,
})

const odd = [Buffer.alloc(0), Buffer.from([0, 34, 92, 255]), Buffer.from('{"ü":"\\u0000"}')]

describeWithDatabase('Messages that are stored together', (database) => {
  it('are each stored as sent', async () => {
    const store = storeTogether(database())
    const sent = Array.from({ length: 200 }, (_, index) => {
      const contentType = index % 2 === 0 ? undefined : 'a/b; c="d\\e"'
      return message(odd[index % odd.length] ?? Buffer.alloc(20_000), { contentType })
    })
    await Promise.all([...sent, message(Buffer.alloc(20_000))].map(store))
    const found = await database().query<{ id: string }>(sql`
      select id, stream, received, sender, may_backdate as "mayBackdate", content_type as "contentType",
        headers::text as headers, body, sha256 from message`)
    expect(found).toHaveLength(201)
    for (const { packed: _, headers, contentType = null, ...one } of sent) {
      const row = found.find(({ id }) => id === one.id)
      expect(row).toMatchObject({ ...one, contentType })
      expect(JSON.parse(String(row && 'headers' in row ? row.headers : ''))).toEqual(headers)
    }
  })

  it('are stored even if one of them fails', async () => {
    const store = storeTogether(database())
    const twice = message(Buffer.from('1'))
    const sent = [
      message(Buffer.from('2')),
      twice,
      message(Buffer.from('3')),
      twice,
      message(Buffer.from('4')),
    ]
    const outcomes = await Promise.allSettled(sent.map(store))
    const stored = sent.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    // Either of the two may come first, because two statements run at a time.
    expect(new Set(stored)).toEqual(new Set(sent))
    expect(stored).toHaveLength(4)
  })
})
