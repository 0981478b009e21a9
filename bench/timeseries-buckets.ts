import {
  dataType,
  hourlyStationType,
  loadFiveMinuteYear,
  loadHourlyYear,
  stationType,
  year,
} from './fixtures/five-minute-year.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { secondsToCopy } from './harness/psql-copy.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

/** A query of buckets that the hub, PostgreSQL and QuestDB run. */
export type Read = {
  readonly name: string
  readonly title: string
  readonly bucket: string
  /** The size of a bucket in PostgreSQL's notation. */
  readonly stride: string
  readonly rows: number
  readonly station: string | undefined
  /** Defaults to `stationType`. */
  readonly type?: string
}

const oneStation = 'year-050'

export const reads: readonly Read[] = [
  {
    name: 'one-by-hour',
    title: 'A year of one series in hours ÷ COPY of the same aggregate',
    ...{ bucket: '1h', stride: '1 hour', rows: 8760, station: oneStation },
  },
  {
    name: 'one-by-day',
    title: 'A year of one series in days ÷ COPY of the same aggregate',
    ...{ bucket: '1d', stride: '1 day', rows: 365, station: oneStation },
  },
  {
    name: 'hundred-by-hour',
    title: 'A year of 100 series in hours ÷ COPY of the same aggregate',
    ...{ bucket: '1h', stride: '1 hour', rows: 876_000, station: undefined },
  },
  {
    name: 'hundred-by-day',
    title: 'A year of 100 series in days ÷ COPY of the same aggregate',
    ...{ bucket: '1d', stride: '1 day', rows: 36_500, station: undefined },
  },
  {
    name: 'thousand-by-day',
    title: 'A year of 1,000 hourly series in days ÷ COPY of the same aggregate',
    ...{ bucket: '1d', stride: '1 day', rows: 365_000, station: undefined },
    type: hourlyStationType,
  },
]

const bytesOfRow = 90

/** Averages of a year of 5-minute values: whole responses, one after the other. */
export const timeseriesBuckets = reads.map((read) =>
  comparison({
    name: `timeseries-buckets-${read.name}`,
    title: read.title,
    // Corresponds to at most 1.2 times the duration.
    goal: 0.83,
    unit: 'answers/1,000 s',
    prepare: async (environment) => {
      await (read.type === undefined ? loadFiveMinuteYear : loadHourlyYear)(environment)
      return { environment, others: otherSeries(read) }
    },
    ours: ({ environment, others }) => rateOfHub(environment, others()),
    limit: async ({ environment: { postgresql }, others }) =>
      1000 / (await secondsToCopy(postgresql, bareAggregate(others()))),
  }),
)

/**
 * Returns a function that selects another series each time, because the hub would serve a repeated
 * request from its cache.
 */
export function otherSeries(read: Read): () => Read {
  let number = 0
  return () => {
    if (read.station === undefined) return read
    number = (number % 100) + 1
    return { ...read, station: `year-${String(number).padStart(3, '0')}` }
  }
}

/** Returns the number of responses in 1,000 s. */
export async function rateOfHub(environment: Environment, read: Read): Promise<number> {
  return 1000 / (await secondsToRead(addressOf(environment, read), read.rows * bytesOfRow))
}

export function addressOf(
  { hub }: Environment,
  { bucket, station, type = stationType }: Read,
): string {
  const where = station === undefined ? '' : `&where=scode.eq.%22${station}%22`
  const shown = 'select=scode,tname,mvalidtime&limit=-1'
  const path = `${type}/${dataType}/${year.from}/${year.to}`
  return `${hub.url}/v2/flat/${path}?bucket=${bucket}&${shown}${where}`
}

export function bareAggregate({ stride, station, type = stationType }: Read): string {
  const chosen = station === undefined ? '' : `and s.code = '${station}'`
  return `
    select s.code, t.name, date_bin('${stride}', m.valid_time, '2000-01-01Z') as bucket, avg(m.number)
    from measurement m join series x on x.id = m.series_id join station s on s.id = x.station_id
      join data_type t on t.id = x.data_type_id
    where s.available and s.type = '${type}' and t.name = '${dataType}' ${chosen}
      and m.valid_time >= '${year.from} 00:00Z' and m.valid_time < '${year.to} 00:00Z'
    group by s.id, s.code, t.name, x.id, bucket
    order by bucket, s.code, t.name`
}
