import { setTimeout as pause } from 'node:timers/promises'
import { hashSecret } from '../src/identity/index.ts'
import { sql } from '../src/sql/index.ts'
import { loadStations, measurementMessages, stationType } from './fixtures/measurements.ts'
import { storeObjects } from './fixtures/store-objects.ts'
import { tokensOf } from './fixtures/tokens.ts'
import { comparison } from './harness/bench.ts'
import type { Environment } from './harness/environment.ts'
import { httpLoad } from './harness/http-load.ts'

const rules = 1_000
/**
 * Milliseconds to wait after a change of rules. Longer than the hub's interval for checking them.
 */
const settled = 4_000

/**
 * Latest values of a data type for a caller with 1,000 access rules, compared with a caller who has
 * none.
 */
export const accessRules = comparison({
  name: 'access-rules',
  title: 'Latest values under 1,000 access rules ÷ under none',
  goal: 0.9,
  unit: 'reads/s',
  prepare: async (environment) => {
    await loadStations(environment.store)
    const [message] = measurementMessages()
    if (message !== undefined) await storeObjects(environment.store, [JSON.parse(String(message))])
    await storeCallers(environment)
    await pause(settled)
    const { hub } = environment
    const reads = { url: hub.url, path: `/v2/flat/${stationType}/quantity-`, low: 0, high: 3 }
    const many = await tokensOf(environment, 'many-rules', 1)
    const none = await tokensOf(environment, 'no-rules', 1)
    return { reads, many, none }
  },
  ours: ({ reads, many }) => httpLoad({ ...reads, suffix, tokens: many }),
  limit: ({ reads, none }) => httpLoad({ ...reads, suffix, tokens: none }),
})

const suffix = '/latest?limit=20'

/**
 * Creates the two callers. None of the rules matches the data, so that each must be checked; half
 * of the stations are closed.
 */
async function storeCallers({ store: { database } }: Environment): Promise<void> {
  await database.execute(sql`
    update station set closed = right(code, 1) in ('1', '3', '5', '7', '9')
    where type = ${stationType}`)
  for (const [client, roles] of [
    ['many-rules', ['BDP_BENCH']],
    ['no-rules', []],
  ] as const) {
    await database.execute(sql`
      insert into identity_client (client_id, secret_hash, roles)
      values (${client}, ${await hashSecret(client)}, ${roles})
      on conflict do nothing`)
  }
  await database.execute(sql`
    insert into access_rule (role, area, origin, type, data_type)
    select 'BENCH', 'timeseries', 'origin ' || rule, ${stationType}, 'quantity-' || rule % 4
    from generate_series(1, ${rules}::integer) as rule
    on conflict do nothing`)
}
