import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  isUnchanged,
  jsonType,
  reasonFor,
  setCaching,
  tellWithheld,
  weakEtag,
} from '../../http/index.ts'
import { itemAddress, pageAddress } from '../addresses.ts'
import { toEntityId } from '../entity.ts'
import type { Entity } from '../entity.ts'
import { membersOf } from '../formats/record-members.ts'
import type { Caller } from '../list/plan.ts'
import type { Queryable } from '../../storage/index.ts'
import { requireTokens } from '../require-tokens.ts'
import { withheldRecords } from '../withheld.ts'
import { loadVersion, loadVersions } from './load-versions.ts'
import type { Version } from './load-versions.ts'
import { historyOperation, versionOperation } from './operations.ts'

export type HistoryDeps = {
  readonly database: Queryable
  readonly publicUrl: string
  readonly callerOf: (request: FastifyRequest) => Caller
}

/**
 * What records of one entity were before. Where an entity has closed members, it takes a token: how often
 * a record was saved would tell those who may not see them when they changed (decision D34).
 */
export const historyRoutes =
  (entity: Entity, deps: HistoryDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const path = `/v1/${entity.path}/:id/History`
    const answers = answersOf(entity, deps)
    if (entity.closedMembers.length > 0) requireTokens(app)
    app.get(path, { schema: historyOperation(entity) }, async (request, reply) =>
      send({ request, reply }, await answers.list(request, tell(entity, deps, { request, reply }))),
    )
    app.get(`${path}/:revision`, { schema: versionOperation(entity) }, async (request, reply) =>
      send(
        { request, reply },
        await answers.state(request, tell(entity, deps, { request, reply })),
      ),
    )
    return Promise.resolve()
  }

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Says what the caller may not see, also where the answer is that there is nothing (decision D6). */
function tell(entity: Entity, { callerOf }: HistoryDeps, { request, reply }: Exchange): Caller {
  const caller = callerOf(request)
  tellWithheld(reply, withheldRecords(entity, caller), reasonFor(request.principal))
  return caller
}

function send({ request, reply }: Exchange, body: object) {
  const text = JSON.stringify(body)
  setCaching(reply, request.principal)
  if (isUnchanged(request, reply, weakEtag([text]))) return reply.send()
  return reply.type(jsonType).send(text)
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
      const wanted = { entity, id, revision: toRevision(revision) }
      const data = await loadVersion(database, wanted, caller)
      return { ...data, Self: `${addressOf(id)}/${revision}` }
    },
  }
}

/** Revisions count from 1; what is no number is none. */
function toRevision(written: string): number {
  return /^[1-9]\d{0,8}$/.test(written) ? Number(written) : 0
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
