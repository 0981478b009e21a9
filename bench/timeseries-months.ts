import { pino } from 'pino'
import { openStore } from '../src/compose/index.ts'
import { loadConfig } from '../src/config/index.ts'
import { identifier, sql } from '../src/sql/index.ts'
import { makePartitions } from '../src/timeseries/index.ts'
import { keepSpan } from '../src/timeseries/partitions/keep-partitions.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import type { HubProcess } from '../test/fixtures/hub-process.ts'
import { storeObjects } from './fixtures/store-objects.ts'
import type { Bench } from './harness/bench.ts'
import { compareSides } from './harness/compare-sides.ts'
import type { Environment } from './harness/environment.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

type Read = {
  readonly what: string
  readonly path: string
  readonly times: number
  /** Searches all months, so the result is shown beside the others but has no goal. */
  readonly isSearch?: true
}

const type = 'Gauge'
const stations = 100

/** Queries of months that have values, of months that have few, and of months that have none. */
const reads: readonly Read[] = [
  {
    what: 'a day of one station',
    path: `${type}/level/2026-10-05/2026-10-06?limit=-1&where=scode.eq.%22gauge-7%22`,
    times: 150,
  },
  {
    what: 'an hour of all',
    path: `${type}/level/2026-10-05T10:00/2026-10-05T11:00?limit=-1`,
    times: 100,
  },
  { what: 'five days without values', path: `${type}/level/2011-03-05/2011-03-10`, times: 150 },
  {
    what: 'the first value since 1900',
    path: `${type}/level/1900-01-01/2026-11-01?limit=1`,
    times: 20,
    isSearch: true,
  },
  {
    what: 'a year of one station by day',
    path: `${type}/level/2025-11-01/2026-11-01?bucket=1d&limit=-1&where=scode.eq.%22gauge-7%22`,
    times: 10,
  },
  { what: 'the latest of all', path: `${type}/level/latest?limit=-1`, times: 50 },
]

const goal = 0.83

/**
 * Compares two hubs with the same values of one year. One also has many earlier months with few
 * values.
 */
export const timeseriesMonths: Bench = {
  name: 'timeseries-months',
  run: async (environment) => {
    const [many, few] = [
      await hubWith(environment, 'many_months', '1993-07'),
      await hubWith(environment, 'few_months', '2025-11'),
    ]
    try {
      const found: (Read & { readonly median: number; readonly minimum: number })[] = []
      for (const read of reads) {
        const { what, path, times } = read
        const sides = await compareSides({
          ours: () => rateOf(`${many.url}/v2/flat/${path}`, times),
          limit: () => rateOf(`${few.url}/v2/flat/${path}`, times),
          onPair: ({ ours, limit }) => {
            environment.log(`${what}: ${ours.toFixed(0)} of ${limit.toFixed(0)} reads/s`)
          },
        })
        found.push({ ...read, median: sides.median, minimum: sides.minimum })
      }
      const held = found.filter(({ isSearch }) => isSearch === undefined)
      const worst = Math.min(...held.map(({ median }) => median))
      return {
        title: 'Reads with tables of 400 months ÷ of 12, the slowest of five kinds',
        goal: `≥ ${goal.toFixed(2)}`,
        median: worst.toFixed(2),
        worst: Math.min(...held.map(({ minimum }) => minimum)).toFixed(2),
        holds: worst >= goal,
        detail: found.map(({ what, median }) => `${what} ${median.toFixed(2)}`).join(', '),
      }
    } finally {
      await Promise.all([stopHub(many), stopHub(few)])
    }
  },
}

/**
 * Starts a hub with its own database, which has tables from a given month on, hourly values of the
 * last twelve months, and few values before.
 */
async function hubWith(environment: Environment, name: string, first: string): Promise<HubProcess> {
  const url = environment.postgresql.url.replace(/\/postgres$/, `/${name}`)
  await environment.store.database.execute(sql`create database ${identifier(name)}`)
  await fill(url, first)
  const years = { HUB_MEASUREMENT_YEARS_BACK: '40' }
  return environment.startHub({ DATABASE_URL: url, ...years })
}

async function fill(url: string, first: string): Promise<void> {
  const config = loadConfig({ DATABASE_URL: url, HUB_STATEMENT_TIMEOUT: '10min' })
  const given = { log: pino({ level: 'error' }), platform: process.platform }
  const clock = { now: () => new Date(), every: () => () => undefined }
  const store = await openStore(config, {
    ...given,
    ...clock,
    fetch,
    version: 'bench',
    originOf: () => 'default' as const,
  })
  const { database } = store
  const codes = Array.from({ length: stations }, (_, index) => `gauge-${String(index)}`)
  await storeObjects(store, [
    { kind: 'dataTypes', items: [{ name: 'level' }] },
    { kind: 'stations', stationType: type, items: codes.map((code) => ({ code })) },
    {
      ...{ kind: 'measurements', stationType: type, period: 3600 },
      items: codes.map((code) => [code, 'level', '2026-11-01T00:00:00Z', 1]),
    },
  ])
  await keepSpan(database, new Date(), { yearsBack: 40, yearsAhead: 2, latestAhead: 2_678_400 })
  await makePartitions(database, { first, last: '2026-11' })
  await database.execute(sql`
    insert into measurement (series_id, valid_time, transaction_time, number)
    select series.id, hour, hour, extract(epoch from hour)::bigint % 1000
    from series, generate_series('2025-11-01Z'::timestamptz, '2026-10-31T23:00Z', '1 hour') as hour`)
  await database.execute(sql`
    insert into measurement (series_id, valid_time, transaction_time, number)
    select series.id, month, month, 1
    from series, generate_series(${`${first}-02T00:00Z`}::timestamptz, '2025-10-31Z', '1 month') as month
    where series.id % 10 = 0`)
  await database.execute(sql`analyze measurement`)
  await database.close()
}

async function rateOf(address: string, times: number): Promise<number> {
  const started = performance.now()
  for (let read = 0; read < times; read++) await secondsToRead(address, 1)
  return (1000 * times) / (performance.now() - started)
}
