import { loadModule } from 'libpg-query'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { distributedTables, referenceTables } from '../../src/timeseries/index.ts'
import { describeOn, useDatabase } from '../fixtures/databases.ts'
import { findingsOf } from './routing.ts'
import { loadStatements } from './statements.ts'

// Checks whether Citus could run the statements that the tests of this run sent to PostgreSQL,
// without using Citus.

const pages = 'Each node cuts and orders its own; one puts the pages together.'
const tests = 'Tests alone send this, to look at everything or to change it.'
const shown = 'Stations are listed with their latest values, and Citus gets all of these.'
const cold = 'Months of measurements that are distributed do not become cold.'

/** Statements without a series, or that Citus refuses, each with the reason why they stay. */
const known = new Map([
  ['latest as latest: read on every node row by row', tests],
  ['latest as m: looked up for each of rows', shown],
  ['latest as m: looked up for each of rows, station as s', shown],
  ['latest as m: looked up for each of station as s', shown],
  ['latest as m: optional beside what is on every node', shown],
  ['latest as m: read on every node and put in order', pages],
  ['measurement as m: looked up for each of rows', 'Filters of SensorThings ask for some value.'],
  [
    'measurement as m: looked up for each of series as x',
    'Where each series begins: one probe of the index for each is worth more on one machine.',
  ],
  ['measurement as m: read on every node and put in order', pages],
  ['measurement as measurement: looked up for each of rows', 'Spans of SensorThings.'],
  ['measurement as measurement: looked up for each of cold_series as cold_series', cold],
  ['measurement as measurement: read on every node and put in order', tests],
  ['measurement as measurement: read on every node row by row', tests],
  ['measurement as newer: looked up for each of taken as taken', cold],
])

const all = loadStatements(join(inject('scratch'), 'statements'))
const recorded = all.filter(({ text }) => /\b(measurement|latest)\b/.test(text))
/** Only a run of nearly all tests records this many. */
const isWhole = recorded.length > 750
const reason = '[left out: no test on PostgreSQL ran before it]'

beforeAll(() => loadModule())

describe.skipIf(recorded.length === 0)(
  `Statements of time series${recorded.length === 0 ? ` ${reason}` : ''}`,
  () => {
    it('contain the series or can be combined from parts, except those that are listed', () => {
      const found = new Map(
        recorded.flatMap(({ text }) => findingsOf(text).map((finding) => [finding, text] as const)),
      )
      const unknown = [...found].filter(([finding]) => !known.has(finding))
      expect(Object.fromEntries(unknown)).toEqual({})
      if (isWhole) expect([...known.keys()].filter((finding) => !found.has(finding))).toEqual([])
    })
  },
)

describe('The rules of routing', () => {
  it.each([
    ['select number from measurement where series_id = $1', []],
    ['select number from measurement m where m.series_id = any($1::int[]) and number > 3', []],
    ['select max(valid_time), count(*) from measurement', []],
    ['select s.type, count(*) from latest m join series s on s.id = m.series_id group by 1', []],
    ['with gone as (delete from latest where series_id = $1 returning 1) select from gone', []],
    [
      'select from series x join latest m on m.series_id = x.id cross join lateral (select from measurement p where p.series_id = m.series_id order by valid_time limit 1) q',
      [],
    ],
    [
      'select from series x cross join lateral (select from measurement p where p.series_id = x.id order by valid_time limit 1) q',
      ['measurement as p: looked up for each of series as x'],
    ],
    [
      'select from unnest($1::int[]) as x (id), lateral (select max(number) from measurement p where p.series_id = x.id) q',
      ['measurement as p: looked up for each of rows'],
    ],
    [
      'select (select max(number) from latest m where m.series_id = x.id) from series x',
      ['latest as m: looked up for each of series as x'],
    ],
    [
      'select from (select x.id, (select count(*) from (select series_id from measurement p) as p where p.series_id = x.id) from series x) as rows where exists (select from (select m.series_id from measurement m) as m where m.series_id = rows.id)',
      [
        'measurement as m: looked up for each of rows',
        'measurement as p: looked up for each of series as x',
      ],
    ],
    [
      'select from latest m join measurement p on p.number = m.number where m.series_id = 3',
      [
        'latest as m: not joined by its series',
        'measurement as p: not joined by its series',
        'measurement as p: read on every node row by row',
      ],
    ],
    [
      'select from series x left join latest m on m.series_id = x.id',
      ['latest as m: optional beside what is on every node'],
    ],
    [
      'select number from latest order by valid_time limit 3',
      ['latest as latest: read on every node and put in order'],
    ],
    ['select from latest where series_id = 3 for update', ['latest as latest: locked row by row']],
    [
      'insert into measurement (valid_time) select now()',
      ['measurement as measurement: inserted without its series'],
    ],
  ])('%s', (text, findings) => {
    expect(findingsOf(text)).toEqual(findings)
  })
})

describeOn('postgresql', 'Tables that Citus distributes', () => {
  const database = useDatabase('postgresql')
  const spread = sql`any(${distributedTables}::text[]::regclass[])`

  it('contain the series in every unique key', async () => {
    const keys = await database().texts(sql`
      select pg_get_indexdef(indexrelid) from pg_index
      left join pg_inherits on inhrelid = indrelid
      where indisunique and (indrelid = ${spread} or inhparent = ${spread})`)
    expect(keys.length).toBeGreaterThan(2)
    expect(keys.flat().filter((key) => !/\((series_id|.*, series_id)\b/.test(key ?? ''))).toEqual(
      [],
    )
  })

  it('refer only to tables that exist on every node, and have no triggers', async () => {
    const others = await database().texts(sql`
      select conrelid::regclass, confrelid::regclass from pg_constraint
      where contype = 'f' and conrelid = ${spread}
        and confrelid <> all(${referenceTables}::text[]::regclass[])`)
    const triggers = await database().texts(sql`
      select tgname from pg_trigger where tgrelid = ${spread} and not tgisinternal`)
    expect([others, triggers]).toEqual([[], []])
  })
})
