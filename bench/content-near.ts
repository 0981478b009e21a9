import { accommodation } from '../src/content/entities/accommodation.ts'
import { toNaming } from '../src/content/index.ts'
import { loadPage, loadTotal } from '../src/content/list/load-page.ts'
import { planList } from '../src/content/list/plan.ts'
import type { Sql } from '../src/sql/index.ts'
import { matchStations } from '../src/timeseries/index.ts'
import { loadAccommodations } from './fixtures/accommodations.ts'
import { anonymousCaller } from './fixtures/anonymous-caller.ts'
import { loadNearStations, nearDataType, nearType } from './fixtures/near-stations.ts'
import { comparison } from './harness/bench.ts'
import type { Bench } from './harness/bench.ts'
import { captureStatement } from './harness/capture-statement.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'
import { pgbench } from './harness/pgbench.ts'

/** Thresholds that the values of about every other station exceed. */
const values = { low: 45, high: 54 } as const
const near = `${nearType};within=600;where=tname.eq."${nearDataType}",mvalue.gt.`

/**
 * The ten records nearest to 500 stations, which are selected by comparing their values with a
 * number that changes.
 */
export const contentNear: readonly Bench[] = [
  nearBench({
    name: 'content-near',
    title: 'List of 10 near some 500 of 1,000 stations ÷ the same statement in pgbench',
    goal: 0.5,
    reach: 'close',
  }),
  nearBench({
    name: 'content-near-plain',
    title: 'List of 10 near some 500 of 1,000 stations ÷ join, distinct, sort, cut',
    goal: 1,
    reach: 'whole',
  }),
]

type Definition = {
  readonly name: string
  readonly title: string
  readonly goal: number
  /**
   * Which statement to compare with: the one that first searches close to the stations, or the one
   * over the whole distance.
   */
  readonly reach: 'close' | 'whole'
}

function nearBench({ name, title, goal, reach }: Definition): Bench {
  return comparison({
    name,
    title,
    goal,
    unit: 'pages/s',
    prepare: async (environment) => {
      await loadAccommodations(environment)
      await loadNearStations(environment)
      return { environment, statement: await statementOf(environment, reach) }
    },
    ours: ({ environment: { hub } }) => {
      const path = `/v1/Accommodation?near=${encodeURIComponent(near)}`
      return httpLoad({ url: hub.url, path, ...values })
    },
    limit: ({ environment, statement }) => {
      const expression = `random(${String(values.low)}, ${String(values.high)})`
      return pgbench(environment, { statement, drawn: { value: String(values.low), expression } })
    },
  })
}

async function statementOf(
  { store: { database } }: Environment,
  reach: Definition['reach'],
): Promise<Sql> {
  const page = { pagesize: 10, pagenumber: 1, removenullvalues: false, getasidarray: false }
  const planning = { ...anonymousCaller, database, stations: matchStations('strict') }
  const query = { ...page, near: `${near}${String(values.low)}` }
  const plan = await planList(accommodation(toNaming('Hub')), query, planning)
  const { count } = await loadTotal(database, plan)
  return captureStatement((captured) => loadPage(captured, plan, reach === 'close' ? count : 1))
}
