import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import { ensurePartitionsAhead } from './ensure-partitions.ts'

describeWithDatabase('Partitions of the measurements', (database) => {
  it('are made for the months around now, over the turn of the year, and only once', async () => {
    const made = async () => {
      const rows = await database().query<{ name: string }>(sql`
        select relname::text as name from pg_class
        where relname ~ '^measurement_20[34]\\d_\\d\\d$' and relkind = 'r' order by 1`)
      return rows.map(({ name }) => name)
    }
    await ensurePartitionsAhead(database(), new Date('2039-12-31T23:59:59Z'))
    const names = ['2039_10', '2039_11', '2039_12', '2040_01', '2040_02', '2040_03']
    expect(await made()).toEqual(names.map((month) => `measurement_${month}`))
    await ensurePartitionsAhead(database(), new Date('2039-12-31T23:59:59Z'))
    expect(await made()).toHaveLength(6)
  })
})
