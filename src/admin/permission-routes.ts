import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  addRules,
  listGrants,
  listRules,
  ownOnly,
  parseRules,
  removeAllRules,
} from '../access/index.ts'
import type { AccessRule, PushGrant, PushScope } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { parseObject } from '../lang/json.ts'
import { bodyLimit, bodyOf, changeBy, ruleLimit, sendJson } from './guard.ts'
import type { AdminDeps } from './guard.ts'
import { listAudit } from './list-audit.ts'
import { forgetRules, grantPush, revokePush, toHolder } from './permissions.ts'
import {
  auditOperation,
  auditParameters,
  grantBody,
  pushOperations,
  ruleBody,
  ruleOperations,
} from './permission-schemas.ts'
import type { GrantBody } from './permission-schemas.ts'

/** Rules, push permissions, and the log of all changes. */
export const permissionRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(ruleRoutes(deps))
    await app.register(pushRoutes(deps))
    const schema = { ...auditOperation, querystring: auditParameters }
    app.get('/access/audit', { schema }, async (request, reply) =>
      sendJson(reply, await auditPage(deps, request.query)),
    )
  }

const ruleRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { list, add, replace, remove } = ruleOperations
    const path = '/access/rules'
    const limited = { bodyLimit: ruleLimit }
    app.get(path, { schema: list }, async (_, reply) =>
      sendJson(reply, { rules: await listRules(deps.database) }),
    )
    app.post(path, { schema: add, ...limited }, async (request, reply) => {
      const rules = readRules(bodyOf(ruleBody, request))
      const added = await changeBy(deps, request, (tx) => addRules(tx, rules))
      return sendJson(reply, { added, known: rules.length - added })
    })
    app.put(path, { schema: replace, ...limited }, async (request, reply) => {
      const rules = readRules(bodyOf(ruleBody, request))
      const added = await changeBy(deps, request, async (tx) => {
        await removeAllRules(tx)
        return await addRules(tx, rules)
      })
      return sendJson(reply, { added, known: rules.length - added })
    })
    app.delete(`${path}/:id`, { schema: remove }, async (request, reply) => {
      await changeBy(deps, request, (tx) => forgetRules(tx, [request.params.id]))
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

/** @throws AppError HUB-BDY-001 that names the rule, what is wrong and what is allowed */
function readRules(content: unknown): readonly AccessRule[] {
  try {
    return parseRules(content)
  } catch (cause) {
    throw new AppError('HUB-BDY-001', cause instanceof Error ? cause.message : '', { cause })
  }
}

const pushRoutes =
  (deps: AdminDeps): FastifyPluginAsyncTypebox =>
  (app) => {
    const { list, put, remove } = pushOperations
    const path = '/access/push'
    app.get(path, { schema: list }, async (_, reply) =>
      sendJson(reply, { permissions: (await listGrants(deps.database)).map(toShown) }),
    )
    app.put(path, { schema: put, bodyLimit }, async (request, reply) => {
      const { client: holder, path: pathPattern, ...sent } = bodyOf(grantBody, request)
      const client = toHolder(holder)
      const granted = { client, pathPattern, scope: toScope(sent), identity: deps.identity.kind }
      const permission = await changeBy(deps, request, async (tx) => {
        await grantPush(tx, granted)
        const all = await listGrants(tx)
        return all.find((one) => one.client === client && one.pathPattern === pathPattern)
      })
      return sendJson(reply, permission === undefined ? null : toShown(permission))
    })
    app.delete(path, { schema: remove }, async (request, reply) => {
      const { path: pathPattern, ...query } = request.query
      const client = toHolder(query.client)
      await changeBy(deps, request, (tx) => revokePush(tx, { client, pathPattern }))
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

function toScope(sent: Omit<GrantBody, 'client' | 'path'>): PushScope {
  return {
    kinds: sent.kinds ?? ownOnly.kinds,
    entities: sent.entities ?? ownOnly.entities,
    station_types: sent.stationTypes ?? ownOnly.station_types,
    origins: sent.origins ?? ownOnly.origins,
    sources: sent.sources ?? ownOnly.sources,
    may_delete: sent.mayDelete ?? ownOnly.may_delete,
    may_complete: sent.mayComplete ?? ownOnly.may_complete,
    may_publish_closed: sent.mayPublishClosed ?? ownOnly.may_publish_closed,
  }
}

function toShown({
  client,
  pathPattern,
  kinds,
  entities,
  origins,
  sources,
  ...grant
}: PushGrant & PushScope) {
  const { station_types, may_delete, may_complete, may_publish_closed } = grant
  return {
    ...{
      client,
      path: pathPattern,
      kinds,
      entities,
      stationTypes: station_types,
      origins,
      sources,
    },
    mayDelete: may_delete,
    mayComplete: may_complete,
    mayPublishClosed: may_publish_closed,
  }
}

type Wanted = {
  readonly before?: string
  readonly limit: number
  readonly dataset?: string
  readonly id?: string
  readonly by?: string
  readonly from?: string
  readonly to?: string
}

async function auditPage({ database }: AdminDeps, { limit, from, to, ...wanted }: Wanted) {
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
  const filter = { ...wanted, from: time(from), to: time(to) }
  const found = await listAudit(database, filter, limit + 1)
  const shown = found.slice(0, limit)
  const entries = shown.map(({ sequence, id: record, detail, ...entry }) => ({
    id: sequence,
    ...entry,
    record,
    changes: detail === null ? null : parseObject(detail),
  }))
  return { entries, next: found.length > limit ? (shown.at(-1)?.sequence ?? null) : null }
}
