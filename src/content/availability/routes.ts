import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { AppError } from '../../errors/index.ts'
import {
  assertNoneIgnored,
  jsonType,
  readJsonBodies,
  reportIgnored,
  setCaching,
} from '../../http/index.ts'
import type { Exchange } from '../../http/index.ts'
import { problem } from '../../lang/schemas.ts'
import type { Queryable } from '../../storage/index.ts'
import type { Entity, Profile } from '../entity.ts'
import { toItems } from '../filters/values.ts'
import { idleOfferParameters } from '../list/idle-parameters.ts'
import { loadEverything } from '../list/open-stream.ts'
import { narrowPlan } from '../list/load-page.ts'
import { planList } from '../list/plan.ts'
import type { ListPlan, Planning } from '../list/plan.ts'
import { listOperation } from '../schemas.ts'
import type { AnswerList } from '../search-route.ts'
import { channels } from './request.ts'

type Deps = {
  readonly database: Queryable
  readonly profile: Profile
  readonly list: AnswerList
  readonly planningOf: (request: FastifyRequest) => Planning
}

type Query = Static<ReturnType<typeof checkOperation>['querystring']>
/**
 * Routes that check the availability of accommodations that a body names (reference content.md
 * 8.2). They return the accommodations with their offers, or the offers alone.
 */
export const availabilityRoutes =
  (entity: Entity, deps: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app, { empty: null })
    const { profile, planningOf } = deps
    const available = {
      name: 'AccommodationAvailable',
      summary: 'Free accommodations among the requested ones',
    } as const
    const check = {
      name: 'AvailabilityCheck',
      summary: 'Offers of the requested accommodations for a stay',
    } as const
    app.post(
      `/v1/${available.name}`,
      { schema: checkOperation(entity, { profile, ...available }) },
      async (request, reply) => {
        const query = readCheck({ request, reply }, planningOf(request))
        const wantsOffers = 'availabilityonly' in query && query.availabilityonly === true
        return wantsOffers
          ? sendOffers(entity, deps, { request, reply, query })
          : deps.list({ request, reply }, query, request.url)
      },
    )
    app.post(
      `/v1/${check.name}`,
      { schema: checkOperation(entity, { profile, ...check }) },
      async (request, reply) =>
        sendOffers(entity, deps, {
          ...{ request, reply },
          query: readCheck({ request, reply }, planningOf(request)),
        }),
    )
    return Promise.resolve()
  }

type CheckExchange = {
  readonly request: FastifyRequest<{ Querystring: Query }>
  readonly reply: FastifyReply
}

/**
 * Returns the query of a check: identifiers in the body replace `idfilter`, and `availabilitycheck`
 * is always true.
 * @throws AppError HUB-BDY-001; under strict handling also HUB-QRY-003 for parameters that are
 *   replaced
 */
function readCheck({ request, reply }: CheckExchange, { isStrict }: Planning): Query {
  const { query } = request
  const ids = readIds(request.body)
  const replaced = [
    ...(ids !== undefined && 'idfilter' in query ? ['idfilter'] : []),
    ...('availabilitycheck' in query && query.availabilitycheck === false
      ? ['availabilitycheck']
      : []),
  ]
  if (isStrict) assertNoneIgnored(replaced, 'where the body names what to check')
  reportIgnored(reply, replaced)
  const named = ids === undefined ? {} : { idfilter: ids }
  return Object.assign({}, query, named, { availabilitycheck: true })
}

async function sendOffers(
  entity: Entity,
  { database, planningOf }: Deps,
  { request, reply, query }: Exchange & { readonly query: Query },
): Promise<FastifyReply> {
  const planning = planningOf(request)
  const plan = await narrowPlan(await planList(entity, query, planning))
  reportIgnored(reply, idleOfferParameters(plan, query, planning))
  const { chunks } = await loadEverything(database, plan)
  setCaching(reply, request.principal)
  const body = Readable.from(offersOf(plan, chunks), { objectMode: false, encoding: 'utf8' })
  return reply.type(jsonType).send(body)
}

