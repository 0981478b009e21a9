import { everything } from './fixtures/accommodation-lists.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

const formats = [
  { name: 'arrow', title: 'Arrow', goal: 0.25 },
  { name: 'parquet', title: 'Parquet', goal: 0.15 },
]

/** All records in columns, against the stream of their JSON, of which nothing is parsed. */
export const contentTables = formats.map(({ name, title, goal }) =>
  comparison({
    name: `content-tables-${name}`,
    title: `All records as a stream of ${title} ÷ the same as NDJSON`,
    goal,
    unit: 'records/s',
    prepare: async (environment) => {
      await loadAccommodations(environment)
      return environment
    },
    ours: async ({ hub }) => {
      const address = `${hub.url}${everything.replace('ndjson', name)}`
      return records / (await secondsToRead(address, records * 100))
    },
    limit: async ({ hub }) => {
      return records / (await secondsToRead(`${hub.url}${everything}`, records * 1000))
    },
  }),
)
