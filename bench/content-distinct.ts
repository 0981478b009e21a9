import { sql } from '../src/sql/index.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import { secondsOf } from './harness/seconds-of.ts'

const path = '/v1/Distinct?type=accommodation&fields=AccoDetail.de.City&getasarray=true'

/** The distinct values of a deeply nested field. Every record must be decompressed. */
export const contentDistinct = comparison({
  name: 'content-distinct',
  title: 'Distinct values of a field ÷ the bare select distinct',
  goal: 1 / 1.3,
  unit: 'records/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    return environment
  },
  ours: async ({ hub }) => records / (await secondsOf(() => fetch(`${hub.url}${path}`))),
  limit: async ({ store: { database } }) => {
    const distinct = sql`
      select distinct data #>> '{AccoDetail,de,City}' from content.accommodation where not closed`
    return records / (await secondsOf(() => database.texts(distinct)))
  },
})
