import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import { requirePrincipal, requireRole } from '../../access/index.ts'
import type { Principal, Visibility } from '../../access/index.ts'
import { inSlices } from '../../async/index.ts'
import { fieldsOf } from '../../lang/json.ts'
import { problem } from '../../lang/schemas.ts'
import {
  inBatchOfOne,
  isEdit,
  maxBatchSize,
  operations,
  readChange,
  readCreations,
  readDeletions,
  readReplacements,
} from './read-edits.ts'
import type { Item, Operation } from './read-edits.ts'
import { conditionsOf } from './conditions.ts'
import { differenceOf } from './difference.ts'
import { writeEdits } from './write-edits.ts'
import type { WrittenRecord } from './write-edits.ts'
import { itemAddress, toEntityId } from '../table.ts'
import type { Entity } from '../entity.ts'
import { exampleIds } from '../parameters.ts'
import { jsonType, readJsonBodies, recordEtag } from '../../http/index.ts'
import type { Exchange } from '../../http/index.ts'
import type { Database } from '../../storage/index.ts'

type EditDeps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /** Size limit of request bodies, in bytes. */
  readonly bodyLimit: number
}

/**
 * Registers the routes that write records of an entity (interface 4.1, 4.3; decisions D32, D33).
 */
export const editRoutes =
  (entity: Entity, deps: EditDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    readJsonBodies(app)
    const write = writer(entity, deps)
    const { bodyLimit } = deps
    const guarded = (operation: Operation) => ({
      bodyLimit,
      onRequest: demandRole(entity, operation),
    })
    await app.register(listRoutes({ entity, deps, write, guarded }))
    await app.register(itemRoutes({ entity, deps, write, guarded }))
  }

type Parts = {
  readonly entity: Entity
  readonly deps: EditDeps
  readonly write: ReturnType<typeof writer>
  /** Returns route options that refuse callers without a role and bodies that are too large. */
  readonly guarded: (operation: Operation) => {
    readonly bodyLimit: number
    readonly onRequest: ReturnType<typeof demandRole>
  }
}

/** Routes that create records, and that write batches. */
const listRoutes =
  ({ entity, deps, write, guarded }: Parts): FastifyPluginAsyncTypebox =>
  (app) => {
    const path = `/v1/${entity.path}`
    const create = { schema: createOperation(entity), ...guarded('Create') }
    app.post(path, create, async (request, reply) => {
      const edits = readCreations(sentBy(entity, request))
      const answer = await write({ request, reply }, edits)
      const [edit] = edits
      if (
        edit !== undefined &&
        isEdit(edit) &&
        !Array.isArray(request.body) &&
        !isDryRun(request.query)
      ) {
        void reply.header('location', itemAddress(deps.publicUrl, entity, edit.id))
      }
      return answer
    })
    const replace = { schema: replaceOperation(entity), ...guarded('Update') }
    app.put(path, replace, async (request, reply) =>
      write({ request, reply }, readReplacements(sentBy(entity, request))),
    )
    const clear = { schema: clearOperation(entity), ...guarded('Delete') }
    app.delete(path, clear, async (request, reply) =>
      write({ request, reply }, readDeletions(sentBy(entity, request))),
    )
    return Promise.resolve()
  }

/** Routes that change or delete one record. */
const itemRoutes =
  ({ entity, write, guarded }: Parts): FastifyPluginAsyncTypebox =>
  (app) => {
    const path = `/v1/${entity.path}/:id`
    const update = { schema: updateOperation(entity), ...guarded('Update') }
    app.put(path, update, async (request, reply) => {
      const edit = readChange(sentBy(entity, request), request.params.id)
      return write({ request, reply }, [edit])
    })
    const remove = { schema: deleteOperation(entity), ...guarded('Delete') }
    app.delete(path, remove, async (request, reply) => {
      const id = toEntityId(entity, request.params.id)
      return write({ request, reply }, [{ operation: 'Delete', id }])
    })
    return Promise.resolve()
  }

function sentBy(entity: Entity, { body, headers }: FastifyRequest) {
  return { entity, body, contentType: headers['content-type'] }
}

/**
 * Returns a function that performs the edits of a request. Its result describes the record, or each
 * record of a batch.
 */
