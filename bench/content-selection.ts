import { listComparison } from './fixtures/accommodation-lists.ts'
import type { Bench } from './harness/bench.ts'

const pages = { pageSize: 100, pages: 100 }

/** Lists that return only a part of each record. */
export const contentSelections: readonly Bench[] = [
  listComparison({
    ...pages,
    name: 'content-fields',
    title: 'List of 100 with three fields ÷ with whole records',
    goal: 1,
    asking: 'fields=Id,AccoDetail.de.Name,GpsInfo',
  }),
  listComparison({
    ...pages,
    name: 'content-language',
    title: 'List of 100 in one language ÷ in all',
    goal: 0.5,
    asking: 'language=de',
  }),
]
