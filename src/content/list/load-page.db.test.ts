import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { sql } from '../../sql/index.ts'
import type { Sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { accommodation } from '../entities/accommodation.ts'
import { toNaming } from '../naming.ts'
import { syncEntityTables } from '../sync-tables.ts'
import { createTotals, loadPage, nextCursor } from './load-page.ts'
import { planList } from './plan.ts'

const entity = accommodation(toNaming('Hub'))
const caller = { visibility: { kind: 'everything' }, isAnonymous: false, isStrict: false } as const

describeWithDatabase('a page', (database) => {
  /**
   * Loads a page if about this many records match, and explains its statement with sorting made
   * expensive.
   */
  async function load(filter: object, expected: number) {
    const query = {
      pagenumber: 1,
      ...filter,
      pagesize: 2,
      removenullvalues: false,
      getasidarray: false,
    }
    const plan = await planList(entity, query, { ...caller, database: database() })
    const statements: Sql[] = []
    const page = await loadPage(noting(database(), statements), plan, expected)
    const [statement = sql``] = statements
    const steps = await database().transaction(async (tx) => {
      for (const kind of [sql`sort`, sql`seqscan`, sql`bitmapscan`]) {
        await tx.execute(sql`set local enable_${kind} = off`)
      }
      return tx.texts(sql`explain (costs off) ${statement}`)
    })
    const ids = page.records.map(({ id }) => id)
    return { ids, steps: steps.flat().join('\n'), cursor: nextCursor(plan, page, expected) }
  }

  beforeAll(async () => {
    await syncEntityTables(database(), [entity])
    await database().execute(sql`
      insert into content.accommodation (id, data, received)
      select n, jsonb_build_object(
        'Shortname', 'n' || n % 50, 'Kind', n % 10, 'Latitude', 46, 'Longitude', 10 + n / 3 * 0.01), now()
      from generate_series(1, 500) as n`)
    await database().execute(sql`analyze content.accommodation`)
  })

  it('of many matches is read in list order until it is full', async () => {
    const { ids, steps } = await load({ rawfilter: 'eq(Kind,3)' }, 50)
    expect(ids).toEqual(['113', '13'])
    expect(steps).toContain('accommodation_default_order')
  })

  it('of few matches is selected from all of them after sorting', async () => {
    const { ids, steps } = await load({ rawfilter: 'eq(Kind,3)' }, 8)
    expect(ids).toEqual(['113', '13'])
    expect(steps).toContain('Sort')
    expect(steps).not.toContain('accommodation_default_order')
  })

  it('of one Shortname uses the index of the default order', async () => {
    const { ids, steps } = await load({ rawfilter: "eq(Shortname,'n7')" }, 8)
    expect(ids).toEqual(['107', '157'])
    expect(steps).toMatch(/accommodation_default_order[^]*Index Cond/)
  })

  it('around a place uses the position index for many matches, also with ties', async () => {
    const circle = { latitude: 46, longitude: 10 }
    const few = await load(circle, 4)
    expect(few.steps).not.toContain('Order By')
    expect(few.ids).toEqual(['1', '2'])
    const many = await load(circle, 500)
    expect(many.steps).toMatch(/accommodation_position[^]*Order By/)
    expect(many.ids).toEqual(['1', '2'])
    expect((await load({ ...circle, pagenumber: 2 }, 500)).ids).toEqual(['3', '4'])
    const { ids: behind, steps } = await load({ ...circle, cursor: many.cursor }, 500)
    expect(behind).toEqual(['3', '4'])
    expect(steps).toMatch(/accommodation_position[^]*Order By/)
    expect((await load({ ...circle, pagenumber: 2 }, 4)).ids).toEqual(['3', '4'])
  })

  it('has a total that is counted once for all concurrent requests', async () => {
    const query = { pagenumber: 1, pagesize: 2, removenullvalues: false, getasidarray: false }
    const plan = await planList(entity, query, { ...caller, database: database() })
    const statements: Sql[] = []
    const totals = createTotals()
    const noted = noting(database(), statements)
    const found = await Promise.all(Array.from({ length: 10 }, () => totals.at(noted, plan, 'new')))
    expect([statements.length, new Set(found.map(({ count }) => count))]).toEqual([
      1,
      new Set([500]),
    ])
    expect(await totals.expected(noted, plan)).toBe(500)
  })
})

/** Returns the database, with the statements of `texts` recorded. */
function noting(
  database: Database,
  statements: Sql[],
): Pick<Database, 'query' | 'texts' | 'execute'> {
  return {
    query: (statement) => database.query(statement),
    execute: (statement) => database.execute(statement),
    texts: (statement) => {
      statements.push(statement)
      return database.texts(statement)
    },
  }
}
