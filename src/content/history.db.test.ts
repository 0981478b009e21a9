import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import { accommodation } from './entities/accommodation.ts'
import { syncHistoryTriggers } from './history.ts'
import { toNaming } from './naming.ts'

const entity = accommodation(toNaming('Hub'))

describeWithDatabase('the triggers that keep former versions', (database) => {
  const triggers = async () => {
    const rows = await database().texts(sql`
      select tgname from pg_trigger
      where tgrelid = 'content.accommodation'::regclass and tgname like 'keep%' order by tgname`)
    return rows.flat()
  }

  it('are created even if a table of the same name in another schema has them', async () => {
    const tx = database()
    await tx.execute(sql`drop trigger if exists keep_deleted on content.accommodation`)
    await tx.execute(sql`drop trigger if exists keep_replaced on content.accommodation`)
    await tx.execute(sql`create schema copies`)
    await tx.execute(sql`create table copies.accommodation (id text, data jsonb)`)
    await tx.execute(sql`
      create trigger keep_deleted after delete on copies.accommodation
      referencing old table as replaced
      for each statement execute function content_keep_versions('accommodation')`)
    await syncHistoryTriggers(database(), [entity])
    expect(await triggers()).toEqual(['keep_deleted', 'keep_replaced'])
    await syncHistoryTriggers(database(), [entity])
    expect(await triggers()).toEqual(['keep_deleted', 'keep_replaced'])
  })
})
