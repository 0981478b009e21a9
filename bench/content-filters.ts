import { listComparison } from './fixtures/accommodation-lists.ts'
import { rare } from './fixtures/accommodations.ts'
import type { Bench } from './harness/bench.ts'
import { records } from './harness/conditions.ts'

/** Corresponds to at most three times the response time. */
const goal = 1 / 3

/**
 * Radius in metres that contains some 160 records, whatever their total number on the same area.
 */
const radius = 2000 * Math.sqrt(200_000 / records)

const tagged = encodeURIComponent(`in(TagIds.[*],"${rare}")`)

/** Filters that match some hundred records each; their longest list has ten pages. */
export const contentFilters: readonly Bench[] = [
  filtered('search', 'Text search', `searchfilter=${rare}`),
  filtered('tags', 'Tag filter', `tagfilter=${rare}`),
  filtered('radius', 'Radius', `latitude=46.6&longitude=11.4&radius=${radius.toFixed(0)}`),
  filtered('rawfilter', 'rawfilter on an indexed field', `rawfilter=${tagged}`),
]

function filtered(name: string, title: string, asking: string): Bench {
  return listComparison({
    name: `content-${name}`,
    title: `${title} with few matches, list of 10 ÷ the plain list`,
    goal,
    pageSize: 10,
    pages: 10,
    asking,
  })
}
