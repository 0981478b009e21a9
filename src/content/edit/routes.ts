import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requirePrincipal, requireRole } from '../../access/index.ts'
import type { Principal, Visibility } from '../../access/index.ts'
import { AppError } from '../../errors/index.ts'
import { jsonType, recordEtag } from '../../http/index.ts'
import type { Exchange } from '../../http/index.ts'
import type { Database } from '../../storage/index.ts'
import { itemAddress } from '../addresses.ts'
import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { readJsonBodies } from '../search-body.ts'
import type { Edit, Operation } from './edits.ts'
import {
  clearOperation,
  createOperation,
  deleteOperation,
  replaceOperation,
  updateOperation,
} from './operations.ts'
import { readChange, readCreations, readDeletions, readReplacements } from './read-edits.ts'
import { writeEdits } from './write-edits.ts'

export type EditDeps = {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly now: () => Date
  /** Bytes. */
  readonly bodyLimit: number
}

/** Writes to one entity over HTTP (interface 4.1, 4.3; decisions D32, D33). */
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
  /** What keeps a route from those who may not use it, and from bodies that are too large. */
  readonly guarded: (operation: Operation) => {
    readonly bodyLimit: number
    readonly onRequest: ReturnType<typeof demandRole>
  }
}

/** Creating, and batches. */
const listRoutes =
  ({ entity, deps, write, guarded }: Parts): FastifyPluginAsyncTypebox =>
  (app) => {
    const path = `/v1/${entity.path}`
    const create = { schema: createOperation(entity), ...guarded('Create') }
    app.post(path, create, async (request, reply) => {
      const edits = readCreations(sentBy(entity, request))
      const answer = await write({ request, reply }, edits)
      const [edit] = edits
      if (edit !== undefined && !Array.isArray(request.body)) {
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

/** Changing and deleting one record. */
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

/** Writes what a request wants, and answers with the result of its record, or of each of its batch. */
function writer(entity: Entity, deps: EditDeps) {
  return async ({ request, reply }: Exchange, edits: readonly Edit[]): Promise<string> => {
    const ifMatch = request.headers['if-match']
    const isBatch = Array.isArray(request.body) && !hasId(request.params)
    if (isBatch && ifMatch !== undefined) throw refuseIfMatch()
    const { results, revision } = await writeEdits(deps, {
      entity,
      edits,
      visibility: deps.visibilityOf(request.principal),
      editor: {
        principal: requirePrincipal(request.principal),
        referer: request.headers.referer,
        requestId: request.id,
      },
      ifMatch,
    })
    const [edit] = edits
    if (edit !== undefined && revision !== undefined && !isBatch) {
      void reply.header('etag', recordEtag([edit.id, revision], []))
    }
    void reply.header('cache-control', 'no-store').type(jsonType)
    return JSON.stringify(isBatch ? results : results[0])
  }
}

function hasId(params: unknown): boolean {
  return typeof params === 'object' && params !== null && 'id' in params
}

/** Before the body is read: what a caller may not write is not worth receiving (decision D33). */
function demandRole({ path, name }: Entity, operation: Operation) {
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const roles = new Set([`${path}_${operation}`, `${name}_${operation}`])
    requireRole(request.principal, 'ADMIN', ...roles)
    done()
  }
}

function refuseIfMatch(): AppError {
  return new AppError('HUB-BDY-001', 'If-Match goes with one record, and this is a batch.', {
    hint: 'Send records that others may have changed one by one.',
  })
}
