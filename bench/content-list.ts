import { loadAccommodations } from './fixtures/accommodations.ts'
import { pagesOf, pageStatement } from './fixtures/accommodation-lists.ts'
import { comparison } from './harness/bench.ts'
import type { Bench } from './harness/bench.ts'
import { databaseConnections } from './harness/conditions.ts'
import { httpLoad } from './harness/http-load.ts'
import type { Requests } from './harness/load.ts'
import { pgbench } from './harness/pgbench.ts'

type Size = {
  readonly pageSize: number
  readonly pages: number
  readonly goal: number
  readonly load?: Pick<Requests, 'seconds' | 'connections'>
}

/**
 * Load for pages of 1,000 records, which have 5 MB. Only a few are served per second, and no more
 * in parallel than there are database connections.
 */
const large = { seconds: 8, connections: databaseConnections }

/** Lists of several page sizes, each drawn from the first pages. */
export const contentLists: readonly Bench[] = [
  contentList({ pageSize: 10, pages: 100, goal: 0.4 }),
  contentList({ pageSize: 100, pages: 100, goal: 0.6 }),
  contentList({ pageSize: 1000, pages: 20, goal: 0.6, load: large }),
]

function contentList({ pageSize, pages, goal, load = {} }: Size): Bench {
  return comparison({
    name: `content-list-${String(pageSize)}`,
    title: `List of ${pageSize.toLocaleString('en')} records ÷ the same statement in pgbench`,
    goal,
    unit: 'pages/s',
    prepare: async (environment) => {
      await loadAccommodations(environment)
      const statement = await pageStatement(environment, { pageSize, pageNumber: pages })
      return { environment, statement }
    },
    ours: ({ environment }) => httpLoad({ ...pagesOf(environment, { pageSize, pages }), ...load }),
    limit: ({ environment, statement }) => {
      const offsets = `random(0, ${String(pages - 1)}) * ${String(pageSize)}`
      const drawn = { value: (pages - 1) * pageSize, expression: offsets }
      return pgbench(environment, { statement, drawn, ...load })
    },
  })
}
