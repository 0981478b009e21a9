import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { jsonType } from '../http/index.ts'
import { fieldsOf, mapFields } from '../lang/json.ts'
import { referer } from '../lang/schemas.ts'
import {
  countedPath,
  countedRequestOf,
  counterKey,
  isCounted,
  planOf,
  plans,
  reasonOf,
  referrerOf,
  remainingOf,
  toSeconds,
  windowLength,
} from './count-requests.ts'
import type { CountedRequest, Counters, Plan } from './count-requests.ts'

type Deps = {
  /** Missing if quotas are disabled. */
  readonly counters?: Counters
}

const countOrAny = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

const limits = {
  policy: Type.String({ description: 'Kind of caller, as headers and refusals name it' }),
  requests: countOrAny('Requests allowed in a window; null: unlimited'),
  countedPer: Type.Array(Type.Enum(['user', 'referer', 'address', 'path']), {
    description: 'Requests that are the same in all of these count together',
  }),
  historyDays: countOrAny('Days of history that one request may cover; null: unlimited'),
}

const operation = {
  operationId: 'getQuota',
  summary: 'Your quotas, the reason for them, and what remains',
  description: 'This request is not counted. The response depends on the token and the Referer.',
  tags: ['Operation'],
  querystring: Type.Object({
    path: Type.Optional(
      Type.String({
        maxLength: 8000,
        examples: ['/v1/Accommodation'],
        pattern: countedPath,
        description:
          'Path whose count is requested, such as /v1/Accommodation: each path is counted separately. Without it, remaining is that of a path not requested yet',
      }),
    ),
    referer,
  }),
  response: {
    200: Type.Object({
      isEnforced: Type.Boolean({ description: 'false: the operator has switched quotas off' }),
      ...limits,
      reason: Type.String({ description: 'Why these limits' }),
      window: Type.Integer({ description: 'Length of a window in seconds' }),
      remaining: countOrAny('Requests left in this window; null: unlimited'),
      reset: Type.Integer({ description: 'Seconds until all are available again' }),
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

/** Reports to callers their quotas, the reason for them, and what remains. */
export const quotaRoutes =
  ({ counters }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    app.get('/quota', { schema: operation }, async (request, reply) => {
      const { path, referer } = request.query
      const asker = { ...countedRequestOf(request), parameter: referer, url: path ?? '' }
      const answer = await toAnswer(asker, path === undefined ? undefined : counters)
      const isEnforced = counters !== undefined
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify({ isEnforced, ...answer }))
    })
    return Promise.resolve()
  }

async function toAnswer(asker: CountedRequest, counters: Counters | undefined) {
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

type Document = Readonly<Record<string, unknown>>

const integer = { type: 'integer', minimum: 0, maximum: 2_147_483_647 }
const text = { type: 'string', maxLength: 200 }

/** OpenAPI descriptions of the headers of decision D63. */
const headers = {
  'RateLimit-Policy': {
    description:
      'Name of the kind of caller, requests (q) in a window, and its seconds (w); draft-ietf-httpapi-ratelimit-headers-10',
    schema: { ...text, examples: ['"Basic";q=50;w=1'] },
  },
  RateLimit: {
    description: 'What is left in this window (r), and seconds until it ends (t)',
    schema: { ...text, examples: ['"Basic";r=49;t=1'] },
  },
  'X-Rate-Limit-Policy': { description: 'Name of the kind of caller', schema: text },
  'X-Rate-Limit-Limit': { description: 'Requests in a window', schema: integer },
  'X-Rate-Limit-Remaining': { description: 'Requests left in this window', schema: integer },
  'X-Rate-Limit-Reset': { description: 'Seconds until this window ends', schema: integer },
} as const

const retryAfter = { 'Retry-After': { description: 'Seconds to wait', schema: integer } }

const refused = {
  description:
    'The quota of requests in a second is exhausted (then with Retry-After), or the range of history is too long',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message', 'hint', 'policy'],
        properties: {
          message: text,
          hint: { ...text, format: 'uri', description: 'Page that explains the quota' },
          policy: { ...text, description: 'Kind of caller; GET /quota returns details' },
          retryAfter: { ...integer, description: 'Seconds to wait' },
        },
      },
    },
  },
}

const responseName = 'QuotaExceeded'

const toReferences = (names: object) =>
  Object.fromEntries(
    Object.keys(names).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

/** Adds the response 429 and the quota headers to each counted path of an OpenAPI document. */
export function describeQuota(document: Document): Document {
  const components = fieldsOf(document['components'])
  const paths = Object.entries(fieldsOf(document['paths']))
  return {
    ...document,
    components: {
      ...components,
      headers: { ...fieldsOf(components['headers']), ...headers, ...retryAfter },
      responses: {
        ...fieldsOf(components['responses']),
        [responseName]: { ...refused, headers: toReferences({ ...headers, ...retryAfter }) },
      },
    },
    paths: Object.fromEntries(
      paths.map(([path, operations]) => [
        path,
        isCounted(path) ? mapFields(fieldsOf(operations), describeOperation) : operations,
      ]),
    ),
  }
}

function describeOperation(operation: unknown): unknown {
  const known = fieldsOf(operation)
  const { 429: _own, ...responses } = fieldsOf(known['responses'])
  const reported = mapFields(responses, (response) => {
    const one = fieldsOf(response)
    if ('$ref' in one) return one
    return { ...one, headers: { ...fieldsOf(one['headers']), ...toReferences(headers) } }
  })
  const exceeded = { $ref: `#/components/responses/${responseName}` }
  return { ...known, responses: { ...reported, 429: exceeded } }
}
