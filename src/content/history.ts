import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Operation } from 'rfc6902'
import { Type } from 'typebox'
import { inSlices } from '../async/index.ts'
import { visible } from '../access/index.ts'
import { AppError, form } from '../errors/index.ts'
import { reasonFor, sendText, reportWithheld } from '../http/index.ts'
import type { Exchange } from '../http/index.ts'
import { fieldsOf, parseObject } from '../lang/json.ts'
import { problem } from '../lang/schemas.ts'
import { all, literal, sql } from '../sql/index.ts'
import type { Sql } from '../sql/index.ts'
import type { Database, Queryable } from '../storage/index.ts'
import { differenceOf } from './edit/difference.ts'
import type { Entity } from './entity.ts'
import { isVisible, itemAddress, tableOf, toEntityId } from './table.ts'
import type { Caller } from './list/plan.ts'
import { envelopeOf, pageAddress } from './pages.ts'
import { exampleIds, requireTokens } from './parameters.ts'
import { noSuchRecord, withheldRecords } from './reading.ts'
import { lockTables } from './sync-tables.ts'

type HistoryDeps = {
  readonly database: Queryable
  readonly publicUrl: string
  readonly callerOf: (request: FastifyRequest) => Caller
}

/**
 * Returns the routes for the earlier states of an entity's records. If the entity has closed
 * fields, a token is required, because the number of saves would otherwise reveal when those fields
 * changed (decision D34).
 */
export const historyRoutes =
  (entity: Entity, deps: HistoryDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const path = `/v1/${entity.path}/:id/History`
    const answers = answersOf(entity, deps)
    if (entity.closedFields.length > 0) requireTokens(app)
    app.get(path, { schema: historyOperation(entity) }, async (request, reply) =>
      send(
        { request, reply },
        await answers.list(request, report(entity, deps, { request, reply })),
      ),
    )
    app.get(`${path}/:revision`, { schema: versionOperation(entity) }, async (request, reply) =>
      send(
        { request, reply },
        await answers.state(request, report(entity, deps, { request, reply })),
      ),
    )
    return Promise.resolve()
  }

/**
 * Reports in the response what is withheld from the caller, even if the response is 404 (decision
 * D6).
 */
function report(entity: Entity, { callerOf }: HistoryDeps, { request, reply }: Exchange): Caller {
  const caller = callerOf(request)
  reportWithheld(reply, withheldRecords(entity, caller), reasonFor(request.principal))
  return caller
}

function send({ request, reply }: Exchange, body: object) {
  const text = JSON.stringify(body)
  return sendText({ request, reply }, text)
}

type ListRequest = {
  readonly url: string
  readonly params: { readonly id: string }
  readonly query: { readonly pagenumber: number; readonly pagesize: number }
}

type StateRequest = { readonly params: { readonly id: string; readonly revision: string } }

function answersOf(entity: Entity, { database, publicUrl }: HistoryDeps) {
  const addressOf = (id: string) => `${itemAddress(publicUrl, entity, id)}/History`
  return {
    list: async ({ url, params, query: { pagenumber, pagesize } }: ListRequest, caller: Caller) => {
      const wanted = { entity, id: toEntityId(entity, params.id) }
      const page = { offset: (pagenumber - 1) * pagesize, limit: pagesize }
      const { total, versions } = await loadVersions(database, wanted, { caller, ...page })
      const pages = Math.ceil(total / pagesize)
      const pageAt = (number: number) =>
        number < 1 || number > pages ? null : pageAddress(publicUrl, url, { pagenumber: number })
      return {
        ...{ TotalResults: total, TotalPages: pages, CurrentPage: pagenumber },
        ...{ PreviousPage: pageAt(pagenumber - 1), NextPage: pageAt(pagenumber + 1), Seed: null },
        Items: versions.map((version) => toItem(version, addressOf(wanted.id))),
      }
    },
    state: async ({ params: { id: written, revision } }: StateRequest, caller: Caller) => {
      const id = toEntityId(entity, written)
      // Revisions start at 1, so an invalid number becomes 0, which does not exist.
      const wanted = {
        entity,
        id,
        revision: /^[1-9]\d{0,8}$/.test(revision) ? Number(revision) : 0,
      }
      const data = await loadVersion(database, wanted, caller)
      if (data === undefined) throw noSuchRevision(wanted, revision)
      return { ...data, Self: `${addressOf(id)}/${revision}` }
    },
  }
}

