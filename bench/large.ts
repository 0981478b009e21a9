import { statfs } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { sql } from '../src/sql/index.ts'
import { keepRollups, storeMeasurements } from '../src/timeseries/index.ts'
import type { MeasurementsWrite } from '../src/timeseries/index.ts'
import { stopHub } from '../test/fixtures/hub-process.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { sharedReads, valueReads } from './fixtures/large-reads.ts'
import type { Read } from './fixtures/large-reads.ts'
import {
  dataType,
  loadRegion,
  monthsOf,
  series,
  stationTypes,
} from './fixtures/timeseries-region.ts'
import type { Region } from './fixtures/timeseries-region.ts'
import { compareSides, median, pairs } from './harness/compare-sides.ts'
import type { Environment } from './harness/environment.ts'
import { withEnvironment } from './harness/environment.ts'
import { largeValues } from './harness/options.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

const months = 24
const end = new Date(Date.UTC(2021, 4))
const start = new Date(Date.UTC(2019, 4))

/**
 * Minutes between two values of a series: the whole number that comes closest to the number of
 * values.
 */
const minutes = Math.max(
  1,
  Math.round((series * (end.getTime() - start.getTime())) / 60_000 / largeValues),
)
const large: Region = { start, end, period: minutes * 60 }
const small: Region = { ...large, start: new Date(Date.UTC(2021, 3)) }
const [smallRecords, largeRecords] = [20_000, 500_000]

/** Maximum ratio between the ingest rates of the fastest and the slowest month. */
const ingestGoal = 1.25

type Line = {
  readonly title: string
  readonly goal?: number | undefined
  /** The two compared figures, as they are displayed. */
  readonly sides: readonly [string, string]
  readonly ratio?: number
  readonly worst?: number
}

/**
 * Measures what grows with the amount of stored data and what does not, and returns a Markdown
 * table.
 */
export async function printLarge(
  log: Environment['log'],
): Promise<{ text: string; holds: boolean }> {
  await assertSpace()
  return withEnvironment(log, (few) =>
    withEnvironment(log, async (many) => {
      const both = [few, many] as const
      // The hubs' background work would take processor time from loading and measuring.
      for (const { hub } of both) await stopHub(hub)
      await load(few, small, smallRecords)
      const values = await load(many, large, largeRecords)
      const lines = await measure(few, many)
      return { text: toTable(lines, values), holds: lines.every(isHeld) }
    }),
  )
}

const bytesOfValue = 165
const bytesBeside = 10e9

/** @throws Error if the disk is too small for the values, or the folder is in memory */
async function assertSpace(): Promise<void> {
  const { bavail, bsize, type } = await statfs(tmpdir())
  const [free, required] = [bavail * bsize, bytesBeside + largeValues * bytesOfValue]
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(0)
  if (type === memoryFileSystem)
    throw new Error(`${tmpdir()} is in memory. Set TMPDIR to a folder on a disk.`)
  if (free < required)
    throw new Error(
      `${tmpdir()} has ${gigabytes(free)} GB free, and ${gigabytes(required)} GB are required. Set TMPDIR to another folder, or --values to fewer millions.`,
    )
}

/** TMPFS_MAGIC of statfs(2). */
const memoryFileSystem = 0x01021994

/** @returns the number of values */
async function load(environment: Environment, region: Region, records: number): Promise<number> {
  await loadAccommodations(environment, records)
  const values = await loadRegion(environment, region)
  const { database } = environment.store
  const [size] = await database.texts(sql`
    select pg_size_pretty(pg_database_size(current_database()))`)
  environment.log(`the database has ${size?.[0] ?? ''}`)
  return values
}

async function measure(few: Environment, many: Environment): Promise<readonly Line[]> {
  for (const environment of [few, many]) await fillRollups(environment)
  const [smallHub, largeHub] = [await few.startHub(), await many.startHub()]
  const sides = { small: smallHub.url, large: largeHub.url, log: many.log }
  try {
    const lines: Line[] = []
    const add = (line: Line) => {
      lines.push(line)
      many.log(toRow(line))
    }
    for (const read of valueReads(monthAt(0))) add(await readFromDisk(sides, read))
    for (const environment of [few, many]) await bringToMemory(environment)
    for (const read of sharedReads(monthAt(-1))) add(await compareSizes(sides, read))
    for (const [place, read] of valueReads(monthAt(-1)).entries())
      add(await compareMonths(sides, { last: read, first: valueReads(monthAt(0))[place] ?? read }))
    add(await compareIngest(many))
    return lines
  } finally {
    await Promise.all([stopHub(smallHub), stopHub(largeHub)])
  }
}

