import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { anonymous } from '../access/index.ts'
import type { Principal, Visibility } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import {
  answerRead,
  contentTypeOf,
  fileNameHeader,
  reasonFor,
  recordEtag,
  rememberPlans,
  reportIgnored,
  reportWithheld,
} from '../http/index.ts'
import { sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { readStored } from './datasets/index.ts'
import type { Maker } from './datasets/index.ts'
import type { Deprecation } from './deprecations/table.ts'
import { deprecatedUses, reportDeprecated } from './deprecations/uses.ts'
import type { Entity, Narrowing, Query, Rewrite } from './entity.ts'
import { readEach } from './filters/index.ts'
import type { Choice, LoadedRecord } from './formats/index.ts'
import { loadOrigins } from './formats/json-ld.ts'
import { idleItemParameters } from './list/idle-parameters.ts'
import { addFields, rewriteRecords } from './list/plan.ts'
import {
  isVisible,
  isVisibleIfPresent,
  itemAddress,
  lastModified,
  tableOf,
  toEntityId,
} from './table.ts'
import type { Caller, Planning } from './list/plan.ts'
import {
  callerOf,
  choose,
  noSuchRecord,
  planningOf,
  readWhole,
  withheldFields,
  withheldRecords,
} from './reading.ts'
import { dataOf, toRepresentation, withField } from './representation.ts'
import type { Representation } from './representation.ts'
import type { itemOperation } from './schemas.ts'

type ItemDeps = { readonly database: Queryable; readonly publicUrl: string }

/** Plan of single reads of an entity, for any of its records. */
type ItemPlan = {
  readonly entity: Entity
  readonly representation: Representation
  readonly choice: Choice
  readonly query: ItemRequest['query']
  /**
   * Computes fields when the record is read. `basis` identifies the state that they are computed
   * from.
   */
  readonly made?: { readonly rewrite: Rewrite; readonly basis: string } | undefined
  readonly found?: readonly Pick<Narrowing, 'member' | 'basis'>[]
  readonly rewrites?: readonly { readonly rewrite: Rewrite; readonly basis: string }[]
}

/** An item plan with everything that follows from it and from the caller's rights. */
type ReadyPlan = ItemPlan & {
  readonly reduced: boolean
  /** Statement that selects the record, with `anyId` as placeholder for the identifier. */
  readonly statement: Sql
  /** The part of the entity tag that identifies the representation. */
  readonly form: readonly string[]
  readonly uses: readonly Deprecation[]
}

type ItemAnswer = {
  readonly etag: string
  readonly lastModified: Date | undefined
  readonly body: string | Buffer
}

const anyId = Symbol('id')

/**
 * Number of cached plans per entity. Small, because there are some seventy lists of entities, and
 * single records are requested in few ways.
 */
const plansOfEntity = 20

export function readyPlan(plan: ItemPlan, caller: Caller): ReadyPlan {
  const { entity, representation, choice, query } = plan
  const { mediaType } = choice
  const reduced = caller.isAnonymous && entity.closedFields.length > 0
  const statement = selectRecord({ entity, reduced, representation }, anyId, caller.visibility)
  const form = JSON.stringify([representation, reduced, mediaType, query.bom, basisOf(plan)])
  const uses = deprecatedUses(entity, { fields: representation.fields, query })
  return { ...plan, reduced, statement, form: [form], uses }
}

/**
 * SQL for one record, its revision and its last change. If there is no such record, the columns are
 * null.
 */
export function selectRecord(
  form: Parameters<typeof dataOf>[0],
  id: unknown,
  visibility: Visibility,
): Sql {
  return sql`
    select id, ${dataOf(form)}, stored.xmin, ${lastModified}
    from (select ${id}::text as asked) as request
    left join ${tableOf(form.entity)} as stored on id = asked
    where ${isVisibleIfPresent(form.entity, visibility)}`
}

/**
 * Loads one record in the requested form.
 * @throws AppError HUB-RTE-003 if there is no such record or the caller may not see it (decision
 *   D34); HUB-RTE-007, HUB-ACC-001 if its source item is requested and cannot be shown
 */
export async function getEntity(
  deps: ItemDeps,
  wanted: ReadyPlan,
  requested: string,
): Promise<ItemAnswer> {
  const { entity, choice, statement, form, reduced } = wanted
  const id = toEntityId(entity, requested)
  const [row] = await deps.database.texts(statement.replacing(anyId, id))
  if (typeof row?.[0] !== 'string') throw noSuchRecord(entity, requested)
  const [, stored, revision, lastChange] = row
  const data =
    choice.format.reads === 'origin' ? await loadSource(deps, { entity, id, reduced }) : stored
  return {
    etag: recordEtag([id, revision ?? ''], form),
    lastModified: typeof lastChange === 'string' ? new Date(lastChange) : undefined,
    body: await choice.format.item(await complete(wanted, { id, data: data ?? '{}' }), {
      ...wanted,
      bom: wanted.query.bom,
      addressOf: (one) => itemAddress(deps.publicUrl, entity, one),
    }),
  }
}

function basisOf({ made, found = [], rewrites = [] }: ItemPlan): readonly (string | undefined)[] {
  return [made?.basis, ...[...found, ...rewrites].map(({ basis }) => basis)]
}

async function complete(
  { made, found = [], rewrites = [], choice }: ItemPlan,
  record: LoadedRecord,
): Promise<LoadedRecord> {
  const all = [...(made === undefined ? [] : [made]), ...rewrites].map(({ rewrite }) => rewrite)
  const [shown = record] = all.length === 0 ? [record] : await rewriteRecords(all, [record])
  if (choice.format.reads === 'origin') return shown
  const members = found.map(({ member }) => member)
  const [complete = shown] = await addFields(members, [shown])
  return complete
}

type Sourced = { readonly entity: Entity; readonly id: string; readonly reduced: boolean }

/**
 * Loads the source item of a record. The rules of the record apply, so that the source item shows
 * nothing that the record hides.
 */
async function loadSource(
  { database }: ItemDeps,
  { entity, id, reduced }: Sourced,
): Promise<string> {
  const source = (await loadOrigins(database, entity, [id])).get(id)
  if (source === undefined) {
    throw new AppError('HUB-RTE-007', `The hub has no source item for ${entity.name} ${id}.`, {
      hint: 'The record was not pushed or imported, or its message is no longer kept.',
    })
  }
  if (!reduced || !source.isClosed) return source.text
  throw new AppError('HUB-ACC-001', 'This source item contains fields that need a bearer token.', {
    headers: { 'www-authenticate': 'Bearer realm="hub"' },
    hint: `Fields that need one: ${entity.closedFields.join(', ')}. Or request the record as JSON.`,
  })
}

type Deps = Pick<Planning, 'now' | 'timeZone' | 'availability'> & {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly make: Maker | undefined
}

type ItemRequest = FastifyRequest<{
  Params: { id: string }
  Querystring: Static<ReturnType<typeof itemOperation>['querystring']>
}>

export type AnswerItem = (exchange: Exchange) => Promise<FastifyReply>

type Exchange = { readonly request: ItemRequest; readonly reply: FastifyReply }

/** Returns the handler of single reads of an entity (interface 4.4). */
export function itemReader(entity: Entity, deps: Deps): AnswerItem {
  const { publicUrl, visibilityOf } = deps
  const database = deps.database.read
  const plans = rememberPlans<Planned>(plansOfEntity)
  return async ({ request, reply }) => {
    const { params, query, principal } = request
    const rights = visibilityOf(principal)
    const text = `${principal.kind} ${JSON.stringify(query)}`
    const planned = plans(request, { text, rights }, () => toPlanned(entity, deps, request))
    const { caller, withheld } = planned
    const plan = await completePlan(planned.plan, { deps, request, caller })
    // Reported first, because a record that the caller may not see is 404, like one that does not
    // exist.
    reportWithheld(reply, withheld.records, reasonFor(principal))
    reportIgnored(reply, planned.ignored)
    const answer = await getEntity({ database, publicUrl }, plan, params.id)
    reportDeprecated(reply, { uses: plan.uses, publicUrl })
    if (answer.lastModified !== undefined) {
      void reply.header('last-modified', answer.lastModified.toUTCString())
    }
    const { body, etag } = answer
    const headers = fileNameHeader(plan.choice.format, [entity.name, params.id])
    const run = () => ({ body, etag, headers, type: contentTypeOf(plan.choice) })
    return answerRead({ request, reply }, { withheld: withheld.fields, run })
  }
}

/** What follows from the query and the caller alone, whichever record is requested. */
type Planned = ReturnType<typeof toPlanned>

function toPlanned(entity: Entity, deps: Deps, request: ItemRequest) {
  const { query } = request
  const caller = callerOf(request, deps.visibilityOf)
  const choice = choose(entity, 'item', { request, query, caller })
  const reduced = caller.isAnonymous && entity.closedFields.length > 0
  const stored = { representation: toRepresentation(query, { entity, reduced }) }
  const { representation } = readWhole(stored, choice)
  return {
    caller,
    plan: readyPlan({ entity, representation, choice, query }, caller),
    ignored: idleItemParameters({ entity, choice }, query, caller),
    withheld: {
      records: withheldRecords(entity, caller),
      fields: withheldFields(entity, caller),
    },
  }
}

type Completing = {
  readonly deps: Deps
  readonly request: ItemRequest
  readonly caller: Caller
}

/**
 * Adds to a plan what must be resolved for each request. Plans of most entities need nothing more.
 */
async function completePlan(
  plan: ReadyPlan,
  { deps, request, caller }: Completing,
): Promise<ReadyPlan> {
  const { entity } = plan
  if (entity.itemFilters.length === 0 && deps.make === undefined) return plan
  const asked = { entity, id: request.params.id, query: request.query }
  const { found, rewrites } = await resolveItem(asked, planningOf(deps, request))
  const made = await deps.make?.(plan.representation, caller.visibility)
  const read = rewrites.reduce(readStored, readStored(plan, made))
  const representation = found.reduce(
    (shown, { member }) => withField(shown, member.name),
    read.representation,
  )
  return readyPlan({ ...plan, representation, made, found, rewrites }, caller)
}

type ResolvedItem = {
  readonly found: readonly Narrowing[]
  readonly rewrites: readonly { readonly rewrite: Rewrite; readonly basis: string }[]
}

type RecordRequest = { readonly entity: Entity; readonly id: string; readonly query: Query }

/**
 * Evaluates the filters of a single read for its record, such as a search for free rooms. They
 * never exclude the record: one without free rooms is shown without them.
 * @throws AppError for invalid values, and for requests that the caller may not make
 */
async function resolveItem(
  { entity, id, query }: RecordRequest,
  planning: Planning,
): Promise<ResolvedItem> {
  if (entity.itemFilters.length === 0) return { found: [], rewrites: [] }
  const { principal = anonymous, now, timeZone } = planning
  const scope = { entity, query, principal, now, timeZone }
  const record = sql`
    select id from ${tableOf(entity)}
    where id = ${toEntityId(entity, id)} and ${isVisible(entity, planning.visibility)}`
  const clauses = await readEach(entity.itemFilters, scope, planning)
  const found: Narrowing[] = []
  for (const { narrow } of clauses) if (narrow !== undefined) found.push(await narrow(record))
  const rewrites = clauses.flatMap(({ rewrite, parameter, text }) =>
    rewrite === undefined ? [] : [{ rewrite, basis: `${parameter}=${text}` }],
  )
  return { found, rewrites }
}
