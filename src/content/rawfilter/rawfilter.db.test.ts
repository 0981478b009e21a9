import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { rawFilters, rawRecords } from '../../../test/fixtures/arbitrary-rawfilter.ts'
import { describeWithDatabase } from '../../../test/fixtures/databases.ts'
import { holds } from '../../../test/fixtures/naive-rawfilter.ts'
import type { Truth } from '../../../test/fixtures/naive-rawfilter.ts'
import { entitiesOf } from '../entities/index.ts'
import { toNaming } from '../naming.ts'
import { join, sql } from '../../sql/index.ts'
import type { Queryable } from '../../storage/index.ts'
import { tableOf } from '../table.ts'
import type { RawFilter } from './ast.ts'
import { records, understood } from '../../../test/fixtures/rawfilter-cases.ts'
import { atTheLimit } from '../../../test/fixtures/rawfilter-refusals.ts'
import { compileExpression, compileRawFilter } from './compile.ts'
import { parseRawFilter } from './grammar.ts'
import { printRawFilter } from './print.ts'

const naming = toNaming('Hub')
const [entity] = entitiesOf(naming)
if (entity === undefined) throw new Error('There is no entity')
const scope = { entity, naming }

/** Fills the table with the records alone, without the fields that a write would add. */
async function fill(database: Queryable, all: readonly object[]) {
  await database.execute(sql`delete from ${tableOf(scope.entity)}`)
  await database.execute(sql`
    insert into ${tableOf(scope.entity)} (id, data, received)
    select coalesce(data ->> 'Id', lpad(place::text, 6, '0')), data, now()
    from unnest(${all.map((record) => JSON.stringify(record))}::jsonb[]) with ordinality as sent (data, place)`)
}

/** Evaluates each filter for each record, both in order. */
async function truths(database: Queryable, filters: readonly RawFilter[]) {
  const conditions = filters.map(
    ({ expression }) => sql`${compileExpression(expression, scope)}::text`,
  )
  const rows = await database.texts(
    sql`select ${join(conditions, ', ')} from ${tableOf(scope.entity)} order by id`,
  )
  const read = (text: string | null | undefined): Truth =>
    text === null ? undefined : text === 'true'
  return filters.map((_, column) => rows.map((row) => read(row[column])))
}

describeWithDatabase('rawfilter', (database) => {
  describe('on the records of the cases', () => {
    beforeAll(() => fill(database(), records))

    it.each(understood)('finds the matches of $text', async ({ text, matches }) => {
      const condition = compileRawFilter(parseRawFilter(text), scope)
      const rows = await database().query<{ id: string }>(
        sql`select id from ${tableOf(scope.entity)} where ${condition} order by id`,
      )
      expect(rows.map(({ id }) => id).join('')).toBe(matches)
    })

    it.each(atTheLimit)('runs a filter just within the limits: %s', async (text) => {
      expect(await truths(database(), [parseRawFilter(text)])).toHaveLength(1)
    })
  })

  it('finds nothing by fields that the caller may not read', async () => {
    await fill(database(), [{ Id: 'A', Closed: [{ N: 1 }], Open: [{ N: 1 }] }])
    const closing = { ...scope.entity, closedFields: ['Closed'] }
    const count = async (text: string, isReduced: boolean) => {
      const condition = compileRawFilter(parseRawFilter(text), {
        entity: closing,
        naming,
        isReduced,
      })
      return database().execute(sql`select from ${tableOf(scope.entity)} where ${condition}`)
    }
    const tests = [
      'eq(*.0.N,1)',
      'in(*.[*].N,1)',
      'in(*.0.N,1)',
      'in(*.N,1)',
      'isnotnull(*)',
      "like(*,'1')",
    ]
    for (const test of tests) {
      expect([test, await count(test.replace('*', 'Closed'), true)]).toEqual([test, 0])
      expect([test, await count(test.replace('*', 'Closed'), false)]).toEqual([test, 1])
      expect([test, await count(test.replace('*', 'Open'), true)]).toEqual([test, 1])
    }
  })

  it('reads a boolean that is stored as a text in every comparison (decision D66)', async () => {
    const flags = [true, 'true', false, 'False', 'perhaps', null]
    await fill(
      database(),
      flags.map((Active, place) => ({ Id: String(place), Active })),
    )
    const found = async (text: string) => {
      const rows = await database().query<{ id: string }>(sql`
        select id from ${tableOf(scope.entity)}
        where ${compileRawFilter(parseRawFilter(text), scope)} order by id`)
      return rows.map(({ id }) => id).join('')
    }
    expect(await found('eq(Active,true)')).toBe('01')
    expect(await found('in(Active,true)')).toBe('01')
    expect(await found("in(Active,false,'perhaps')")).toBe('234')
    expect(await found('nin(Active,true)')).toBe('2345')
    expect(await found('not(in(Active,true,false))')).toBe('45')
    expect(await found("in(Active,'true')")).toBe('1')
  })

  it('evaluates every record like the reference implementation', { timeout: 120_000 }, async () => {
    const all = fc.sample(rawRecords, { numRuns: 150, seed: 1 })
    await fill(database(), all)
    await fc.assert(
      fc.asyncProperty(fc.array(rawFilters, { minLength: 50, maxLength: 50 }), async (filters) => {
        const found = await truths(database(), filters)
        const differences = filters.flatMap((filter, place) =>
          all.flatMap((record, row) => {
            const wanted = holds(filter.expression, record)
            const says = found[place]?.[row]
            return says === wanted ? [] : [{ filter: printRawFilter(filter), record, says, wanted }]
          }),
        )
        expect(differences).toEqual([])
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })
})
