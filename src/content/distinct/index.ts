import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { commaList, problem } from '../../lang/schemas.ts'
import { requirePrincipal } from '../../access/index.ts'
import type { Principal } from '../../access/index.ts'
import { yieldToEventLoop } from '../../async/index.ts'
import { makerOf } from '../datasets/index.ts'
import type { Maker } from '../datasets/index.ts'
import { reportUses } from '../deprecations/index.ts'
import { loadBlock, madeSource, rowsOf, storedSource, toColumns, toSorting } from './load-values.ts'
import type { Block, Source, Values } from './load-values.ts'

export { storedSource } from './load-values.ts'
export type { Source } from './load-values.ts'
import { entityOfType, needsToken, typeAliases } from '../entity-types.ts'
import type { Entity, Profile } from '../entity.ts'
import { commonFilters, longest } from '../filters/every-list.ts'
import { loadChunk, loadEverything } from '../list/open-stream.ts'
import { planList, rewriteRecords } from '../list/plan.ts'
import type { Caller, ListPlan } from '../list/plan.ts'
import {
  envelopeOf,
  optionalPageParameters,
  parametersOfFilters,
  queryOf,
  reportPageSize,
  toEnvelope,
} from '../pages.ts'
import type { ReadDeps } from '../read-deps.ts'
import { callerOf, withheldFields, withheldRecords } from '../reading.ts'
import { answerRead, chooseFormat, contentTypeOf, toCsv, weakEtag } from '../../http/index.ts'
import type { Offer, Read } from '../../http/index.ts'
import { datasetVersion } from '../../storage/index.ts'
import type { Queryable } from '../../storage/index.ts'

const json: Offer = { name: 'json', mediaTypes: ['application/json'] }
const csv: Offer = { name: 'csv', mediaTypes: ['text/csv'] }

/** Registers `GET /v1/Distinct`: the distinct values of fields of an entity (interface 4.7). */
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
      const withheld = [...withheldFields(entity, caller), ...withheldRecords(entity, caller)]
      reportNames(deps, reply, { plan, query })
      reportPageSize(reply, query, caller)
      return answerRead(
        { request, reply },
        { withheld, ...readOf(deps, request.url, { plan, choice }) },
      )
    })
    return Promise.resolve()
  }

type DistinctRequest = { readonly plan: DistinctPlan; readonly query: DistinctQuery }

function reportNames(
  { publicUrl }: ReadDeps,
  reply: FastifyReply,
  { plan, query }: DistinctRequest,
): void {
  const { entity } = plan.list
  const fields = plan.values.columns.map(({ path }) => path)
  reportUses(reply, { entity, fields, query: queryOf(distinctFilters, query), publicUrl })
}

function choose({ headers }: FastifyRequest, { format }: DistinctQuery, { isStrict }: Caller) {
  const { accept } = headers
  return chooseFormat({ offered: [json, csv], format, accept, isStrict, subject: 'Distinct' })
}

type Planned = { readonly plan: DistinctPlan; readonly choice: ReturnType<typeof choose> }

function readOf(deps: ReadDeps, url: string, { plan, choice }: Planned): Pick<Read, 'tag' | 'run'> {
  const { where, reduced } = plan.list
  // The conditions contain the caller's rights, so two callers share a tag only if they see the
  // same.
  const rights = JSON.stringify([where.text, where.values, reduced, plan.basis])
  const etag = (version: string) => weakEtag([version, url, rights, choice.mediaType])
  const run = async () => {
    const values = { ...plan.values, source: await plan.source() }
    const first = await loadBlock(deps.database, values)
    const around = { plan, publicUrl: deps.publicUrl, url, total: first.total }
    const writer = choice.format === csv ? csvWriter(values) : jsonWriter(toFrame(around))
    const body = writeValues(deps.database, { values, first, writer })
    return { body, etag: etag(first.version), type: contentTypeOf(choice) }
  }
  return { tag: async () => etag(await datasetVersion(deps.database, plan.values.dataset)), run }
}