/** Returns one of all months, such as `2021-04`. */
function monthAt(place: number): string {
  return monthsOf(large).at(place)?.first.slice(0, 7) ?? ''
}

/** Fills the aggregates of the last month, which a hub creates after it has run for a while. */
async function fillRollups({ store: { database }, log }: Environment): Promise<void> {
  const write = (_details: object, message: string) => {
    log(message)
  }
  const isFilled = async () => {
    const found = await database.texts(sql`
      select from rollup_span where since <= ${small.start.toISOString()}::timestamptz`)
    return found.length > 0
  }
  const deps = { database, log: { info: write, warn: write, error: write }, now: () => new Date() }
  while (!(await isFilled())) await keepRollups(deps)
  await database.execute(sql`vacuum analyze rollup_hour, rollup_day`)
}

/**
 * Loads the compared data into memory on both sides: the records, and the first, the middle and the
 * last month.
 */
async function bringToMemory({ store: { database } }: Environment): Promise<void> {
  const tables = [monthAt(0), monthAt(months / 2), monthAt(-1)].map(
    (month) => `measurement_${month.replace('-', '_')}`,
  )
  await database.execute(sql`create extension if not exists pg_prewarm`)
  await database.execute(sql`
    with tables as (
      select oid, reltoastrelid from pg_class
      where relname = any(${tables}::text[]) or relnamespace = 'content'::regnamespace and relkind = 'r'
    ), parts as (
      select oid from tables union select reltoastrelid from tables where reltoastrelid <> 0
    )
    select sum(pg_prewarm(oid, 'read')) from (
      select oid from parts union select indexrelid from pg_index where indrelid in (select oid from parts)
    ) as relations`)
}

type Sides = { readonly small: string; readonly large: string; readonly log: Environment['log'] }

async function readFromDisk({ large: hub }: Sides, read: Read): Promise<Line> {
  const title = `${read.title}: first month, for the first time`
  return { title, sides: ['', milliseconds(await rateOf(hub, read)(beforeAll))] }
}

/**
 * Round numbers of the equality check and of the comparison of months, chosen so that no earlier
 * request is repeated.
 */
const [beforeAll, ofMonths] = [100, 20]

async function compareSizes({ small: few, large: many, log }: Sides, read: Read): Promise<Line> {
  await assertSame(`${few}${read.path(beforeAll)}`, `${many}${read.path(beforeAll)}`)
  const sides = { limit: rateOf(few, read), ours: rateOf(many, read) }
  return compareTimes({ ...read, title: `${read.title}: large ÷ small`, log }, sides)
}

type Months = { readonly first: Read; readonly last: Read }

function compareMonths({ large: hub, log }: Sides, { first, last }: Months): Promise<Line> {
  const later = (side: Side) => (round: number) => side(ofMonths + round)
  const sides = { limit: later(rateOf(hub, last)), ours: later(rateOf(hub, first)) }
  return compareTimes({ ...last, title: `${last.title}: first ÷ last month`, log }, sides)
}

type Side = (round: number) => Promise<number>

/** Returns responses per second for sequential requests, computed from their median duration. */
function rateOf(hub: string, { path, times }: Read): Side {
  return async (round) => {
    const seconds: number[] = []
    for (let time = 0; time < times; time++)
      seconds.push(await secondsToRead(`${hub}${path(round * times + time)}`, 1))
    return 1 / median(seconds)
  }
}

type Compared = Pick<Read, 'title' | 'goal'> & Pick<Environment, 'log'>

async function compareTimes({ title, goal, log }: Compared, sides: Record<'ours' | 'limit', Side>) {
  // Warm-up, so that both hubs have compiled their code.
  for (let round = 1; round < 3; round++) await sides.limit(round)
  const onPair = (pair: Record<'ours' | 'limit', number>) => {
    log(`${title}: ${milliseconds(pair.ours)}, ${milliseconds(pair.limit)}`)
  }
  const found = await compareSides({ ...sides, onPair })
  return {
    title,
    goal,
    sides: [milliseconds(found.limit), milliseconds(found.ours)],
    ratio: 1 / found.median,
    worst: 1 / found.minimum,
  } as const
}

