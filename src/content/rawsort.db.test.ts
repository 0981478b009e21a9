import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { join, sql } from '../sql/index.ts'
import { entitiesOf } from './entities/index.ts'
import { toNaming } from './naming.ts'
import { idKey, orderBy, standsBehind, tableOf } from './table.ts'
import { records, understood } from '../../test/fixtures/rawsort-cases.ts'
import { compileRawSort, parseRawSort } from './rawsort.ts'

const naming = toNaming('Hub')
const [entity] = entitiesOf(naming)
if (entity === undefined) throw new Error('There is no entity')
const scope = { entity, naming }
const table = tableOf(entity)

describeWithDatabase('rawsort', (database) => {
  beforeAll(async () => {
    await database().execute(sql`
      insert into ${table} (id, data, received)
      select data ->> 'Id', data, now()
      from unnest(${records.map((record) => JSON.stringify(record))}::jsonb[]) as data`)
  })

  it.each(understood)('sorts by $text', async ({ text, order }) => {
    const keys = [...compileRawSort(parseRawSort(text), scope), idKey]
    const rows = await database().query<{ id: string }>(
      sql`select id from ${table} order by ${orderBy(keys)}`,
    )
    expect(rows.map(({ id }) => id).join('')).toBe(order)
  })

  it('sorts booleans that are stored as texts like booleans (decision D66)', async () => {
    const flags = ['true', false, true, 'false', 'perhaps', null]
    const orderOf = async (text: string) => {
      const keys = [...compileRawSort(parseRawSort(text), scope), idKey]
      const rows = await database().query<{ id: string }>(sql`
        select id from ${table} where id like 'flag%' order by ${orderBy(keys)}`)
      return rows.map(({ id }) => id.slice('flag'.length)).join('')
    }
    await database().execute(sql`
      insert into ${table} (id, data, received)
      select 'flag' || place, jsonb_build_object('Active', flag), now()
      from unnest(${flags.map((flag) => JSON.stringify(flag))}::jsonb[]) with ordinality as flags (flag, place)`)
    const found = [await orderOf('Active'), await orderOf('-Active')]
    await database().execute(sql`delete from ${table} where id like 'flag%'`)
    expect(found).toEqual(['652413', '132456'])
  })

  it.each(understood)(
    'continues after any record when sorted by $text',
    async ({ text, order }) => {
      const keys = [...compileRawSort(parseRawSort(text), scope), idKey]
      const values = keys.map(({ value }) => value)
      const behind = await Promise.all(
        Array.from(order, async (id, place) => {
          const [row = []] = await database().texts(
            sql`select ${join(values, ', ')} from ${table} where id = ${id}`,
          )
          const rest = await database().query<{ id: string }>(sql`
          select id from ${table} where ${standsBehind(keys, row)} order by ${orderBy(keys)}`)
          return [rest.map((found) => found.id).join(''), order.slice(place + 1)]
        }),
      )
      for (const [found, wanted] of behind) expect(found).toBe(wanted)
    },
  )
})
