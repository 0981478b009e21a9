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

/** A page of 1,000 has 5 MB: some a second, and as many at once as the database gives at once. */
const large = { seconds: 8, connections: databaseConnections }

/** Lists of these many records, any of the first pages. */
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
