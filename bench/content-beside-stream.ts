import { loadAccommodations } from './fixtures/accommodations.ts'
import { everything, pagesOf } from './fixtures/accommodation-lists.ts'
import { startSlowReader } from './fixtures/slow-reader.ts'
import { comparison } from './harness/bench.ts'
import { httpLoad } from './harness/http-load.ts'

/** Lists while all records are streamed to a slow client, compared with the same lists alone. */
export const contentBesideStream = comparison({
  name: 'content-beside-stream',
  title: 'List of 10 beside a stream of all records, read at 1 MB/s ÷ alone',
  goal: 0.9,
  unit: 'pages/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    return { hub: environment.hub, pages: pagesOf(environment, { pageSize: 10, pages: 100 }) }
  },
  ours: async ({ hub, pages }) => {
    const reader = await startSlowReader(hub.url, everything)
    try {
      return await httpLoad(pages)
    } finally {
      reader.stop()
    }
  },
  limit: ({ pages }) => httpLoad(pages),
})
