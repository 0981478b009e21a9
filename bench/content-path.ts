import { sql } from '../src/sql/index.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import { secondsOf } from './harness/seconds-of.ts'

const nowhere = 'no such place'
const path = `/v1/Accommodation?rawfilter=${encodeURIComponent(`eq(GastronomyId,"${nowhere}")`)}`

/** A rawfilter on a field without an index: every record must be inspected. */
export const contentPath = comparison({
  name: 'content-path',
  title: 'rawfilter on any other field ÷ the bare scan in SQL',
  goal: 1 / 1.3,
  unit: 'records/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    return environment
  },
  ours: async ({ hub }) => records / (await secondsOf(() => fetch(`${hub.url}${path}`))),
  limit: async ({ store: { database } }) => {
    const scan = sql`
      select count(*) from content.accommodation
      where not closed and data #>> '{GastronomyId}' = ${nowhere}`
    return records / (await secondsOf(() => database.query(scan)))
  },
})