/** @throws Error if the responses differ in length by more than ids and counts can explain */
async function assertSame(...addresses: readonly string[]): Promise<void> {
  const lengths: number[] = []
  for (const address of addresses) lengths.push((await (await fetch(address)).text()).length)
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  if (shortest < 0.95 * longest)
    throw new Error(`${addresses.join(' and ')} have ${lengths.join(' and ')} characters.`)
}

const [batches, codes, times] = [10, 1000, 10]

/**
 * Compares batches of 10,000 late values written to the first, the middle and the last month in
 * turn.
 */
async function compareIngest(environment: Environment): Promise<Line> {
  const targets = [0, months / 2, -1].map((place) => ({ month: monthAt(place), rates: [0] }))
  for (let round = 0; round <= pairs; round++) {
    for (const place of targets.keys()) {
      const target = targets[(place + round) % targets.length]
      const rate = await ingestRate(environment, target?.month ?? '', round)
      environment.log(`values into ${target?.month ?? ''}: ${thousands(rate)} rows/s`)
      if (round > 0) target?.rates.push(rate)
    }
  }
  const rates = targets.map(({ rates: [, ...counted] }) => counted)
  const ratios =
    rates[0]?.map((_rate, round) => spread(rates.map((each) => each[round] ?? 0))) ?? []
  const medians = rates.map(median)
  return {
    title: `Batches of 10,000 values into ${targets.map(({ month }) => month).join(', ')}: fastest ÷ slowest`,
    goal: ingestGoal,
    sides: [medians.map(thousands).join(', '), 'values/s'],
    ratio: spread(medians),
    worst: Math.max(...ratios),
  }
}

const spread = (rates: readonly number[]) => Math.max(...rates) / Math.min(...rates)

async function ingestRate(environment: Environment, month: string, round: number): Promise<number> {
  const { database } = environment.store
  const writes = Array.from({ length: batches }, (_, batch) => batchOf(month, round, batch))
  await database.execute(sql`checkpoint`)
  const started = performance.now()
  for (const write of writes) {
    const { stored } = await database.transaction((tx) => storeMeasurements(tx, write))
    if (stored !== write.items.length) throw new Error(`${String(stored)} values were stored.`)
  }
  return (1000 * batches * codes * times) / (performance.now() - started)
}

/**
 * Creates values between the existing ones, within two hours of a day that differs in each round.
 */
function batchOf(month: string, round: number, batch: number): MeasurementsWrite {
  const day = `${month}-${String(2 + round).padStart(2, '0')}T00:00:07Z`
  const timeOf = (time: number) => Date.parse(day) + (batch * times + time) * 720_000
  const items = Array.from({ length: codes * times }, (_, index) => {
    const code = `station-${String(1 + (index % codes)).padStart(4, '0')}`
    const time = new Date(timeOf(Math.floor(index / codes))).toISOString()
    return [code, dataType, time, index % 100] as const
  })
  const provenance = { name: 'bench', version: '1', lineage: 'bench' }
  const { period } = large
  return { stationType: stationTypes.many, period, provenance, items, received: new Date() }
}

const milliseconds = (rate: number) => `${(1000 / rate).toFixed(2)} ms`
const thousands = (rate: number) => Math.round(rate).toLocaleString('en')

const isHeld = ({ ratio = 0, goal = Infinity }: Line) => ratio <= goal

function toRow(line: Line): string {
  const { title, goal, sides, ratio, worst } = line
  const [first = '', second = ''] = [ratio, worst].map((each) => each?.toFixed(2) ?? '–')
  const verdict = isHeld(line) ? 'holds' : '**missed**'
  const held = goal === undefined ? ['none', '–'] : [`≤ ${goal.toFixed(2)}`, verdict]
  return `| ${[title, ...sides, first, second, ...held].join(' | ')} |`
}

function toTable(lines: readonly Line[], count: number): string {
  const head = [
    'What',
    'Small, or last month',
    'Large, or first month',
    'Ratio',
    'Worst',
    'Goal',
    'Verdict',
  ]
  const values = `${thousands(count)} values, one every ${String(minutes)} minutes`
  const average = loadavg().map((each) => each.toFixed(1))
  return [
    `${values}; load average at the end ${average.join(', ')}.\n`,
    `| ${head.join(' | ')} |`,
    `| ${head.map((_name, place) => (place === 0 ? '---' : '--:')).join(' | ')} |`,
    ...lines.map(toRow),
  ].join('\n')
}
