import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { Sql, sql } from '../sql/index.ts'
import { storeDataTypes, storeMeasurements, storeStations } from '../timeseries/index.ts'
import { storeMessage } from './accept/store-message.ts'

const script = 'migrations/0022-push-scopes.sql'

describeWithDatabase('The migration that adds scopes', (database) => {
  const send = async (stream: string, body: string | Buffer) => {
    const id = randomUUID()
    await storeMessage(database(), {
      ...{ id, stream, received: new Date(), sender: 's', mayBackdate: false, headers: {} },
      ...{ contentType: undefined, packed: undefined, sha256: Buffer.alloc(32) },
      body: Buffer.from(body),
    })
    return id
  }

  /** Stores a measurement as a mapping of this name did, which its provenance shows. */
  const measureAs = (name: string, code: string) =>
    database().transaction(async (tx) => {
      const received = new Date()
      const stationType = 'Parking'
      await storeDataTypes(tx, { items: [{ name: 'free' }], received })
      await storeStations(tx, { stationType, origin: 'M', items: [{ code, name: code }], received })
      await storeMeasurements(tx, {
        ...{ stationType, period: 60, received, provenance: { name, version: '1', lineage: 'l' } },
        items: [[code, 'free', '2026-11-21T09:00:00Z', 1]],
      })
    })

  it('makes streams the owners of the data in their messages', async () => {
    await database().execute(sql`drop table push_owner`)
    await database().execute(sql`drop function push_scope`)
    await database().execute(sql`alter table push_grant
      drop column kinds, drop column entities, drop column station_types, drop column origins,
      drop column sources, drop column may_delete, drop column may_complete,
      drop column may_publish_closed`)
    const list = { kind: 'stations', stationType: 'Parking', origin: 'A', items: [{ code: 'p' }] }
    await send('a/stations', JSON.stringify(list, null, 2))
    const room = { accommodation: 'h', room: 'r' }
    const lines = [
      'no json',
      '{"kind": "events", "origin": "B", "items": [{"uuid": "u"}]}',
      '{"kind": "stations", "broken',
      JSON.stringify({ kind: 'availability', items: [room] }),
    ]
    await send('b/events', lines.join('\n'))
    await send('c/binary', Buffer.from([0xff, 0xfe, 0]))
    const message = await send('d/tags', '{}')
    await measureAs('a mapping', 'bay')
    await send('e/mapped', 'raw;text')
    await database().execute(sql`
      update message set mapping = '{"name": "a mapping", "version": "1"}' where stream = 'e/mapped'`)
    await database().execute(sql`update message set state = 'visible'`)
    await database().execute(sql`
      insert into content_origin (entity, id, message, item) values ('tag', 't', ${message}, 0)`)

    const text = await readFile(script, 'utf8')
    await database().transaction((tx) => tx.execute(Sql.fromTemplate([text], [])))
    const owners = await database().texts(sql`
      select space, id, stream from push_owner order by space, id`)
    expect(owners).toEqual([
      ['content/tag', 't', 'd/tags'],
      ['event', 'u', 'b/events'],
      ['origin', 'A', 'a/stations'],
      ['origin', 'B', 'b/events'],
      ['origin', 'M', 'e/mapped'],
      ['room', 'H/r', 'b/events'],
      ['station/Parking', 'bay', 'e/mapped'],
      ['station/Parking', 'p', 'a/stations'],
    ])
  })
})
