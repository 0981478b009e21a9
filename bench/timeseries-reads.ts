import {
  dataTypes,
  loadTimeseriesRegion,
  series,
  stationTypes,
} from './fixtures/timeseries-region.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { secondsToCopy } from './harness/psql-copy.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

type Read = {
  readonly name: string
  readonly title: string
  readonly goal: number
  /** Path and query, after `/v2`. */
  readonly path: string
  readonly bytes: number
  /** The other side: what psql runs, or the path of another request. */
  readonly against: { readonly query: string } | { readonly path: string }
}

const [one] = dataTypes
const { many, some } = stationTypes
const week = '2021-04-10/2021-04-17'
const days = '2021-04-10/2021-04-15'
const fourFields = 'select=scode,tname,mvalidtime,mvalue&limit=-1'

const joined = (values: string, condition: string) => `
  from ${values} m join series x on x.id = m.series_id join station s on s.id = x.station_id
    join data_type t on t.id = x.data_type_id
  where s.available and ${condition}`
const order = 'order by m.valid_time, s.code, t.name, x.period, x.kind, x.id'
const columns = 'select s.code, t.name, m.valid_time, m.number'
const between = (from: string, to: string) =>
  `m.valid_time >= '${from} 00:00Z' and m.valid_time < '${to} 00:00Z'`

/**
 * Returns a query that joins, removes duplicates, sorts and then cuts, with every column of the
 * response.
 */
const plain = (offset: number, condition: string) => `
  select * from (
    select distinct s.name as sname, s.type, s.code, s.origin, s.active, s.available, s.point,
      s.metadata, p.name as pname, p.type as ptype, p.code as pcode, p.origin as porigin,
      p.point as ppoint, p.metadata as pmetadata, t.name as tname, t.unit, t.rtype, t.description,
      t.metadata as tmetadata, m.valid_time, m.transaction_time, x.period, m.number, m.text, m.json,
      pr.name as prname, pr.version, pr.lineage
    from measurement m join series x on x.id = m.series_id join station s on s.id = x.station_id
      join data_type t on t.id = x.data_type_id left join station p on p.id = s.parent_id
      left join provenance pr on pr.id = m.provenance_id
    where s.available and ${between('2021-04-10', '2021-04-15')} and ${condition}) as whole
  order by valid_time limit 200 offset ${String(offset)}`

/**
 * 1,600 stations and five days. The share that is selected determines how many rows must be
 * skipped.
 */
const limited = [
  {
    what: 'one type',
    path: `${many}/${one}`,
    condition: `s.type = '${many}' and t.name = '${one}'`,
  },
  {
    what: 'two types',
    path: `${many},${some}/${one}`,
    condition: `s.type in ('${many}', '${some}') and t.name = '${one}'`,
  },
  { what: 'all data types', path: `${many}/*`, condition: `s.type = '${many}'` },
].flatMap(({ what, path, condition }) =>
  [0, 10_000].map((offset): Read => ({
    name: `timeseries-limit-${what.replaceAll(' ', '-')}-${String(offset)}`,
    title: `200 values of 1,600 stations and 5 days, ${what}, from ${offset.toLocaleString('en')} on ÷ join, distinct, sort, cut`,
    goal: 30,
    path: `flat/${path}/${days}?limit=200&offset=${String(offset)}`,
    bytes: 50_000,
    against: { query: plain(offset, condition) },
  })),
)

const reads: readonly Read[] = [
  {
    name: 'timeseries-latest',
    title: 'Latest values of all series ÷ COPY of the same join',
    goal: 0.5,
    path: `flat/*/*/latest?${fourFields}`,
    bytes: series * 100,
    against: { query: `${columns} ${joined('latest', 'not s.closed')} ${order}` },
  },
  {
    name: 'timeseries-series',
    title: 'One series over 30 days ÷ COPY of the same join',
    goal: 0.5,
    path: `flat/${many}/${one}/2021-04-01/2021-05-01?${fourFields}&where=scode.eq.%22station-0700%22`,
    bytes: 720 * 100,
    against: {
      query: `${columns} ${joined(
        'measurement',
        `s.type = '${many}' and s.code = 'station-0700' and t.name = '${one}' and ${between('2021-04-01', '2021-05-01')}`,
      )} ${order}`,
    },
  },
  ...limited,
  {
    name: 'timeseries-stream',
    title: 'A million values of four columns ÷ COPY of the same query',
    goal: 0.4,
    path: `flat/*/*/${week}?${fourFields}`,
    bytes: series * 168 * 100,
    against: {
      query: `${columns} ${joined('measurement', between('2021-04-10', '2021-04-17'))} ${order}`,
    },
  },
  {
    name: 'timeseries-tree',
    title: 'Tree of 192,000 values ÷ the same in flat',
    goal: 1 / 1.5,
    path: `tree/${many}/${one}/${days}?limit=-1`,
    bytes: 192_000 * 100,
    against: { path: `flat/${many}/${one}/${days}?limit=-1` },
  },
]

/**
 * The first responses of a hub show how its code is compiled. Short ones are measured only when
 * that is done.
 */
const warmUp = 20

/**
 * Requests of the time series service. Rates are responses per second: whole responses, one after
 * the other.
 */
export const timeseriesReads = reads.map((read) =>
  comparison({
    name: read.name,
    title: read.title,
    goal: read.goal,
    unit: 'answers/1,000 s',
    prepare: async (environment) => {
      await loadTimeseriesRegion(environment)
      const isShort = read.bytes < 1_000_000
      for (let round = 0; isShort && round < warmUp; round++) {
        await readOnce(environment, read.path, read.bytes)
      }
      return environment
    },
    ours: async (environment) => rateOf(await readOnce(environment, read.path, read.bytes)),
    limit: async (environment) => rateOf(await otherSide(environment, read)),
  }),
)

function otherSide(environment: Environment, { against, bytes }: Read): Promise<number> {
  return 'path' in against
    ? readOnce(environment, against.path, bytes)
    : secondsToCopy(environment.postgresql, against.query)
}

function readOnce({ hub }: Environment, path: string, bytes: number): Promise<number> {
  return secondsToRead(`${hub.url}/v2/${path}`, bytes)
}

const rateOf = (seconds: number) => 1000 / seconds
