import type { FastifyInstance } from 'fastify'
import { readJsonBodies } from './search-body.ts'

const nothing = {
  TotalResults: 0,
  TotalPages: 0,
  CurrentPage: 1,
  PreviousPage: null,
  NextPage: null,
  Seed: null,
  Items: [],
}

/**
 * What publishers answered to records that were sent to them. The hub sends none, so it has no answers;
 * clients of the public system ask for them and give up without an envelope (decision D36a).
 */
export function answerPushResponses(app: FastifyInstance): Promise<void> {
  readJsonBodies(app)
  app.post('/v1/PushResponseSearch', { schema: { hide: true } }, () => nothing)
  return Promise.resolve()
}