type Framed = {
  readonly plan: DistinctPlan
  readonly publicUrl: string
  readonly url: string
  readonly total: number
}

/**
 * Returns the text around the rows: the envelope of lists for a page (interface 2.1), or nothing.
 */
function toFrame({ plan, publicUrl, url, total }: Framed): Frame {
  if (plan.values.page === undefined) return { begin: '', end: '' }
  const { pageNumber, pageSize } = plan.list
  const envelope = toEnvelope({ publicUrl, url, total, pageNumber, pageSize })
  return { begin: `${JSON.stringify(envelope).slice(0, -1)},"Items":`, end: '}' }
}

type Asking = {
  readonly entity: Entity
  readonly query: DistinctQuery
  readonly principal: Principal
  readonly caller: Caller
  readonly make: Maker | undefined
}

/** Plan of a response. Records are loaded only when `source` is called. */
type DistinctPlan = {
  readonly list: ListPlan
  readonly values: Omit<Values, 'source'>
  readonly source: () => Promise<Source>
  /** Identifies the state of generated fields, for entity tags. */
  readonly basis: string | undefined
}

/**
 * Plans a request for distinct values. The caller's rights become conditions of its query.
 * @throws AppError for a request that cannot be planned, or if reading the entity requires a token
 */
async function planDistinct(deps: ReadDeps, asking: Asking): Promise<DistinctPlan> {
  const { entity, query, principal, caller } = asking
  const { database, profile = 'strict', now } = deps
  if (needsToken(entity, profile)) requirePrincipal(principal)
  const columns = toColumns(entity, query)
  const sorting = toSorting(entity, columns, query.rawsort)
  const list = await planList(
    entity,
    {
      ...queryOf(distinctFilters, query),
      ...whole,
      pagenumber: query.pagenumber ?? 1,
      pagesize: query.pagesize ?? 10,
    },
    { ...caller, database, profile, principal, ...(now === undefined ? {} : { now }) },
  )
  const fields = columns.map(({ path }) => path)
  const made = await asking.make?.({ ...list.representation, fields }, caller.visibility)
  const { pageNumber, pageSize } = list
  const page = { offset: (pageNumber - 1) * pageSize, limit: pageSize }
  return {
    list,
    values: {
      dataset: entity.name,
      columns,
      sorting,
      excludesEmpty: query.excludenulloremptyvalues,
      asArray: query.getasarray,
      ...(query.pagenumber === undefined ? {} : { page }),
    },
    source:
      made === undefined
        ? () => Promise.resolve(storedSource(list))
        : () => loadMade(deps, { ...list, rewrites: [made.rewrite] }),
    basis: made?.basis,
  }
}

const whole = { getasidarray: false, removenullvalues: false }

const all = { pageNumber: 1, pageSize: Number.MAX_SAFE_INTEGER }

/**
 * Loads the matching records with their generated fields. Only records that describe datasets have
 * such fields. There are a few hundred of them, so they are generated first and queried afterwards.
 */
export async function loadMade(
  { database }: Pick<ReadDeps, 'database'>,
  list: ListPlan,
): Promise<Source> {
  const { chunks } = await loadEverything(database, { ...list, ...all })
  const texts: string[] = []
  for (const chunk of chunks) {
    const records = await rewriteRecords(list.rewrites, await loadChunk(database, list, chunk))
    texts.push(...records.map(({ data }) => data))
  }
  return madeSource(texts)
}

/** Writes a response: the text around the rows, and the text of each chunk of rows. */
type Writer = {
  readonly begin: string
  readonly end: string
  /** @param isFirst whether the chunk is the first after `begin` */
  readonly chunk: (chunk: string, isFirst: boolean) => string
}

/** Text before and after the array of rows. */
type Frame = { readonly begin: string; readonly end: string }

/** Writes rows in JSON, as the database returned them. */
const jsonWriter = ({ begin, end }: Frame): Writer => ({
  begin: `${begin}[`,
  end: `]${end}`,
  chunk: (chunk, isFirst) => `${isFirst ? '' : ','}${chunk.slice(1, -1)}`,
})

