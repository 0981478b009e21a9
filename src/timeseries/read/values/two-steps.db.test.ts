import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../../test/fixtures/databases.ts'
import { sql } from '../../../sql/index.ts'
import type { Database } from '../../../storage/index.ts'
import { randomOf } from '../../../demo/index.ts'
import type { Random } from '../../../demo/index.ts'
import { json } from '../../formats/index.ts'
import type { ReadParameters } from '../../parameters.ts'
import { openAnswer } from '../answer.ts'
import { deleteTimeseries } from '../../write/delete-timeseries.ts'
import { storeMeasurements } from '../../write/store-measurements.ts'
import { storeStations } from '../../write/store-stations.ts'
import { findLevel } from '../find-level.ts'
import { loadPages, toSelection } from '../load-pages.ts'
import { rememberReads } from '../open-pages.ts'
import type { Reads } from '../open-pages.ts'
import { planRead } from '../plan.ts'
import type { ReadPlan } from '../plan.ts'

/**
 * Fills the database with series of every kind and pace, with gaps, bursts and fractions of
 * seconds. One list alone is longer than a page, and some stations and origins are closed or not
 * available.
 */
async function fill(database: Database): Promise<void> {
  await database.execute(sql`
    insert into provenance (name, version, lineage) values ('p', '1', 'here'), ('p', null, 'there')`)
  await database.execute(sql`
    insert into data_type (name, unit, received)
    select name, 'n', now()
    from unnest(array['count', 'tab' || chr(9) || 'and "quote"', 'state']) as name`)
  await database.execute(sql`
    insert into station (type, code, name, origin, active, available, closed, metadata, received)
    select case when n % 3 = 0 then 'B' else 'A' end, 'c' || n % 37, 'name ' || n, 'o' || n % 3,
      true, n % 11 <> 0, n % 7 = 0, jsonb_build_object('n', n), now()
    from generate_series(1, 40) as n on conflict do nothing`)
  await database.execute(sql`update station set parent_id = id - 1 where id % 5 = 0`)
  await database.execute(sql`
    insert into series (station_id, data_type_id, period, kind)
    select station.id, data_type.id, period, case when data_type.name = 'state'
      then case when period = 60 then 'text' else 'json' end else 'number' end
    from station, data_type, unnest('{60,600}'::int[]) as period`)
  await database.execute(sql`
    select ensure_measurement_partitions('2026-01-01 00:00Z', '2026-03-01 00:00Z')`)
  await database.execute(sql`
    insert into measurement (series_id, valid_time, transaction_time, provenance_id, number, text, json)
    select series.id, time, time + interval '1 second',
      case series.id % 3 when 0 then null else series.id % 3 end,
      case kind when 'number' then series.id + n / 7.0 end,
      case kind when 'text' then E'text \t, "quoted"\n' || n end,
      case kind when 'json' then jsonb_build_object('a', n, 'b', E'x\ny') end
    from series,
      generate_series(1, case series.id when 5 then 14000 else 40 + series.id % 90 end) as n,
      lateral (select '2026-01-20 00:00Z'::timestamptz + n * (period + series.id % 4 * 0.25)
        * case when series.id % 5 = 0 then interval '1 second' else interval '3 seconds' end) as at (time)
    where series.id % 13 <> 0`)
  await database.execute(sql`
    with dense as (
      insert into station (type, code, name, available, received)
      select 'Dense', 'd' || n, 'dense', true, now() from generate_series(1, 2) as n returning id
    ), added as (
      insert into series (station_id, data_type_id, period, kind)
      select dense.id, (select min(id) from data_type), 86400, 'number' from dense returning id
    )
    insert into measurement (series_id, valid_time, transaction_time, number)
    select added.id, '2026-02-02 00:00Z'::timestamptz + n * interval '1 second', now(), n
    from added, generate_series(1, 13000) as n`)
  await database.execute(sql`
    insert into latest (series_id, valid_time, transaction_time, provenance_id, number, text, json)
    select distinct on (series_id)
      series_id, valid_time, transaction_time, provenance_id, number, text, json
    from measurement order by series_id, valid_time desc`)
  await database.execute(sql`analyze`)
}

