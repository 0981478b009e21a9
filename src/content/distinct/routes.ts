import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  chooseFormat,
  contentTypeOf,
  isUnchanged,
  reasonFor,
  setCaching,
  tellWithheld,
  weakEtag,
} from '../../http/index.ts'
import type { Offer } from '../../http/index.ts'
import { datasetVersion } from '../../storage/index.ts'
import { makerOf } from '../datasets/index.ts'
import { tellUses } from '../deprecations/index.ts'
import { entityOfType } from '../entity-types.ts'
import type { Caller } from '../list/plan.ts'
import { toEnvelope } from '../page-envelope.ts'
import { queryOf, tellPageSize } from '../page-parameters.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf } from '../reading.ts'
import { withheldFields, withheldRecords } from '../withheld.ts'
import { loadBlock } from './load-values.ts'
import { distinctFilters, distinctOperation } from './operation.ts'
import type { DistinctQuery } from './operation.ts'
import { planDistinct } from './plan.ts'
import type { DistinctPlan } from './plan.ts'
import { csvWriter, jsonWriter, writeValues } from './write-values.ts'
import type { Frame } from './write-values.ts'

const json: Offer = { name: 'json', mediaTypes: ['application/json'] }
const csv: Offer = { name: 'csv', mediaTypes: ['text/csv'] }

/** `GET /v1/Distinct`: the distinct values of fields of an entity (interface 4.7). */
export const distinctRoutes =
  (deps: ReadDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const schema = distinctOperation(deps.entities, deps.profile ?? 'strict')
    const makers = new Map(deps.entities.map((entity) => [entity, makerOf(entity, deps)]))
    app.get('/v1/Distinct', { schema }, async (request, reply) => {
      const caller = callerOf(request, deps.visibilityOf)
      const entity = entityOfType(deps.entities, request.query.type)
      const choice = choose(request, request.query, caller)
      const make = makers.get(entity) ?? makerOf(entity, deps)
      const { query, principal } = request
      const plan = await planDistinct(deps, { entity, query, principal, caller, make })
      setCaching(reply, principal)
      const withheld = [...withheldFields(entity, caller), ...withheldRecords(entity, caller)]
      tellWithheld(reply, withheld, reasonFor(principal))
      tellNames(deps, reply, { plan, query })
      tellPageSize(reply, query, caller)
      return send(deps, { request, reply }, { plan, choice, query })
    })
    return Promise.resolve()
  }

type Asked = { readonly plan: DistinctPlan; readonly query: DistinctQuery }

/** Says in the headers what is deprecated of what the request names. */
function tellNames({ publicUrl }: ReadDeps, reply: FastifyReply, { plan, query }: Asked): void {
  const { entity } = plan.list
  const fields = plan.values.columns.map(({ path }) => path)
  tellUses(reply, { entity, fields, query: queryOf(distinctFilters, query), publicUrl })
}

function choose({ headers }: FastifyRequest, { format }: DistinctQuery, { isStrict }: Caller) {
  const { accept } = headers
  return chooseFormat({ offered: [json, csv], format, accept, isStrict, subject: 'Distinct' })
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

type Answering = Asked & { readonly choice: ReturnType<typeof choose> }

/** Runs a plan, unless the caller has this very answer already. */
async function send(deps: ReadDeps, { request, reply }: Exchange, answering: Answering) {
  const { plan, choice } = answering
  const { where, reduced } = plan.list
  // The conditions hold the caller's rights, so two callers share a tag only if they see the same.
  const rights = JSON.stringify([where.text, where.values, reduced, plan.basis])
  const tag = (version: string) => weakEtag([version, request.url, rights, choice.mediaType])
  if (request.headers['if-none-match'] !== undefined) {
    const version = await datasetVersion(deps.database, plan.values.dataset)
    if (isUnchanged(request, reply, tag(version))) return reply.send()
  }
  const values = { ...plan.values, source: await plan.source() }
  const first = await loadBlock(deps.database, values)
  const { publicUrl } = deps
  const around = { plan, publicUrl, url: request.url, total: first.total }
  const writer = choice.format === csv ? csvWriter(values) : jsonWriter(toFrame(around))
  const body = writeValues(deps.database, { values, first, writer })
  return reply.header('etag', tag(first.version)).type(contentTypeOf(choice)).send(body)
}

type Framed = {
  readonly plan: DistinctPlan
  readonly publicUrl: string
  readonly url: string
  readonly total: number
}

/** What stands around the rows: of a page, the envelope of lists (interface 2.1). */
function toFrame({ plan, publicUrl, url, total }: Framed): Frame {
  if (plan.values.page === undefined) return { begin: '', end: '' }
  const { pageNumber, pageSize } = plan.list
  const envelope = toEnvelope({ publicUrl, url, total, pageNumber, pageSize })
  return { begin: `${JSON.stringify(envelope).slice(0, -1)},"Items":`, end: '}' }
}
