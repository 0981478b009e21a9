import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/fixtures/databases.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Queryable } from '../storage/database.ts'
import type { AccessRule, Area, Visibility } from './rule-table.ts'
import { arrayLiteral, visible } from './visibility.ts'

describeWithDatabase('An array literal', (database) => {
  const readBack = async (values: readonly (string | null)[]) => {
    const [row] = await database().query<{ json: string }>(
      sql`select to_json(${arrayLiteral(values)}::text[])::text as json`,
    )
    const read: unknown = JSON.parse(row?.json ?? 'null')
    return read
  }

  it.each([[[]], [['']], [['null', 'NULL', null]], [['a,b', '{}', '"', '\\', ' x ', '\n']]])(
    'of %j is read back unchanged',
    async (values) => {
      expect(await readBack(values)).toEqual(values)
    },
  )

  it('of any strings is read back unchanged', async () => {
    // A PostgreSQL text can hold every character except NUL, in whole code points.
    const anyText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000'))
    await fc.assert(
      fc.asyncProperty(fc.array(anyText), async (values) => {
        expect(await readBack(values)).toEqual(values)
      }),
      { numRuns: 100 },
    )
  })

  it('of numbers casts to an integer array', async () => {
    const literal = arrayLiteral([60, 3600])
    const [row] = await database().query<{ sum: number }>(
      sql`select sum(n)::integer as sum from unnest(${literal}::integer[]) as n`,
    )
    expect(row?.sum).toBe(3660)
  })
})

type Row = {
  readonly id: number
  readonly closed: boolean | null
  readonly origin: string | null
  readonly type: string
  readonly dataType: string
  readonly period: number
}

const rule = (members: Partial<AccessRule>): AccessRule => ({
  role: 'GUEST',
  area: null,
  origin: null,
  type: null,
  dataType: null,
  period: null,
  ...members,
})

/** Every combination of a few values, open and closed. */
const rows: readonly Row[] = [true, false, null]
  .flatMap((closed) =>
    ['A', 'B', null].flatMap((origin) =>
      ['X', 'Y'].flatMap((type) =>
        ['t', 'u'].flatMap((dataType) =>
          [600, 3600].map((period) => ({ id: 0, closed, origin, type, dataType, period })),
        ),
      ),
    ),
  )
  .map((row, index) => ({ ...row, id: index }))

/** Evaluates a rule without SQL, as a reference. */
function opens(one: AccessRule, row: Row, area: Area): boolean {
  return (
    (one.area === null || one.area === area) &&
    (one.origin === null || one.origin === row.origin) &&
    (one.type === null || one.type === row.type) &&
    (one.dataType === null || one.dataType === row.dataType) &&
    (one.period === null || one.period === row.period)
  )
}

const columns = {
  closed: sql`closed`,
  origin: sql`origin`,
  type: sql`type`,
  dataType: sql`data_type`,
  period: sql`period`,
}

function shown(database: Queryable, visibility: Visibility, area: Area) {
  return idsWhere(database, visible(visibility, area, columns))
}

async function idsWhere(database: Queryable, condition: Sql) {
  const found = await database.query<{ id: number }>(sql`
    select id
    from unnest(
      ${rows.map(({ id }) => id)}::integer[], ${rows.map(({ closed }) => closed)}::boolean[],
      ${rows.map(({ origin }) => origin)}::text[], ${rows.map(({ type }) => type)}::text[],
      ${rows.map(({ dataType }) => dataType)}::text[], ${rows.map(({ period }) => period)}::integer[]
    ) as data (id, closed, origin, type, data_type, period)
    where ${condition}
    order by id`)
  return found.map(({ id }) => id)
}

const ids = (test: (row: Row) => boolean) => rows.filter(test).map(({ id }) => id)