/** Applies a random change: mostly values or a changed station, sometimes a deletion. */
async function change(database: Database, random: Random, round: number): Promise<void> {
  const stationType = random.pick(['A', 'B'])
  const code = () => `c${String(random.between(1, 36))}`
  // Later than the stored stations, because an older message would not change them.
  const received = new Date(Date.UTC(2100, 0, 1, 0, round))
  const times = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }
  await database.transaction(async (tx) => {
    if (random.chance(0.05)) {
      const items = [{ code: code() }]
      await deleteTimeseries(tx, { stationType, what: 'stations', items, by })
    } else if (random.chance(0.15)) {
      const items = [{ code: code(), dataType: 'count', ...(random.chance(0.5) ? times : {}) }]
      const what = random.pick(['measurements', 'series'] as const)
      await deleteTimeseries(tx, { stationType, what, items, by })
    } else if (random.chance(0.5)) {
      const described = [
        { name: `name ${String(round)}` },
        { metadata: { n: random.between(0, 40) } },
        { available: random.chance(0.5) },
        { parent: random.pick([null, { type: 'A', code: 'c1' }]) },
        { coordinate: [11, 46 + round / 100] },
      ]
      const items = [{ code: code(), ...random.pick(described) }]
      const closed = random.chance(0.2) ? { closed: random.chance(0.5) } : {}
      await storeStations(tx, { stationType, ...closed, items, received })
    } else {
      const time = () => `2026-02-${String(random.between(10, 28))}T00:00:00Z`
      const items = Array.from({ length: random.between(1, 20) }, (): Item => {
        return [code(), 'count', time(), random.between(0, 1000)]
      })
      const period = random.pick([60, 600])
      await storeMeasurements(tx, { stationType, period, received, provenance: null, items })
    }
  })
}

type Item = readonly [code: string, dataType: string, time: string, value: number]

const by = { subject: 's', name: 'n', client: 'c', request: '00000000-0000-4000-8000-000000000000' }

const usual: ReadParameters = { limit: -1, offset: 0, distinct: true, shownull: false, bom: false }
const everything = { kind: 'everything' } as const

const wholeRange = '2026-01-01/2026-12-31'

const functions = 'min(mvalue),max(mvalue),count(mvalue)'

const reads: readonly (readonly [path: string, query?: Partial<ReadParameters>])[] = [
  [`flat/*/*/${wholeRange}`],
  [`tree/*/*/${wholeRange}`],
  [`flat/*/*/0001-01-01/9999-12-31`, { select: 'scode,tname,mvalidtime,mvalue' }],
  [`flat/A/count/${wholeRange}`, { select: 'mvalue', limit: 5000, offset: 777 }],
  [`tree/A,B/count/${wholeRange}`, { select: 'mvalue,mperiod', limit: 500, offset: 15_000 }],
  [`flat/*/*/2026-01-20T03:00:00/2026-01-20T09:00:00`, { where: 'mvalue.gt.30' }],
  [`tree/*/state/${wholeRange}`, { select: 'mvalue.a,mvalue.b,tname,prname', shownull: true }],
  [`flat/A/*/${wholeRange}`, { where: 'scode.eq."c5"', select: 'mvalidtime,mvalue,prlineage' }],
  [`flat/*/count/${wholeRange}`, { where: 'scode.eq."c5",mperiod.eq.60,tname.eq."count"' }],
  [
    `flat/*/*/${wholeRange}`,
    { where: 'or(scode.eq."c1",scode.eq."c2"),mvalidtime.gt.2026-01-20T12' },
  ],
  [`flat/*/*/${wholeRange}`, { where: 'or(and(scode.eq."c1",mperiod.eq.60),smetadata.n.gt.30)' }],
  [`flat/B/*/latest`, { shownull: true, timezone: 'Europe/Rome' }],
  [`tree/*/*/latest`, { select: 'scode,mvalue,mtransactiontime,mprovenance' }],
  [`flat/*/*/latest`, { limit: 7, offset: 3, origin: ['o1'] }],
  [`flat/nothing/*/${wholeRange}`],
  // A small share of all series, with many more values than their periods suggest.
  [`flat/Dense/*/${wholeRange}`, { select: 'scode,mvalue' }],
  [`tree/Dense/*/${wholeRange}`, { select: 'mvalue,mvalidtime', offset: 11_000 }],
  [`flat/Dense/*/${wholeRange}`, { where: 'scode.eq."d1"', select: 'mvalue', limit: 9000 }],
  [`flat/*/*/2030-01-01/2031-01-01`],
  // Aggregates that are computed per series first.
  [`flat/*/*/${wholeRange}`, { select: `scode,tname,${functions},mperiod` }],
  [`tree/*/*/${wholeRange}`, { select: functions, where: 'mvalue.gt.30,scode.neq."c5"' }],
  [
    `flat/A/*/${wholeRange}`,
    { select: 'smetadata.n,count(mvalue),max(mvalue.a),count(mtransactiontime)' },
  ],
  [`flat/*/*/${wholeRange}`, { select: functions, limit: 3 }],
  [`flat/Dense/*/${wholeRange}`, { select: 'scode,sum(mvalue),avg(mvalue)' }],
  [`flat/Dense/*/${wholeRange}`, { select: 'count(mvalue),sum(mvalue),avg(mvalue)' }],
  [`flat/*/*/2030-01-01/2031-01-01`, { select: 'count(mvalue),sum(mvalue),avg(mvalue)' }],
  [`tree/*/*/2026-01-20T03/2026-01-20T10`, { select: `pcode,${functions}`, offset: 5, limit: 9 }],
]

