import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { jsonType } from '../http/index.ts'
import { counterKey } from './counter-key.ts'
import type { Asker } from './counter-key.ts'
import { askerOf } from './count-requests.ts'
import { windowLength } from './counters.ts'
import type { Counters } from './counters.ts'
import { planOf, reasonOf, referrerOf } from './plan-of.ts'
import { plans } from './plans.ts'
import type { Plan } from './plans.ts'
import { remainingOf, toSeconds } from './tell-quota.ts'

type Deps = {
  /** Absent where quotas are switched off. */
  readonly counters?: Counters
}

const countOrAny = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

const limits = {
  policy: Type.String({ description: 'Kind of caller, as headers and refusals name it' }),
  requests: countOrAny('Requests in a window that count together; null: any number'),
  countedPer: Type.Array(Type.Enum(['user', 'referer', 'address', 'path']), {
    description: 'Requests that are alike in all of these count together',
  }),
  historyDays: countOrAny('Days of history that one request may ask for; null: any number'),
}

/** `GET /quota` */
const operation = {
  operationId: 'getQuota',
  summary: 'Which quotas you have, why, and what is left of them',
  description: 'This request is not counted itself. A token, and a Referer, change the answer.',
  tags: ['Operation'],
  querystring: Type.Object({
    path: Type.Optional(
      Type.String({
        maxLength: 8000,
        examples: ['/v1/Accommodation'],
        pattern: '^/(v[12]|catalogue)([/?]|$)',
        description:
          'Address whose count is asked for, such as /v1/Accommodation: each path has a count of its own. Without it, remaining is that of a path not asked for yet',
      }),
    ),
    referer: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Address of the calling application' }),
    ),
  }),
  response: {
    200: Type.Object({
      isEnforced: Type.Boolean({ description: 'false: the operator has switched quotas off' }),
      ...limits,
      reason: Type.String({ description: 'Why these limits' }),
      window: Type.Integer({ description: 'Length of a window in seconds' }),
      remaining: countOrAny('Requests that are left in this window; null: any number'),
      reset: Type.Integer({ description: 'Seconds until all are left again' }),
      caller: Type.Object({
        address: Type.String(),
        referer: Type.Union([Type.String(), Type.Null()]),
        user: Type.Union([Type.String(), Type.Null()], { description: 'Subject of the token' }),
      }),
      policies: Type.Array(Type.Object(limits), { description: 'The limits of all kinds' }),
    }),
    400: Type.Ref('ProblemDetails'),
  },
}

/** Tells callers what they may do, and why. */
export const quotaRoutes =
  ({ counters }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/quota', { schema: operation }, async (request, reply) => {
      const { path, referer } = request.query
      const asker = { ...askerOf(request), parameter: referer, url: path ?? '' }
      const answer = await toAnswer(asker, path === undefined ? undefined : counters)
      const isEnforced = counters !== undefined
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify({ isEnforced, ...answer }))
    })
    return Promise.resolve()
  }

async function toAnswer(asker: Asker, counters: Counters | undefined) {
  const plan = planOf(asker)
  const limit = plan.requests
  const count = limit === undefined ? undefined : await counters?.look(counterKey(plan, asker))
  const { used, left } = count ?? { used: 0, left: 0 }
  const { principal, address } = asker
  return {
    ...toLimits(plan),
    reason: reasonOf(asker),
    window: windowLength,
    remaining: limit === undefined ? null : remainingOf(limit, used),
    reset: Number(toSeconds(left)),
    caller: {
      address,
      referer: referrerOf(asker) ?? null,
      user: principal.kind === 'verified' ? principal.subject : null,
    },
    policies: Object.values(plans).map(toLimits),
  }
}

function toLimits({ name, requests, countedPer, historyDays }: Plan) {
  const known = { policy: name, countedPer }
  return { ...known, requests: requests ?? null, historyDays: historyDays ?? null }
}
