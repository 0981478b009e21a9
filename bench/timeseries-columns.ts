import { loadTimeseriesRegion, series } from './fixtures/timeseries-region.ts'
import { comparison } from './harness/bench.ts'
import { secondsToCopy } from './harness/psql-copy.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

const path = '/v2/flat/*/*/2021-04-10/2021-04-17?limit=-1&select=scode,tname,mvalidtime,mvalue'
const rows = series * 168

/** The same values, joined and in the same order. */
const query = `
  select s.code, t.name, m.valid_time, m.number
  from measurement m join series x on x.id = m.series_id join station s on s.id = x.station_id
    join data_type t on t.id = x.data_type_id
  where s.available and m.valid_time >= '2021-04-10 00:00Z' and m.valid_time < '2021-04-17 00:00Z'
  order by m.valid_time, s.code, t.name, x.period, x.kind, x.id`

const formats = [
  // Two times, a number, and references to two texts that are written once.
  { name: 'arrow', title: 'Arrow', goal: 0.5, bytesOfRow: 32 },
  { name: 'parquet', title: 'Parquet', goal: 0.25, bytesOfRow: 1 },
]

/**
 * A million values as columns in a whole response, compared with the binary copy of the same rows.
 */
export const timeseriesColumns = formats.map(({ name, title, goal, bytesOfRow }) =>
  comparison({
    name: `timeseries-columns-${name}`,
    title: `A million values of four columns as ${title} ÷ COPY … BINARY of the same query`,
    goal,
    unit: 'answers/1,000 s',
    prepare: async (environment) => {
      await loadTimeseriesRegion(environment)
      return environment
    },
    ours: async ({ hub }) => {
      const address = `${hub.url}${path}&format=${name}`
      return 1000 / (await secondsToRead(address, rows * bytesOfRow))
    },
    limit: async ({ postgresql }) => 1000 / (await secondsToCopy(postgresql, query, 'binary')),
  }),
)
