import { sql } from '../src/sql/index.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import { secondsOf } from './harness/seconds-of.ts'

const counts = 5
let asked = 0

/** Returns a name that no earlier request used, so that its total is not cached. */
function newName(): string {
  asked += 1
  return `name ${String(asked)}`
}

/** A page of one record with a total that must be counted. */
export const contentTotal = comparison({
  name: 'content-total',
  title: 'List of 1 with a total not known yet ÷ the bare count in SQL',
  goal: 1 / 1.2,
  unit: 'records/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    return environment
  },
  ours: ({ hub }) =>
    rateOf(() => {
      const filter = encodeURIComponent(`ne(Shortname,"${newName()}")`)
      return fetch(`${hub.url}/v1/Accommodation?pagesize=1&rawfilter=${filter}`)
    }),
  limit: ({ store: { database } }) =>
    rateOf(() =>
      database.query(sql`
        select count(*) from content.accommodation
        where not closed and shortname <> ${newName()}`),
    ),
})

async function rateOf(count: () => Promise<unknown>): Promise<number> {
  let seconds = 0
  for (let number = 0; number < counts; number++) seconds += await secondsOf(count)
  return (records * counts) / seconds
}
