import { loadAccommodations } from './fixtures/accommodations.ts'
import { pagesOf } from './fixtures/accommodation-lists.ts'
import { comparison } from './harness/bench.ts'
import { records } from './harness/conditions.ts'
import { httpLoad } from './harness/http-load.ts'

const pageSize = 10
/** Page number of the middle of the list. */
const farPage = records / 2 / pageSize

/** A page in the middle of the list by its cursor, compared with the first page. */
export const contentCursor = comparison({
  name: 'content-cursor',
  title: `Page ${farPage.toLocaleString('en')} of 10 records by its cursor ÷ page 1`,
  goal: 1 / 1.2,
  unit: 'pages/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    const before = `/v1/Accommodation?pagesize=${String(pageSize)}&pagenumber=${String(farPage - 1)}`
    const { headers } = await fetch(`${environment.hub.url}${before}`)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    const cursor = new URL(next).searchParams.get('cursor') ?? ''
    return { environment, asking: `cursor=${cursor}` }
  },
  ours: ({ environment, asking }) => {
    const pages = pagesOf(environment, { pageSize, pages: 1, asking })
    // The number that the load generator varies is the page size here, because a cursor replaces
    // the page number.
    return httpLoad({
      ...pages,
      path: '/v1/Accommodation?pagesize=',
      low: pageSize,
      high: pageSize,
    })
  },
  limit: ({ environment }) => httpLoad(pagesOf(environment, { pageSize, pages: 1 })),
})