describeWithDatabase('Visible data', (database) => {
  it('is everything for callers who may see everything', async () => {
    expect(await shown(database(), { kind: 'everything' }, 'content')).toEqual(ids(() => true))
  })

  it('is only open data when there are no rules; unknown counts as closed', async () => {
    const open = ids(({ closed }) => closed === false)
    expect(await shown(database(), { kind: 'rules', rules: [] }, 'content')).toEqual(open)
  })

  it('is open data and data that a rule for the area opens', async () => {
    const rules = [
      rule({ area: 'timeseries', origin: 'A', period: 3600 }),
      rule({ area: 'event', origin: 'B' }),
    ]
    const wanted = ids(
      ({ closed, origin, period }) => closed === false || (origin === 'A' && period === 3600),
    )
    expect(await shown(database(), { kind: 'rules', rules }, 'timeseries')).toEqual(wanted)
  })

  it('includes data without an origin only if a rule applies to any origin', async () => {
    const named: Visibility = {
      kind: 'rules',
      rules: [rule({ origin: 'A' }), rule({ origin: 'B' })],
    }
    const any: Visibility = { kind: 'rules', rules: [rule({ type: 'X' })] }
    const hidden = ids(
      ({ closed, origin, type }) => closed === true && origin === null && type === 'X',
    )
    expect(await shown(database(), named, 'event')).not.toEqual(expect.arrayContaining([hidden[0]]))
    expect(await shown(database(), any, 'event')).toEqual(expect.arrayContaining(hidden))
  })

  it('is not widened by a rule on a field that the data does not have', async () => {
    const rules = [rule({ origin: 'A', dataType: 't' })]
    const { closed, origin, type } = columns
    const condition = visible({ kind: 'rules', rules }, 'content', { closed, origin, type })
    const [row] = await database().query<{ count: number }>(sql`
      select count(*)::integer as count from (values (true, 'A', 'X')) as data (closed, origin, type)
      where ${condition}`)
    expect(row?.count).toBe(0)
  })

  it('is selected by a short statement even with a thousand different rules', async () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      rule({ origin: `o${String(index)}`, type: `t${String(index)}` }),
    )
    const visibility: Visibility = {
      kind: 'rules',
      rules: [...many, rule({ origin: 'A', type: 'X' })],
    }
    const wanted = ids(
      ({ closed, origin, type }) => closed === false || (origin === 'A' && type === 'X'),
    )
    expect(await shown(database(), visibility, 'content')).toEqual(wanted)
    expect(visible(visibility, 'content', columns).text.length).toBeLessThan(200)
  })

  it.each([[['X']], [['X', 'Y']], [['Z']], [[]]])(
    'is the same when rules for types other than %j are skipped',
    async (types) => {
      const rules = [
        rule({ origin: 'A', type: 'X' }),
        rule({ origin: 'B', type: 'Z' }),
        rule({ type: 'Y', period: 600 }),
      ]
      const visibility: Visibility = { kind: 'rules', rules }
      const whole = await shown(database(), visibility, 'content')
      const condition = visible(visibility, 'content', { ...columns, types })
      const aside = await idsWhere(database(), condition)
      const isPossible = (id: number) => types.includes(rows[id]?.type ?? '')
      expect(aside.filter(isPossible)).toEqual(whole.filter(isPossible))
    },
  )

  it('is open data and everything that any single rule opens', async () => {
    const anyRule = fc.record({
      role: fc.constant('GUEST'),
      area: fc.constantFrom<Area | null>(null, 'content', 'event'),
      origin: fc.constantFrom(null, 'A', 'B', 'C'),
      type: fc.constantFrom(null, 'X', 'Y', 'Z'),
      dataType: fc.constantFrom(null, 't', 'u'),
      period: fc.constantFrom(null, 600, 3600),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule, { maxLength: 30 }), async (rules) => {
        const wanted = ids(
          (row) => row.closed === false || rules.some((one) => opens(one, row, 'content')),
        )
        expect(await shown(database(), { kind: 'rules', rules }, 'content')).toEqual(wanted)
      }),
      { numRuns: 60 },
    )
  })
})
