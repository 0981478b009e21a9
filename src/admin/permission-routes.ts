import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
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
import { readMoment } from '../http/index.ts'
import { parseObject } from '../lang/json.ts'
import { bodyLimit, bodyOf, changeBy, ruleLimit, sendJson } from './guard.ts'
import type { AdminDeps } from './guard.ts'
import { listAudit } from './list-audit.ts'
import { forgetRules, grantPush, revokePush, toHolder } from './permissions.ts'
import { exactly, orNull } from '../lang/schemas.ts'
import { forms } from './fields.ts'
import { line, nothing, optional, reading, writing } from './schemas.ts'

const names = orNull(
  Type.Array(line(300, 'Name'), {
    maxItems: 200,
    description: 'null: what the stream itself wrote',
  }),
)
const grant = {
  client: Type.String({ ...forms.holder, description: 'Client id, or user:<name>' }),
  path: Type.String({ ...forms.path, description: 'Or /<provider>/* or /*' }),
  kinds: orNull(Type.Array(line(100, 'Kind'), { maxItems: 50, description: 'null: any' })),
  entities: orNull(Type.Array(line(100, 'Entity'), { maxItems: 200, description: 'null: any' })),
  stationTypes: orNull(Type.Array(line(100, 'Type'), { maxItems: 200, description: 'null: any' })),
  origins: names,
  sources: names,
  mayDelete: Type.Boolean({
    description: 'Can delete records of sources that other streams wrote',
  }),
  mayComplete: Type.Boolean({
    description: 'Can end stations of origins that other streams wrote',
  }),
  mayPublishClosed: Type.Boolean({ description: 'Can change closed data to open' }),
}
const { client: granted, path, ...scope } = grant

const grantBody = Type.Object(
  { client: granted, path, ...optional(scope).properties },
  { additionalProperties: false, examples: [{ client: 'demo-provider', path: '/site/parking' }] },
)
type GrantBody = Static<typeof grantBody>

const oneOrMore = <Item extends TSchema>(item: Item) =>
  Type.Union([Type.Null(), item, Type.Array(item, { maxItems: 20_000 })])
const text = line(300, 'Name')
const period = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds' })
const writtenRule = exactly({
  role: oneOrMore(text),
  area: Type.Optional(oneOrMore(text)),
  origin: Type.Optional(oneOrMore(text)),
  type: Type.Optional(oneOrMore(text)),
  dataType: Type.Optional(oneOrMore(text)),
  period: Type.Optional(oneOrMore(period)),
})

/**
 * The body with rules. Each rule is parsed like one of a file, because its messages are more
 * helpful than those of a schema.
 */
const ruleBody = Type.Object(
  { rules: Type.Array(Type.Object({}), { minItems: 1, maxItems: 20_000 }) },
  { additionalProperties: false },
)
const describedRules = Type.Object(
  { rules: Type.Array(writtenRule, { minItems: 1, maxItems: 20_000 }) },
  {
    additionalProperties: false,
    description:
      'A list in a field adds one rule for each of its values; an omitted field matches everything',
    examples: [{ rules: [{ role: 'BDP_A22', area: 'timeseries', origin: ['A22'] }] }],
  },
)
const outcome = Type.Object({
  added: Type.Integer({ description: 'Rules that are new' }),
  known: Type.Integer({ description: 'Rules that existed already' }),
})

/** Operations on rules. */
export const ruleOperations = {
  list: reading(
    {
      operationId: 'listRules',
      summary: 'All rules, which open closed data to a role',
      description: 'For the role ADMIN.',
    },
    Type.Object({
      rules: Type.Array(
        Type.Object({
          id: Type.String({ description: 'Number to remove it by' }),
          role: Type.String({
            description:
              'GUEST, or a role without BDP_, unless the rest would mean something else, as in BDP_GUEST',
          }),
          area: orNull(Type.String()),
          origin: orNull(Type.String()),
          type: orNull(Type.String()),
          dataType: orNull(Type.String()),
          period: orNull(Type.Integer()),
        }),
      ),
    }),
  ),
  add: {
    ...writing(
      {
        operationId: 'addRules',
        summary: 'Add rules',
        description: 'For the role ADMIN. All are added, or none if one has a fault.',
      },
      { 200: outcome },
    ),
    body: describedRules,
  },
  replace: {
    ...writing(
      {
        operationId: 'replaceRules',
        summary: 'Replace all rules',
        description: 'For the role ADMIN. As the import of a file with --replace.',
      },
      { 200: outcome },
    ),
    body: describedRules,
  },
  remove: {
    ...writing(
      {
        operationId: 'removeRule',
        summary: 'Remove a rule',
        description: 'For the role ADMIN.',
      },
      { 204: nothing },
    ),
    params: Type.Object({
      id: Type.String({ maxLength: 20, examples: ['7'], description: 'Its number in the list' }),
    }),
  },
}