function writer(entity: Entity, deps: EditDeps) {
  return async ({ request, reply }: Exchange, edits: readonly Item[]): Promise<string> => {
    const isBatch = Array.isArray(request.body) && !hasId(request.params)
    const writing = {
      entity,
      edits,
      visibility: deps.visibilityOf(request.principal),
      editor: {
        principal: requirePrincipal(request.principal),
        referer: request.headers.referer,
        requestId: request.id,
      },
      conditions: conditionsOf(request.headers, isBatch ? 'batch' : 'one'),
      mode: isDryRun(request.query) ? 'try' : 'write',
    } as const
    const written = writeEdits(deps, writing, async (records) => {
      const results = await inSlices(resultsOf(entity, records))
      return JSON.stringify(isBatch ? results : results[0])
    })
    const { report, revision } = await written.catch((error: unknown) => {
      throw isBatch && edits.length === 1 ? inBatchOfOne(error) : error
    })
    const [edit] = edits
    if (edit !== undefined && isEdit(edit) && revision !== undefined && !isBatch) {
      void reply.header('etag', recordEtag([edit.id, revision], []))
    }
    void reply.header('cache-control', 'no-store').type(jsonType)
    return report
  }
}

/** Yields after each comparison, so that other requests are served in between. */
function* resultsOf(
  entity: Entity,
  records: readonly WrittenRecord[],
): Generator<undefined, readonly WriteResult[]> {
  const results: WriteResult[] = []
  for (const record of records) {
    results.push(toWriteResult(entity, record))
    yield
  }
  return results
}

function toWriteResult(
  entity: Entity,
  { edit: { id, operation }, warnings, before, after }: WrittenRecord,
): WriteResult {
  const changes = before === undefined || after === undefined ? null : differenceOf(before, after)
  const isOther = changes === null || changes.length > 0
  const isOtherImage = changes?.some(({ path }) => path.startsWith('/ImageGallery')) ?? false
  return {
    id,
    [entity.naming.objectType]: entity.type,
    operation,
    created: Number(operation === 'Create'),
    updated: Number(operation === 'Update'),
    deleted: Number(operation === 'Delete'),
    ...{ error: 0, errorreason: null },
    compareobject: changes !== null,
    objectchanged: Number(isOther),
    objectimagechanged: Number(isOtherImage),
    changes: changes === null ? null : [...changes],
    ...{ pushchannels: [], pushed: {} },
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

function hasId(params: unknown): boolean {
  return typeof params === 'object' && params !== null && 'id' in params
}

function isDryRun(query: unknown): boolean {
  return fieldsOf(query)['dryrun'] === true
}

/**
 * Returns a hook that requires a role. It runs before the body is read: what a caller may not write
 * is not worth receiving (decision D33).
 */
function demandRole(entity: Entity, operation: Operation) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    requireRole(request.principal, 'ADMIN', ...rolesFor(entity, operation))
    done()
  }
}

/** Returns the roles that permit an operation, besides ADMIN. */
function rolesFor({ path, name }: Entity, operation: Operation): readonly string[] {
  return [...new Set([`${path}_${operation}`, `${name}_${operation}`])]
}

/** Returns the operations that a caller may perform on the records of an entity (decision D33). */
export function permittedOperations(
  entity: Entity,
  { roles }: { readonly roles: ReadonlySet<string> },
): readonly Operation[] {
  if (roles.has('ADMIN')) return operations
  return operations.filter((one) => rolesFor(entity, one).some((role) => roles.has(role)))
}

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Result of a write of one record (interface 2.4, decision D32). */
export const writeResult = Type.Object(
  {
    id: Type.String(),
    operation: Type.Enum(['Create', 'Update', 'Delete']),
    created: count('1 if the record is new'),
    updated: count('1 if the record existed'),
    deleted: count('1 if the record was deleted'),
    error: count('Always 0: failures are returned as problem details'),
    errorreason: Type.Null(),
    compareobject: Type.Boolean({ description: 'Whether the old state was compared' }),
    objectchanged: count('1 if the content changed'),
    objectimagechanged: count('1 if the images changed'),
    changes: Type.Unsafe({
      type: ['array', 'null'],
      items: { type: 'object' },
      description: 'What changed, as a JSON patch (RFC 6902)',
    }),
    pushchannels: Type.Array(Type.String(), { description: 'Always empty: nothing is sent out' }),
    pushed: Type.Record(Type.String(), Type.Unknown()),
    warnings: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.Optional(Type.String()), detail: Type.String() }), {
        description: 'Fields that were stored as sent, although they are not of the usual type',
      }),
    ),
  },
  { $id: 'PGCRUDResult', additionalProperties: true },
)

/**
 * Result of a write. A field whose name has the deployment's prefix holds the type of the record.
 */
