import { everything } from './fixtures/accommodation-lists.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import type { Bench } from './harness/bench.ts'
import { ceiling, comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import { growthOf, sizesWhileReading } from './harness/resident-megabytes.ts'
import { secondsToRead } from './harness/seconds-to-read.ts'

const formats = [
  { name: 'arrow', title: 'Arrow', goal: 0.25 },
  { name: 'parquet', title: 'Parquet', goal: 0.15 },
]

const addressOf = (name: string) => everything.replace('ndjson', name)

/**
 * All records as columns, compared with the stream of their JSON, which is sent without parsing.
 */
const ratios: readonly Bench[] = formats.map(({ name, title, goal }) =>
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
      const address = `${hub.url}${addressOf(name)}`
      return records / (await secondsToRead(address, records * 100))
    },
    limit: async ({ hub }) => {
      return records / (await secondsToRead(`${hub.url}${everything}`, records * 1000))
    },
  }),
)

/** Memory of a hub while it writes tables, which must not depend on their length. */
const sizes: readonly Bench[] = formats.map(({ name, title }) =>
  ceiling({
    name: `content-tables-memory-${name}`,
    title: `Growth of resident memory during the second stream of all records as ${title}`,
    goal: 60,
    unit: 'MB',
    measure: async (environment) => {
      await loadAccommodations(environment)
      const reading = { path: addressOf(name), bytes: records * 100 }
      const { sizes, seconds } = await sizesWhileReading(environment, reading)
      const { growth, range } = growthOf(sizes)
      const rate = (records / seconds).toFixed(0)
      return { values: [growth], detail: `${range}; ${rate} records/s` }
    },
  }),
)

export const contentTables: readonly Bench[] = [...ratios, ...sizes]
