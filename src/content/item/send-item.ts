import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { anonymous } from '../../access/index.ts'
import type { Principal, Visibility } from '../../access/index.ts'
import {
  contentTypeOf,
  isUnchanged,
  reasonFor,
  setCaching,
  tellIgnored,
  tellWithheld,
} from '../../http/index.ts'
import { sql } from '../../sql/index.ts'
import type { Database } from '../../storage/index.ts'
import { readStored } from '../datasets/index.ts'
import type { Maker } from '../datasets/index.ts'
import { tellUses } from '../deprecations/index.ts'
import { toEntityId } from '../entity.ts'
import type { Entity, Narrowing, Query, Rewrite } from '../entity.ts'
import { readEach } from '../filters/index.ts'
import { parametersIgnored } from '../formats/index.ts'
import { isVisible } from '../list/plan.ts'
import type { Planning } from '../list/plan.ts'
import { callerOf, choose, planningOf, readWhole } from '../reading.ts'
import { toRepresentation, withMember } from '../representation/index.ts'
import type { itemOperation } from '../schemas.ts'
import { tableOf } from '../table.ts'
import { withheldFields, withheldRecords } from '../withheld.ts'
import { getEntity } from './get-entity.ts'

type Deps = Pick<Planning, 'now' | 'timeZone' | 'availability'> & {
  readonly database: Database
  readonly publicUrl: string
  readonly visibilityOf: (principal: Principal) => Visibility
  readonly make: Maker
}

type ItemRequest = FastifyRequest<{
  Params: { id: string }
  Querystring: Static<ReturnType<typeof itemOperation>['querystring']>
}>

export type AnswerItem = (exchange: Exchange) => Promise<FastifyReply>

type Exchange = { readonly request: ItemRequest; readonly reply: FastifyReply }

/** Answers a single read (interface 4.4). */
export async function sendItem(
  entity: Entity,
  deps: Deps,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { query, params, principal } = request
  const { publicUrl, make } = deps
  const database = deps.database.read
  const caller = callerOf(request, deps.visibilityOf)
  const choice = choose(entity, 'item', { request, query, caller })
  const asking = { entity, id: params.id, query }
  const { found, rewrites } = await findOut(asking, planningOf(deps, request))
  const reduced = caller.isAnonymous && entity.closedMembers.length > 0
  const stored = { representation: toRepresentation(query, { entity, reduced }) }
  const made = await make(stored.representation, caller.visibility)
  const read = rewrites.reduce(readStored, readStored(readWhole(stored, choice), made))
  const representation = found.reduce(
    (shown, { member }) => withMember(shown, member.name),
    read.representation,
  )
  const asked = { entity, id: params.id, representation, choice, bom: query.bom, found, rewrites }
  const wanted = made === undefined ? asked : { ...asked, made }
  // A record that the caller may not see is 404, and so is one that does not exist.
  tellWithheld(reply, withheldRecords(entity, caller), reasonFor(principal))
  tellIgnored(reply, parametersIgnored(choice, query, caller))
  const answer = await getEntity({ database, publicUrl }, wanted, caller)
  setCaching(reply, principal)
  tellWithheld(reply, withheldFields(entity, caller), reasonFor(principal))
  tellUses(reply, { entity, fields: representation.fields, query, publicUrl })
  if (answer.lastModified !== undefined) {
    void reply.header('last-modified', answer.lastModified.toUTCString())
  }
  if (isUnchanged(request, reply, answer.etag)) return reply.send()
  return reply.type(contentTypeOf(answer.choice)).send(answer.body)
}

/** What was found out about a record, and how it is to be shown. */
type FoundOut = {
  readonly found: readonly Narrowing[]
  readonly rewrites: readonly { readonly rewrite: Rewrite; readonly basis: string }[]
}

type Asked = { readonly entity: Entity; readonly id: string; readonly query: Query }

/**
 * What the filters that a single read takes find out about its record, such as its free rooms. They
 * leave no record out: one that has none is shown without.
 * @throws AppError for values that cannot be taken, and for what the caller may not ask
 */
async function findOut({ entity, id, query }: Asked, planning: Planning): Promise<FoundOut> {
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