type WriteResult = Static<typeof writeResult>

const result = Type.Ref('PGCRUDResult')

const params = Type.Object({
  id: Type.String({
    maxLength: 500,
    description: 'Identifier of the record',
    examples: [exampleIds[0]],
  }),
})

const querystring = Type.Object({
  dryrun: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Check the write and report what it would change, without writing',
    }),
  ),
})

/** Media types of accepted bodies (interface 4.1). */
const mediaTypes = ['application/json', 'text/json', 'application/*+json']
const patchType = 'application/json-patch+json'

const bodyOf = (schema: TSchema, patched = schema) => ({
  content: {
    ...Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])),
    [patchType]: { schema: patched },
  },
})

const patch = Type.Array(Type.Object({ op: Type.String(), path: Type.String() }), {
  description: 'RFC 6902',
})

const refusals = {
  400: problem,
  401: problem,
  403: problem,
  413: problem,
  415: problem,
  503: problem,
}

const answerOf = (description: string, schema: TSchema) => ({
  description,
  content: { 'application/json': { schema } },
})

const oneOrMany = answerOf(
  'The outcome for the record, or for each record of a batch',
  Type.Union([result, Type.Array(result)]),
)

const one = answerOf('The outcome for the record', result)

const recordOf = ({ schema }: Entity) => Type.Ref(schema.$id)

const examplePatch = [{ op: 'add', path: '/Shortname', value: 'Example' }]

/** Returns a minimal record for an example. */
const exampleOf = (_: Entity, Id: string) => ({ Id, Shortname: 'Example' })

const recordsOf = (entity: Entity) =>
  Type.Union([recordOf(entity), Type.Array(recordOf(entity), { maxItems: maxBatchSize })], {
    examples: [exampleIds.map((id) => exampleOf(entity, id))],
  })

/** Describes `POST /v1/{EntityType}` (interface 4.3, decision D32). */
const createOperation = (entity: Entity) => ({
  operationId: `create${entity.name}`,
  summary: `Create: ${entity.summary}`,
  description: `Accepts a record, or an array of up to ${String(maxBatchSize)}; all are written or none.`,
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  querystring,
  body: bodyOf(recordsOf(entity)),
  response: { 200: oneOrMany, ...refusals, 412: problem },
})

/** Describes `PUT /v1/{EntityType}`, where each record contains its Id. */
const replaceOperation = (entity: Entity) => ({
  operationId: `replace${entity.name}`,
  summary: `Replace several: ${entity.summary}`,
  description: `Accepts an array of up to ${String(maxBatchSize)} records; all are written or none.`,
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  querystring,
  body: bodyOf(recordsOf(entity)),
  response: { 200: oneOrMany, ...refusals, 404: problem },
})

/** Describes `DELETE /v1/{EntityType}`, where the body contains the identifiers. */
const clearOperation = (entity: Entity) => ({
  operationId: `deleteSeveral${entity.name}`,
  summary: `Delete several: ${entity.summary}`,
  description: 'Accepts an array of identifiers; all are deleted or none.',
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  querystring,
  body: bodyOf(Type.Array(Type.String(), { maxItems: maxBatchSize, examples: [[exampleIds[1]]] })),
  response: { 200: oneOrMany, ...refusals, 404: problem },
})

/** Describes `PUT /v1/{EntityType}/{id}` (interface 4.3, decision D32). */
const updateOperation = (entity: Entity) => ({
  operationId: `update${entity.name}`,
  summary: `Replace or patch: ${entity.summary}`,
  description:
    'Accepts the record, or a JSON patch (RFC 6902) as application/json-patch+json. `If-Match` with an ETag of the record ensures that nobody else has changed it since.',
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  querystring,
  params,
  body: bodyOf(
    Type.Union([recordOf(entity), patch], { examples: [exampleOf(entity, exampleIds[0])] }),
    Type.Union([patch, recordOf(entity)], { examples: [examplePatch] }),
  ),
  response: { 200: one, ...refusals, 404: problem, 412: problem },
})

/** Describes `DELETE /v1/{EntityType}/{id}` (interface 4.3, decision D32). */
const deleteOperation = (entity: Entity) => ({
  operationId: `delete${entity.name}`,
  summary: `Delete: ${entity.summary}`,
  description:
    'The record is deleted at once. `If-Match` with its ETag ensures that nobody else has changed it since.',
  tags: ['Content writes'],
  security: [{ bearer: [] }],
  querystring,
  params,
  response: { 200: one, ...refusals, 404: problem, 412: problem },
})
