import { highestId, loadAccommodations, lowestId } from './fixtures/accommodations.ts'
import { tokensOf } from './fixtures/tokens.ts'
import { comparison } from './harness/bench.ts'
import { httpLoad } from './harness/http-load.ts'

const callers = 1_000

/** A single record by its id, with a token, compared with the same request without one. */
export const accessTokens = comparison({
  name: 'access-tokens',
  title: 'Single record with 1,000 tokens in turn ÷ without a token',
  goal: 0.9,
  unit: 'records/s',
  prepare: async (environment) => {
    await loadAccommodations(environment)
    const tokens = await tokensOf(environment, 'demo-basic', callers)
    const path = '/v1/Accommodation/'
    return { tokens, records: { url: environment.hub.url, path, low: lowestId, high: highestId } }
  },
  ours: ({ tokens, records }) => httpLoad({ ...records, tokens }),
  limit: ({ records }) => httpLoad(records),
})