/** Operations on push permissions. */
export const pushOperations = {
  list: reading(
    {
      operationId: 'listPushPermissions',
      summary: 'All push permissions, with their scopes',
      description: 'For the role ADMIN.',
    },
    Type.Object({ permissions: Type.Array(Type.Object(grant)) }),
  ),
  put: {
    ...writing(
      {
        operationId: 'allowPush',
        summary: 'Allow a client to push to a path, and set the scope',
        description: 'For the role ADMIN. Replaces the scope of an existing permission.',
      },
      { 200: Type.Object(grant) },
    ),
    body: grantBody,
  },
  remove: {
    ...writing(
      {
        operationId: 'revokePush',
        summary: 'Revoke a push permission',
        description: 'For the role ADMIN.',
      },
      { 204: nothing },
    ),
    querystring: Type.Object({
      client: Type.String({
        ...forms.holder,
        examples: ['demo-provider'],
        description: 'Client id, or user:<name>',
      }),
      path: Type.String({
        ...forms.path,
        examples: ['/site/parking'],
        description: 'Path as granted',
      }),
    }),
  },
}

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }))

export const auditOperation = reading(
  {
    operationId: 'listAudit',
    summary: 'Who changed which record or access right, newest first',
    description: 'For the role ADMIN. Entries can only be added; the database refuses changes.',
  },
  Type.Object({
    entries: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Number of the entry' }),
        time: Type.String({ format: 'date-time' }),
        operation: Type.Enum(['Create', 'Update', 'Delete']),
        dataset: Type.String({
          description:
            'An entity, or User, Client, PushPermission, AccessRule, Session, SigningKey, Partition',
        }),
        record: Type.String({ description: 'What was changed, by its name' }),
        name: Type.String({ description: 'Who changed it' }),
        client: Type.String({ description: 'By which client; hub: a command' }),
        subject: Type.String({
          description: 'sub of the token, or the database user of a command',
        }),
        request: Type.String({ format: 'uuid', description: 'X-Request-Id of the response' }),
        changes: orNull(
          Type.Object(
            {},
            {
              additionalProperties: Type.Array(Type.Unknown()),
              description: 'Before and after, by field; null for records',
            },
          ),
        ),
      }),
    ),
    next: orNull(Type.String({ description: 'before of the next page; null: there is none' })),
  }),
)

const auditParameters = Type.Object({
  before: Type.Optional(
    Type.String({
      maxLength: 18,
      pattern: '^[0-9]{1,18}$',
      description: 'Only entries before this one: next of the previous page',
    }),
  ),
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200, description: 'Entries per page' }),
  dataset: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only this one, such as Client' }),
  ),
  id: Type.Optional(Type.String({ maxLength: 500, description: 'Only this record' })),
  by: Type.Optional(
    Type.String({ maxLength: 300, description: 'Only this user, client or subject of a token' }),
  ),
  from: time('At this time or later'),
  to: time('Before this time'),
})

/** Routes of rules, push permissions and the audit log. */
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

/**
 * Parses rules. @throws AppError HUB-BDY-001 that names the rule, what is wrong and what is allowed
 */
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
      const { scopeNames: known, identity } = deps
      const granted = { client, pathPattern, scope: toScope(sent), known, identity: identity.kind }
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

type AuditQuery = Static<typeof auditParameters>

async function auditPage({ database }: AdminDeps, { limit, from, to, ...wanted }: AuditQuery) {
  const filter = {
    ...wanted,
    from: readMoment(from, { parameter: 'from' }),
    to: readMoment(to, { parameter: 'to' }),
  }
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
