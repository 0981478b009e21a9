import { join } from 'node:path'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { loadFiveMinuteYear, stationType, year } from './fixtures/five-minute-year.ts'
import { measurementItems, rows } from './fixtures/measurements.ts'
import type { Questdb } from './fixtures/questdb.ts'
import {
  emptyTable,
  query,
  questdbVersion,
  rowsOf,
  startQuestdb,
  untilThere,
  write,
  writeFileOf,
} from './fixtures/questdb.ts'
import { comparison } from './harness/bench.ts'
import type { Bench, Result } from './harness/bench.ts'
import { median } from './harness/compare-sides.ts'
import type { Environment } from './harness/environment.ts'
import { secondsToCopy } from './harness/psql-copy.ts'
import { runProgram } from './harness/run-program.ts'
import { secondsOf } from './harness/seconds-of.ts'
import { copyOut } from './harness/copy.ts'
import { copyRate, preparePusher, rateOf } from './push-measurements.ts'
import { addressOf, bareAggregate, otherSeries, rateOfHub, reads } from './timeseries-buckets.ts'
import type { Read } from './timeseries-buckets.ts'

const peer = `QuestDB ${questdbVersion}`

type Beside = {
  readonly name: string
  readonly title: string
  readonly unit: string
  /** Loads the same data into both sides, and checks that they return the same results. */
  readonly prepare: (environment: Environment, questdb: Questdb) => Promise<Sides>
}

/** The rates of all sides; `bare` is that of PostgreSQL alone. */
type Sides = Readonly<Record<'ours' | 'theirs' | 'bare', () => Promise<number>>>

/**
 * The same values written to the hub, QuestDB and PostgreSQL, and the same buckets read from them.
 */
export const timeseriesPeers: readonly Bench[] = [
  // QuestDB has the values of only one station type.
  ...reads
    .filter(({ type }) => type === undefined)
    .map((read) =>
      beside({
        name: read.name,
        title: `${read.title.replace(/ ÷.*/, '')} ÷ ${peer}, SAMPLE BY`,
        unit: 'answers/1,000 s',
        prepare: (environment, questdb) => prepareRead(read, environment, questdb),
      }),
    ),
  // Runs last because it empties the hub's tables.
  beside({
    name: 'ingest',
    title: `Pushed measurements until they can be read ÷ ${peer} by its line protocol`,
    unit: 'rows/s',
    prepare: prepareIngest,
  }),
]

function beside({ name, title, unit, prepare }: Beside): Bench {
  const bench = `timeseries-peers-${name}`
  return {
    name: bench,
    run: async (environment) => {
      const started = await startQuestdb(environment).catch((error: unknown) => String(error))
      if (typeof started === 'string') return leftOut(title, started)
      try {
        const sides = await prepare(environment, started)
        const { run } = comparison({
          ...{ name: bench, title, unit, prepare: () => Promise.resolve() },
          ...{ ours: sides.ours, limit: sides.theirs },
        })
        const result = await run(environment)
        const bare = median([await sides.bare(), await sides.bare(), await sides.bare()])
        const rate = Math.round(bare).toLocaleString('en')
        return { ...result, detail: `${result.detail}; PostgreSQL alone ${rate}` }
      } finally {
        await started.stop()
      }
    },
  }
}

/** Reports a bench as left out if Maven, Java or the package is missing. */
function leftOut(title: string, reason: string): Result {
  const [line = ''] = reason.split('\n')
  return { title, goal: 'none', median: 'left out', worst: '', holds: true, detail: line }
}

async function prepareIngest(environment: Environment, questdb: Questdb): Promise<Sides> {
  const pusher = await preparePusher(environment)
  const messages = measurementItems().map((items) =>
    items
      .map(([station, type, time, value]) => {
        const moment = String(Date.parse(time))
        return `pushed,series=${station}/${type} number=${String(value)} ${moment}`
      })
      .join('\n'),
  )
  const theirs = async () => {
    await emptyTable(questdb, 'pushed')
    const seconds = await secondsOf(async () => {
      for (const message of messages) await write(questdb, message)
      await untilThere(questdb, 'pushed', rows)
    })
    return rows / seconds
  }
  await rateOf(pusher)
  const copied = await copyOut(environment.postgresql, 'measurement')
  await theirs()
  await assertSameSum(environment, questdb)
  return { ours: () => rateOf(pusher), theirs, bare: () => copyRate(environment, copied) }
}

