import { loadAccommodations } from './fixtures/accommodations.ts'
import { pagesOf } from './fixtures/accommodation-lists.ts'
import { comparison } from './harness/bench.ts'
import { httpLoad } from './harness/http-load.ts'

/** A list that the client has cached, compared with the same list without a cached copy. */
export const contentEtag = comparison({
  name: 'content-etag',
  title: 'List of 100 that the caller has (304) ÷ that it has not',
  goal: 5,
  unit: 'answers/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    const page = pagesOf(environment, { pageSize: 100, pages: 1 })
    const { headers } = await fetch(`${page.url}${page.path}1`)
    return { page, etag: headers.get('etag') ?? '' }
  },
  ours: ({ page, etag }) => httpLoad({ ...page, etag }),
  limit: ({ page }) => httpLoad(page),
})