function toItem({ revision, data, changes }: Version, address: string) {
  const { LastUpdate = null, Source = null, UpdateInfo } = fieldsOf(data['_Meta'])
  const { UpdatedBy = null } = fieldsOf(UpdateInfo)
  return {
    ...{ Revision: revision, LastUpdate, UpdatedBy, Source },
    Changes: changes ?? null,
    Self: `${address}/${String(revision)}`,
  }
}

/**
 * Identifies the record whose history is requested. `id` has the letter case of stored identifiers.
 */
type RecordKey = { readonly entity: Entity; readonly id: string }

type Members = Readonly<Record<string, unknown>>

type Version = {
  readonly revision: number
  readonly data: Members
  /**
   * Changes from the previous state. Undefined if that state is not kept or not visible to the
   * caller.
   */
  readonly changes: readonly Operation[] | undefined
}

type Page = { readonly offset: number; readonly limit: number }

/**
 * Loads a page of the states of a record that the caller may see, newest first, and their total
 * number.
 * @throws AppError HUB-RTE-003 if the caller can see no such record (decision D34)
 */
async function loadVersions(
  database: Queryable,
  { entity, id }: RecordKey,
  { caller, offset, limit }: Page & { readonly caller: Caller },
): Promise<{ readonly total: number; readonly versions: readonly Version[] }> {
  // One more row than the page holds: the predecessor of its last state, to compute the changes.
  const rows = await database.texts(sql`
    select revision, data, count(*) over ()
    from ${statesOf({ entity, id }, caller)}
    order by revision desc limit ${limit + 1}::integer offset ${offset}::integer`)
  if (rows.length === 0) {
    const total = offset === 0 ? 0 : await countStates(database, { entity, id }, caller)
    if (total === 0) throw noSuchRecord(entity, id)
    return { total, versions: [] }
  }
  return { total: Number(rows[0]?.[2]), versions: await inSlices(versionsIn(rows, limit)) }
}

/**
 * Compares each state with its predecessor. Yields after each comparison, so that other requests
 * can run in between.
 */
function* versionsIn(
  rows: readonly (readonly (string | null)[])[],
  limit: number,
): Generator<undefined, readonly Version[]> {
  const versions: Version[] = []
  let after: Omit<Version, 'changes'> | undefined
  for (const [written, text] of rows) {
    const state = { revision: Number(written), data: parseObject(text ?? '{}') }
    if (after !== undefined) {
      const isNext = state.revision === after.revision - 1
      versions.push({
        ...after,
        changes: isNext ? differenceOf(state.data, after.data) : undefined,
      })
    }
    after = state
    yield
  }
  if (after !== undefined && versions.length < limit)
    versions.push({ ...after, changes: undefined })
  return versions
}

/** Loads one state of a record; undefined if it is not kept or not visible to the caller. */
async function loadVersion(
  database: Queryable,
  wanted: RecordKey & { readonly revision: number },
  caller: Caller,
): Promise<Members | undefined> {
  const [row] = await database.texts(sql`
    select data from ${statesOf(wanted, caller)}
    where revision = ${wanted.revision}::integer`)
  return row === undefined ? undefined : parseObject(row[0] ?? '{}')
}

function noSuchRevision({ entity, id }: RecordKey, written: string): AppError {
  return new AppError(
    'HUB-RTE-003',
    `There is no revision ${written} of ${entity.name} ${JSON.stringify(id)}.`,
    { hint: `GET /v1/${entity.path}/{id}/History lists those that are kept.` },
  )
}

/** Counts the states for pages after the last one, which have no row that contains the total. */
async function countStates(
  database: Queryable,
  wanted: RecordKey,
  caller: Caller,
): Promise<number> {
  const [row] = await database.texts(sql`select count(*) from ${statesOf(wanted, caller)}`)
  return Number(row?.[0] ?? 0)
}

/**
 * SQL for the states of a record that the caller may see, including the current one. Empty unless
 * the caller may see the current state.
 */