async function assertSameSum({ postgresql }: Environment, questdb: Questdb): Promise<void> {
  const sum = 'select sum(number), count(*) from'
  const psql = ['-X', '-A', '-t', '-F', ' ', '-c', `${sum} measurement`, postgresql.url]
  const hub = (await runProgram(postgresql.program('psql'), psql)).trim().split(' ').map(Number)
  const [theirs = []] = await rowsOf(questdb, `${sum} pushed`)
  assertNear('all pushed values', hub, theirs.map(Number))
}

const loaded = new WeakMap<Environment['postgresql'], Promise<void>>()

/**
 * Loads the hub's year of values into QuestDB, once for all benches: QuestDB keeps it while it is
 * stopped.
 */
function loadYear(environment: Environment, questdb: Questdb): Promise<void> {
  const { postgresql, log } = environment
  const load = async () => {
    const file = join(postgresql.folder, 'year.lines')
    const lines = `
      select concat('year,series=', s.code, ' number=', m.number, ' ',
        (extract(epoch from m.valid_time) * 1000)::bigint)
      from measurement m join series x on x.id = m.series_id join station s on s.id = x.station_id
      where s.type = '${stationType}' order by m.valid_time, s.code`
    const copy = `\\copy (${lines.replaceAll(/\s+/g, ' ').trim()}) to '${file}'`
    await runProgram(postgresql.program('psql'), ['-X', '-c', copy, postgresql.url])
    await emptyTable(questdb, 'year')
    const count = await writeFileOf(questdb, file)
    await untilThere(questdb, 'year', count)
    log(`a year of ${count.toLocaleString('en')} values is in QuestDB, too`)
  }
  const known = loaded.get(postgresql) ?? load()
  loaded.set(postgresql, known)
  return known
}

async function prepareRead(read: Read, environment: Environment, questdb: Questdb): Promise<Sides> {
  await loadFiveMinuteYear(environment)
  await loadYear(environment, questdb)
  await assertSameBuckets(read, { environment, questdb })
  const theirs = (one: Read) =>
    secondsOf(async () => {
      const { length } = await query(questdb, sampled(one))
      if (length < read.rows * 20) throw new Error(`Buckets of ${peer} are missing.`)
    })
  const bare = (one: Read) => secondsToCopy(environment.postgresql, bareAggregate(one))
  const others = otherSeries(read)
  return {
    ours: () => rateOfHub(environment, others()),
    theirs: async () => 1000 / (await theirs(others())),
    bare: async () => 1000 / (await bare(others())),
  }
}

function sampled({ bucket, station }: Read): string {
  const chosen = station === undefined ? '' : `and series = '${station}'`
  return `
    select ts, series, avg(number) from year
    where ts >= '${year.from}' and ts < '${year.to}' ${chosen}
    sample by ${bucket} align to calendar order by ts, series`
}

type Both = { readonly environment: Environment; readonly questdb: Questdb }

/** Checks that the hub, QuestDB and PostgreSQL return the same buckets in the same order. */
async function assertSameBuckets(read: Read, { environment, questdb }: Both): Promise<void> {
  const { postgresql } = environment
  const response = await fetch(addressOf(environment, read))
  const hub = Parse(flat, await response.json()).data.map((row) => row['avg(mvalue)'])
  const theirs = (await rowsOf(questdb, sampled(read))).map((row) => Number(row[2]))
  assertNear(`${read.name}, QuestDB`, hub, theirs)
  const bare = `select avg from (${bareAggregate(read)}) as one`
  const args = ['-X', '-A', '-t', '-c', 'set timezone = UTC', '-c', bare, postgresql.url]
  const printed = await runProgram(postgresql.program('psql'), args)
  assertNear(`${read.name}, PostgreSQL`, hub, printed.trim().split('\n').slice(1).map(Number))
}

const flat = Type.Object({ data: Type.Array(Type.Object({ 'avg(mvalue)': Type.Number() })) })

function assertNear(what: string, one: readonly number[], other: readonly number[]): void {
  const isNear = (value: number, place: number) =>
    Math.abs(value - (other[place] ?? Number.NaN)) <= 1e-9 * Math.max(1, Math.abs(value))
  if (one.length === other.length && one.every(isNear)) return
  const place = one.findIndex((value, index) => !isNear(value, index))
  throw new Error(
    `The two sides differ in ${what}: ${String(one.length)} and ${String(other.length)} rows, ` +
      `first ${String(one[place])} and ${String(other[place])}.`,
  )
}
