import { accommodation } from '../src/content/entities/accommodation.ts'
import { toNaming } from '../src/content/index.ts'
import { loadPage } from '../src/content/list/load-page.ts'
import { planList } from '../src/content/list/plan.ts'
import { anonymousCaller } from './fixtures/anonymous-caller.ts'
import { comparison } from './harness/bench.ts'
import { captureStatement } from './harness/capture-statement.ts'
import { httpLoad } from './harness/http-load.ts'
import { pgbench } from './harness/pgbench.ts'

const pageSize = 10
const pages = 100

/** A list of ten records, any of the first hundred pages. */
export const contentList = comparison({
  name: 'content-list',
  title: 'List of 10 records ÷ the same statement in pgbench',
  goal: 0.35,
  unit: 'pages/s',
  prepare: async (environment) => {
    const query = {
      pagesize: pageSize,
      pagenumber: pages,
      removenullvalues: false,
      getasidarray: false,
    }
    const { database } = environment.store
    const planning = { ...anonymousCaller, database }
    const plan = await planList(accommodation(toNaming('Hub')), query, planning)
    const statement = await captureStatement((database) => loadPage(database, plan))
    return { environment, statement }
  },
  ours: ({ environment }) =>
    httpLoad({
      url: environment.hub.url,
      path: `/v1/Accommodation?pagesize=${String(pageSize)}&pagenumber=`,
      low: 1,
      high: pages,
    }),
  limit: ({ environment, statement }) => {
    const offsets = `random(0, ${String(pages - 1)}) * ${String(pageSize)}`
    const drawn = { value: (pages - 1) * pageSize, expression: offsets }
    return pgbench(environment, { statement, drawn })
  },
})