function statesOf({ entity, id }: RecordKey, { visibility }: Caller): Sql {
  const mayBeSeen = visible(visibility, 'content', {
    closed: sql`coalesce(content_flag(data #> '{LicenseInfo,ClosedData}'), false)`,
    origin: sql`(data #>> '{_Meta,Source}')`,
    type: sql`${entity.name}::text`,
  })
  const present = sql`${tableOf(entity)} where ${all([sql`id = ${id}`, isVisible(entity, visibility)])}`
  return sql`(
    select * from (
      select revision, data from content_version where entity = ${entity.type} and id = ${id}
      union all
      select content_revision(${entity.type}, ${id}), data from ${present}
    ) as kept
    where exists (select from ${present}) and ${mayBeSeen}) as states`
}

const id = Type.String({
  maxLength: 500,
  description: 'Identifier of the record',
  examples: [exampleIds[0]],
})

const version = Type.Object({
  Revision: Type.Integer({ description: 'The first state is 1' }),
  LastUpdate: Type.Unsafe({ type: ['string', 'null'], description: 'When it was saved' }),
  UpdatedBy: Type.Unsafe({
    type: ['string', 'null'],
    description: 'Null if a provider pushed it',
  }),
  Source: Type.Unsafe({ type: ['string', 'null'] }),
  Changes: Type.Unsafe({
    type: ['array', 'null'],
    items: { type: 'object' },
    description: 'The change from the previous state, as a JSON patch (RFC 6902)',
  }),
  Self: Type.String({ description: 'URL of this state of the record' }),
})

const list = envelopeOf(Type.Array(version))

const json = (description: string, schema: Parameters<typeof Type.Array>[0]) => ({
  description,
  content: { 'application/json': { schema } },
})

/** `GET /v1/{EntityType}/{id}/History`: the states of a record, newest first. */
const historyOperation = (entity: Entity) => ({
  operationId: `listHistoryOf${entity.name}`,
  summary: `Versions of a record: ${entity.summary}`,
  description:
    'The last 100 states before the present one are kept; a save that does not change the content creates none.',
  tags: ['Content writes'],
  params: Type.Object({ id }),
  querystring: Type.Object({
    pagenumber: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 1000,
      description: 'Page to return',
    }),
    pagesize: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 200,
      description: 'Versions per page',
    }),
  }),
  response: { 200: json('A page of versions', list), 400: problem, 404: problem, 503: problem },
})

/** `GET /v1/{EntityType}/{id}/History/{revision}`: a record as it was. */
const versionOperation = (entity: Entity) => ({
  operationId: `getVersionOf${entity.name}`,
  summary: `A record as it was: ${entity.summary}`,
  description:
    'The state after the save that made the version. A caller who cannot see the record now sees no version.',
  tags: ['Content writes'],
  params: Type.Object({
    id,
    revision: Type.String({
      ...form('^[1-9]\\d{0,8}$', 'is not a valid number of a version; the first is 1'),
      maxLength: 9,
      examples: ['1'],
      description: 'Number of the version; the first is 1',
    }),
  }),
  response: {
    200: json('The record as it was', Type.Ref(entity.schema.$id)),
    400: problem,
    404: problem,
    503: problem,
  },
})

/**
 * Creates the triggers that keep the former states of records, whoever writes them
 * (`content_keep_versions` in `migrations/0015-content-history.sql`). Skips tables that have the
 * triggers, and is safe to run in several starting processes at once.
 */
export async function syncHistoryTriggers(
  database: Database,
  entities: readonly Entity[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockTables(tx)
    const kept = await tx.query<{ entity: string }>(sql`
      select relname as entity from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname = 'keep_deleted' and relnamespace = 'content'::regnamespace`)
    const known = new Set(kept.map(({ entity }) => entity))
    for (const entity of entities.filter(({ type }) => !known.has(type))) {
      const keep = sql`for each statement execute function content_keep_versions(${literal(entity.type)})`
      await tx.execute(sql`
        create or replace trigger keep_replaced after update on ${tableOf(entity)}
        referencing old table as replaced new table as written ${keep}`)
      await tx.execute(sql`
        create or replace trigger keep_deleted after delete on ${tableOf(entity)}
        referencing old table as replaced ${keep}`)
    }
  })
}
