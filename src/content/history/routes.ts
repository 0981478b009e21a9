import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged, jsonType, setCaching, weakEtag } from '../../http/index.ts'
import { itemAddress, pageAddress } from '../addresses.ts'
import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { membersOf } from '../formats/record-members.ts'
import type { Caller } from '../list/plan.ts'
import type { Queryable } from '../../storage/index.ts'
import { loadVersion, loadVersions } from './load-versions.ts'
import type { Version } from './load-versions.ts'
import { historyOperation, versionOperation } from './operations.ts'

export type HistoryDeps = {
  readonly database: Queryable
  readonly publicUrl: string
  readonly callerOf: (request: FastifyRequest) => Caller
}

/** What records of one entity were before. */
export const historyRoutes =
  (entity: Entity, { database, publicUrl, callerOf }: HistoryDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const path = `/v1/${entity.path}/:id/History`
    const answer = (request: FastifyRequest, reply: FastifyReply, body: object) => {
      const text = JSON.stringify(body)
      setCaching(reply, request.principal)
      if (isUnchanged(request, reply, weakEtag([text]))) return reply.send()
      return reply.type(jsonType).send(text)
    }

    app.get(path, { schema: historyOperation(entity) }, async (request, reply) => {
      const { pagenumber, pagesize } = request.query
      const wanted = { entity, id: toEntityId(entity, request.params.id) }
      const { total, versions } = await loadVersions(database, wanted, {
        caller: callerOf(request),
        ...{ offset: (pagenumber - 1) * pagesize, limit: pagesize },
      })
      const pages = Math.ceil(total / pagesize)
      const pageAt = (number: number) =>
        number < 1 || number > pages
          ? null
          : pageAddress(publicUrl, request.url, { pagenumber: number })
      const address = `${itemAddress(publicUrl, entity, wanted.id)}/History`
      return answer(request, reply, {
        ...{ TotalResults: total, TotalPages: pages, CurrentPage: pagenumber },
        ...{ PreviousPage: pageAt(pagenumber - 1), NextPage: pageAt(pagenumber + 1), Seed: null },
        Items: versions.map((version) => toItem(version, address)),
      })
    })

    app.get(`${path}/:revision`, { schema: versionOperation(entity) }, async (request, reply) => {
      const { id, revision } = request.params
      const wanted = { entity, id: toEntityId(entity, id), revision: Number(revision) }
      const data = await loadVersion(database, wanted, callerOf(request))
      const address = itemAddress(publicUrl, entity, wanted.id)
      return answer(request, reply, { ...data, Self: `${address}/History/${revision}` })
    })
    return Promise.resolve()
  }

function toItem({ revision, data, changes }: Version, address: string) {
  const { LastUpdate = null, Source = null, UpdateInfo } = membersOf(data['_Meta'])
  const { UpdatedBy = null } = membersOf(UpdateInfo)
  return {
    ...{ Revision: revision, LastUpdate, UpdatedBy, Source },
    Changes: changes ?? null,
    Self: `${address}/${String(revision)}`,
  }
}