describeWithDatabase('Values that are read separately from their series', (database) => {
  let given: Reads
  beforeAll(async () => {
    await fill(database())
    given = rememberReads(database().read)
  })

  const planOf = (path: string, query: Partial<ReadParameters>, sees: 'everything' | 'guest') => {
    const visibility = sees === 'everything' ? everything : ({ kind: 'rules', rules: [] } as const)
    const asked = { visibility, profile: 'strict', clientOriginPrefixes: [] } as const
    return planRead({ ...findLevel(path.split('/')), ...asked }, { ...usual, ...query })
  }
  const textOf = async (plan: ReadPlan, url = '') => {
    const choice = { format: json, mediaType: 'application/json' }
    const { body } = await openAnswer(given, plan, { url, choice, bom: false })
    return body instanceof Readable ? (await buffer(body)).toString() : body.toString()
  }

  for (const [path, query = {}] of reads) {
    it(`match those of one statement: ${path} ${JSON.stringify(query)}`, async () => {
      for (const sees of ['everything', 'guest'] as const) {
        const plan = planOf(path, query, sees)
        expect(plan.stages).toBeDefined()
        const found = await textOf(plan)
        expect(found === (await textOf({ ...plan, stages: undefined }))).toBe(true)
        // Now the choice is cached.
        expect(found === (await textOf(plan))).toBe(true)
        expect(() => JSON.parse(found)).not.toThrow()
      }
    })
  }

  const latest: readonly (readonly [path: string, query?: Partial<ReadParameters>])[] = [
    ['flat/*/*/latest'],
    ['flat/A/*/latest', { limit: 9, offset: 4, timezone: 'Europe/Rome', shownull: true }],
    ['flat/*/*/latest', { where: 'mvalue.gt.500', select: 'scode,mvalue,mtransactiontime' }],
    ['tree/*/*/latest'],
    ['tree/A,B/count/latest', { limit: 20, offset: 3, where: 'scode.neq."c4"' }],
    ['flat/A/*/latest', { where: 'scode.eq."c5"', distinct: false }],
    ['tree/*/*/latest', { where: 'smetadata.n.gt.20', select: 'sname,pname,smetadata.n,mvalue' }],
    ['flat/*'],
    ['tree/A', { select: 'sname,smetadata,sparent,scoordinate' }],
    ['flat/B,A', { where: 'smetadata.n.gt.15', limit: 6, offset: 2, shownull: true }],
    ['tree/*', { where: 'or(pactive.eq.true,sname.re."name 2")', select: 'pname,smetadata.n' }],
  ]

  it('match those of one statement when cached, even while data changes', async () => {
    for (let round = 0; round < 40; round++) {
      const random = randomOf('latest', round)
      await change(database(), random, round)
      // As after a restart, or on another node.
      if (random.chance(0.1)) given = rememberReads(database().read)
      // A query that is skipped in a round misses several changes.
      for (const [path, query = {}] of latest.filter(() => random.chance(0.7))) {
        for (const sees of ['everything', 'guest'] as const) {
          const plan = planOf(path, query, sees)
          const url = path + JSON.stringify(query)
          expect(await textOf(plan, url)).toBe(await textOf({ ...plan, stages: undefined }))
        }
      }
    }
  })

  it('are returned even if stations change faster than they are read', async () => {
    const read = database().read
    let round = 0
    const restless: Reads['database'] = {
      ...read,
      texts: async (statement) => {
        round += 1
        const items = [{ code: 'd1', name: `restless ${String(round)}` }]
        const received = new Date(Date.UTC(2200, 0, 1, 0, round))
        await database().transaction((tx) =>
          storeStations(tx, { stationType: 'Dense', items, received }),
        )
        return read.texts(statement)
      },
    }
    given = rememberReads(restless)
    for (const path of ['flat/Dense', 'flat/Dense/*/latest', `flat/Dense/*/${wholeRange}`]) {
      const text = await textOf(planOf(path, { limit: 100 }, 'everything'))
      expect(text).toContain('restless')
    }
    given = rememberReads(read)
  })

  it('are read in one statement if a list shows few stations', async () => {
    const read = database().read
    let statements = 0
    const texts: Reads['database']['texts'] = (statement) => {
      statements += 1
      return read.texts(statement)
    }
    given = rememberReads({ ...read, texts })
    for (const round of [1, 2]) {
      const items = [{ code: 'd2', name: `few ${String(round)}` }]
      const received = new Date(Date.UTC(2300, 0, 1, 0, round))
      await database().transaction((tx) =>
        storeStations(tx, { stationType: 'Dense', items, received }),
      )
      expect(await textOf(planOf('flat/Dense', { limit: 200 }, 'guest'))).toContain(
        `few ${String(round)}`,
      )
    }
    expect(statements).toBe(2)
    given = rememberReads(read)
  })

  it('are aggregated from the index of their series, without a sequential scan', async () => {
    const read = database().read
    const plans: string[] = []
    const explained: Reads['database'] = {
      ...read,
      texts: async (statement) => {
        const rows = await read.texts(sql`explain (costs off) ${statement}`)
        plans.push(rows.join('\n'))
        return read.texts(statement)
      },
    }
    for (const select of ['scode,max(mvalue)', 'tname,count(mvalue),avg(mvalue)']) {
      const where = 'scode.in.("c5","c9","c22")'
      const plan = planOf('flat/*/*/2026-01-20/2026-01-31', { select, where }, 'guest')
      for await (const { rows } of loadPages(explained, toSelection(plan))) {
        expect(rows.length).toBeGreaterThan(0)
      }
    }
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain('measurement_2026_01_pkey')
      expect(plan).not.toMatch(/Seq Scan on measurement/)
    }
  })

  it('are read in one statement if a query needs a series and its value together', () => {
    const where = 'or(scode.eq."c1",mvalue.gt.5)'
    expect(planOf(`flat/*/*/${wholeRange}`, { where }, 'guest').stages).toBeUndefined()
    expect(planOf('flat/*/*/latest', { where: 'prname.eq."p"' }, 'guest').stages).toBeUndefined()
    expect(planOf('flat/*/*/latest', { select: 'max(mvalue)' }, 'guest').stages).toBeUndefined()
    const select = 'max(mvalue),prname'
    expect(planOf(`flat/*/*/${wholeRange}`, { select }, 'guest').stages).toBeUndefined()
  })
})
