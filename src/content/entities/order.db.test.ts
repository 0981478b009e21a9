import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { toNaming } from '../naming.ts'
import { syncEntityTables } from '../sync-tables.ts'
import { defaultOrder, tableOf } from '../table.ts'
import { entitiesOf, viewsOf } from './index.ts'

const entities = entitiesOf(toNaming('Hub'))

type Order = readonly [entity: string, records: readonly Readonly<Record<string, string>>[]]

/** Entities with a default order of their own (reference content.md 3.11), and sorted records. */
const ordered: readonly Order[] = [
  [
    'Tag',
    [
      { Id: 'z', MainEntity: 'event', Shortname: 'Art' },
      { Id: 'y', MainEntity: 'event', Shortname: 'Music' },
      { Id: 'x', MainEntity: 'smgpoi', Shortname: 'Art' },
      { Id: 'a', Shortname: 'Art' },
    ],
  ],
  [
    'EventShort',
    [
      { Id: 'z', StartDate: '2026-11-20T10:00:00' },
      { Id: 'y', StartDate: '2026-11-20T11:30:00+01:00' },
      { Id: 'x', StartDate: '2026-11-21' },
      { Id: 'a', StartDate: 'soon' },
    ],
  ],
  [
    'GeoShape',
    [
      { Id: 'z', Type: 'municipality', Name: 'Bozen' },
      { Id: 'y', Type: 'municipality', Name: 'Meran' },
      { Id: 'x', Type: 'region', Name: 'Alto Adige' },
    ],
  ],
  [
    'MetaData',
    [
      { Id: 'a', Shortname: 'Z' },
      { Id: 'b', Shortname: 'A' },
    ],
  ],
  [
    'Source',
    [
      { Id: 'b', Shortname: 'A' },
      { Id: 'a', Shortname: 'Z' },
    ],
  ],
]

describeWithDatabase('the tables of the entities', (database) => {
  beforeAll(async () => {
    await syncEntityTables(database(), entities)
  })

  it('exist, one for each entity', async () => {
    const rows = await database().query<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'content'`,
    )
    const names = rows.map(({ name }) => name).sort()
    const all = [...entities, ...viewsOf(toNaming('Hub'))]
    expect(names).toEqual(all.map(({ type }) => type).sort())
  })

  it.each(ordered)('return %s in its default order', async (name, records) => {
    const entity = entities.find((one) => one.name === name)
    if (entity === undefined) throw new Error(`no entity ${name}`)
    await database().execute(sql`
      insert into ${tableOf(entity)} (id, data, received)
      select data ->> 'Id', data, now()
      from jsonb_array_elements(${JSON.stringify([...records].reverse())}::jsonb) as data`)
    const rows = await database().query<{ id: string }>(
      sql`select id from ${tableOf(entity)} order by ${defaultOrder(entity)}`,
    )
    expect(rows.map(({ id }) => id)).toEqual(records.map(({ Id }) => Id))
  })
})
