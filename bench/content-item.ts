import { accommodation } from '../src/content/entities/accommodation.ts'
import { fallback } from '../src/content/formats/index.ts'
import { toNaming } from '../src/content/index.ts'
import { getEntity, readyPlan } from '../src/content/item.ts'
import { highestId, loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { anonymousCaller } from './fixtures/anonymous-caller.ts'
import { comparison } from './harness/bench.ts'
import { captureStatement } from './harness/capture-statement.ts'
import { httpLoad } from './harness/http-load.ts'
import { pgbench } from './harness/pgbench.ts'

/** A single record by its id, drawn from all records. */
export const contentItem = comparison({
  name: 'content-item',
  title: 'Single record ÷ the same statement in pgbench',
  goal: 0.35,
  unit: 'records/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    const entity = accommodation(toNaming('Hub'))
    const representation = { fields: [], selectedBy: 'hub', removeNullValues: false } as const
    const query = { bom: false, removenullvalues: false }
    const plan = readyPlan({ entity, choice: fallback, query, representation }, anonymousCaller)
    const statement = await captureStatement((database) =>
      getEntity({ database, publicUrl: environment.hub.url }, plan, String(lowestId)),
    )
    return { environment, statement }
  },
  ours: ({ environment }) =>
    httpLoad({
      url: environment.hub.url,
      path: '/v1/Accommodation/',
      low: lowestId,
      high: highestId,
    }),
  limit: ({ environment, statement }) => {
    const ids = `random(${String(lowestId)}, ${String(highestId)})`
    return pgbench(environment, { statement, drawn: { value: String(lowestId), expression: ids } })
  },
})