/** Yields the list envelope of the public system, with offers as its items. */
function* offersOf(plan: ListPlan, chunks: readonly string[]): Iterable<string> {
  const requested = plan.envelope['AccommodationsRequested']
  const head = {
    TotalResults: requested,
    TotalPages: requested === 0 ? 0 : 1,
    CurrentPage: 1,
    ...plan.envelope,
    Seed: null,
  }
  yield `${JSON.stringify(head).slice(0, -1)},"Items":[`
  let separator = ''
  for (const chunk of chunks) {
    for (const id of idsIn(chunk)) {
      const offers = plan.added.map(({ textOf }) => textOf(id).slice(1, -1)).join(',')
      yield `${separator}${offers}`
      separator = ','
    }
  }
  yield ']}'
}

function idsIn(chunk: string): readonly string[] {
  const ids: unknown = JSON.parse(chunk)
  return Array.isArray(ids) ? ids.map(String) : []
}

const maxIds = 1000

/**
 * Parses the accommodations that a body names: a JSON string of comma-separated identifiers, or an
 * array of them. Returns undefined for a missing body, null and an empty string (reference
 * content.md 8.2).
 * @throws AppError HUB-BDY-001 for anything else, and for more than a thousand identifiers
 */
function readIds(body: unknown): readonly string[] | undefined {
  if (body === undefined || body === null || body === '') return undefined
  const written: readonly unknown[] = typeof body === 'string' ? body.split(',') : [body].flat()
  const ids = toItems(written.map(assertText))
  // A caller that passes on the identifiers it found does not mean all accommodations if it found
  // none.
  if (ids.length === 0) throw namesNone('contains no identifiers')
  if (ids.length <= maxIds) return ids
  throw new AppError('HUB-BDY-001', `The body names ${String(ids.length)} accommodations.`, {
    issues: [{ pointer: '', detail: 'is too long', expected: [`${String(maxIds)} identifiers`] }],
    hint: 'Split them over several requests, or send no identifiers and filter.',
  })
}

function assertText(id: unknown): string {
  if (typeof id === 'string' && !id.includes('\0')) return id
  throw namesNone('is neither a text nor an array of texts')
}

function namesNone(detail: string): AppError {
  return new AppError('HUB-BDY-001', 'The body names no accommodations.', {
    issues: [{ pointer: '', detail, expected: ['"<id>,<id>"', '["<id>", "<id>"]', 'nothing'] }],
  })
}

/** Parameters that checks with a body accept in addition to those of the list. */
const further = {
  availabilityonly: Type.Boolean({
    default: false,
    description: 'Only the offers, not the accommodations',
  }),
  removeduplicatesfrom: Type.Optional(
    Type.Enum([...channels], {
      description:
        'Leave out offers of this channel for accommodations that have an offer of another channel',
    }),
  ),
  usemsscache: Type.Boolean({ default: false, description: 'No effect: nothing is cached' }),
  uselcscache: Type.Boolean({ default: true, description: 'No effect: nothing is cached' }),
}

type Described = {
  readonly profile: Profile
  readonly name: 'AccommodationAvailable' | 'AvailabilityCheck'
  readonly summary: string
}

type OperationQuery = ReturnType<typeof listOperation>['querystring']

/**
 * Adds the further parameters to the query schema of a list. The static type remains that of the
 * list; the further parameters are read by name.
 */
function queryOf({ querystring }: ReturnType<typeof listOperation>): OperationQuery {
  const properties = { ...querystring.properties, ...further }
  return Object.assign({}, querystring, Type.Object(properties))
}

const ids = Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()], {
  description: 'Identifiers, comma-separated or as an array; default: all that match the filters',
  examples: [['example-1']],
})

/** Describes an operation that checks the accommodations in the body (reference content.md 8.2). */
function checkOperation(entity: Entity, { profile, name, summary }: Described) {
  const list = listOperation(entity, profile)
  return {
    operationId: `post${name}`,
    summary,
    description:
      'The parameters are those of the list and specify the stay; the body contains the identifiers of the accommodations. Availability is closed data: it requires a token with a role for it.',
    security: [{ bearer: [] }],
    tags: ['Content'],
    querystring: queryOf(list),
    body: ids,
    response: { ...list.response, 401: problem, 403: problem, 413: problem, 415: problem },
  }
}