const csvWriter = (values: Pick<Values, 'columns' | 'asArray'>): Writer => ({
  begin: toCsv([values.columns.map(({ path }) => path.text)]),
  end: '',
  chunk: (chunk) => toCsv(rowsOf(values, chunk)),
})

type Written = { readonly values: Values; readonly first: Block; readonly writer: Writer }

/**
 * Returns a short response as text and a longer one as a stream. The stream writes chunks in turns
 * and loads blocks as the client consumes them, so that memory use stays flat, no connection is
 * held and no other request waits (decision D9).
 */
function writeValues(database: Queryable, written: Written): string | Readable {
  const { first, writer } = written
  if (first.next !== undefined || first.chunks.length > 1) {
    return Readable.from(textsOf(database, written), { objectMode: false, encoding: 'utf8' })
  }
  const chunks = first.chunks.map((chunk) => writer.chunk(chunk, true))
  return `${writer.begin}${chunks.join('')}${writer.end}`
}

async function* textsOf(database: Queryable, { values, first, writer }: Written) {
  yield writer.begin
  let isFirst = true
  for await (const chunk of chunksOf(database, values, first)) {
    yield writer.chunk(chunk, isFirst)
    isFirst = false
    await yieldToEventLoop()
  }
  yield writer.end
}

async function* chunksOf(database: Queryable, values: Values, first: Block) {
  let block: Block | undefined = first
  while (block !== undefined) {
    yield* block.chunks
    const { next }: Block = block
    block = next === undefined ? undefined : await loadBlock(database, values, { after: next })
  }
}

/** Filters of lists that also select the records for distinct values. */
const distinctFilters = commonFilters.filter(({ name }) =>
  ['rawfilter', 'source', 'tagfilter'].includes(name),
)

const maxFields = 20

const parameters = (entities: readonly Entity[], profile: Profile) =>
  Type.Object({
    type: Type.String({
      maxLength: 200,
      examples: ['tag'],
      description: 'Records to read: a type such as tag, or an entity; case-insensitive',
      'x-aliases': [...typeAliases(entities)],
    }),
    fields: commaList(Type.String({ maxLength: 500 }), {
      minItems: 1,
      maxItems: maxFields,
      examples: [['Shortname']],
      description:
        'Paths: Type, Detail.en.Title, Types.[*] (each element), Detail.*.Title (each field). A path with [*] or * must be the only one',
    }),
    getasarray: Type.Boolean({
      default: false,
      description: 'The values of a single field, as an array of texts',
    }),
    excludenulloremptyvalues: Type.Boolean({
      default: false,
      description: 'Leave out null and empty texts',
    }),
    rawsort: Type.Optional(
      Type.String({
        maxLength: longest,
        'x-repeated': 'joined',
        description: 'Some of fields, with - before those in descending order',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], {
        description: 'Format of the response; takes precedence over the Accept header',
      }),
    ),
    ...optionalPageParameters(profile),
  })

type DistinctQuery = Static<ReturnType<typeof parameters>>

const row = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))
const values = Type.Union([Type.Array(row), Type.Array(Type.Union([Type.String(), Type.Null()]))])

/** Describes `GET /v1/Distinct` (interface 4.7, reference content.md 6.4). */
const distinctOperation = (entities: readonly Entity[], profile: Profile) => {
  const own = parameters(entities, profile)
  const filters = parametersOfFilters(distinctFilters)
  return {
    operationId: 'listDistinct',
    summary: 'The distinct values of a field, or combinations of several',
    description: 'Values are texts. Records without the path have no row.',
    tags: ['Content'],
    querystring: Object.assign({}, own, Type.Object({ ...own.properties, ...filters })),
    response: {
      200: {
        description: 'The values',
        content: {
          'application/json': { schema: Type.Union([values, envelopeOf(values)]) },
          'text/csv': { schema: Type.Unsafe({ description: 'A table' }) },
        },
      },
      400: problem,
      401: problem,
      503: problem,
    },
  }
}
