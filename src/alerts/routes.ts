import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePrincipal, requireRole } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import { checkedBody, readJsonBodies } from '../http/index.ts'
import type { Queryable } from '../storage/index.ts'
import {
  acknowledge,
  endSilence,
  listAlerts,
  listNotices,
  listSilences,
  silence,
} from './alert-store.ts'
import { conditions } from './conditions.ts'
import type { AlertFile, AlertRule } from './rules.ts'
import { describe } from './watch.ts'
import { exactly, orNull, problem } from '../lang/schemas.ts'

const tags = ['Operation']
const security = [{ bearer: [] }]
const refusals = { 401: problem, 403: problem }
const time = (description: string) => Type.String({ format: 'date-time', description })

const ruleShown = Type.Object({
  name: Type.String(),
  watch: Type.String({ description: 'Such as stream-silent' }),
  of: orNull(Type.String({ description: 'The only subject; null: all' })),
  limit: Type.Number(),
  meaning: Type.String({ description: 'What the limit means' }),
  receivers: Type.Array(Type.String()),
  silencedUntil: orNull(time('No notification is sent before this time')),
  silencedBy: orNull(Type.String({ description: 'Name of the user' })),
})

const alertShown = Type.Object({
  rule: Type.String(),
  subject: Type.String({ description: 'Stream, origin or node; empty for the hub as a whole' }),
  state: Type.Enum(['pending', 'firing'], {
    description: 'pending: the condition does not hold for as long as the rule requires yet',
  }),
  text: Type.String({ description: 'What was found' }),
  since: time('Since when the condition holds'),
  notified: orNull(time('When the receivers were last notified')),
  acknowledged: orNull(time('When somebody acknowledged it')),
  acknowledgedBy: orNull(Type.String({ description: 'Name of the user' })),
})

const noticeShown = Type.Object({
  receiver: Type.String(),
  text: Type.String(),
  state: Type.Enum(['firing', 'resolved']),
  made: time('When it was made'),
  attempts: Type.Integer(),
  lastError: orNull(Type.String({ description: 'Why the last attempt failed' })),
})

/** Schema of `GET /alerts`. */
export const alertsOperation = {
  operationId: 'getAlerts',
  summary: 'Alerts, their rules, and undelivered notifications',
  description: 'For operators (role ADMIN). The rules are in the file of HUB_ALERTS.',
  tags,
  security,
  response: {
    200: Type.Object({
      alerts: Type.Array(alertShown),
      rules: Type.Array(ruleShown),
      notices: Type.Array(noticeShown, { description: 'At most 100, the oldest first' }),
    }),
    ...refusals,
  },
}

const ruleParams = Type.Object({
  rule: Type.String({ maxLength: 64, examples: ['parking-silent'], description: 'Name of a rule' }),
})

const silenceBody = exactly(
  { hours: Type.Number({ exclusiveMinimum: 0, maximum: 2160, description: 'Hours from now' }) },
  { examples: [{ hours: 8 }] },
)

const acknowledgeBody = exactly(
  { subject: Type.String({ maxLength: 300, description: 'As in GET /alerts' }) },
  { examples: [{ subject: 'demo/parking' }] },
)

const changed = { 204: Type.Null({ description: 'Done' }), 400: problem, ...refusals, 404: problem }
const written = { ...changed, 413: problem, 415: problem }

const silenceOperation = {
  operationId: 'silenceRule',
  summary: 'Silence a rule for some hours',
  description:
    'For operators (role ADMIN). Its alerts stay visible, and receivers are still notified of the end of an alert that they know.',
  ...{ tags, security, params: ruleParams, body: silenceBody, response: written },
}

const endSilenceOperation = {
  operationId: 'endSilence',
  summary: 'End the silence of a rule',
  description:
    'For operators (role ADMIN). Receivers are notified of firing alerts within a minute.',
  ...{ tags, security, params: ruleParams, response: changed },
}

const acknowledgeOperation = {
  operationId: 'acknowledgeAlert',
  summary: 'Acknowledge an alert: no more reminders',
  description: 'For operators (role ADMIN). Receivers are still notified when the alert ends.',
  ...{ tags, security, params: ruleParams, body: acknowledgeBody, response: written },
}

type Deps = {
  readonly database: Queryable
  /** Undefined without HUB_ALERTS. */
  readonly file: AlertFile | undefined
  readonly now: () => Date
}

/** Routes under `/alerts` (docs/alerts.md). */
export const alertRoutes =
  ({ database, file, now }: Deps): FastifyPluginAsyncTypebox =>
  (app) => {
    readJsonBodies(app)
    const { rules, receivers } = file ?? { rules: [], receivers: [] }
    const guarded = { onRequest: demandOperator, bodyLimit: 4096 }
    app.get('/alerts', { schema: alertsOperation, ...guarded }, async (_request, reply) => {
      void reply.header('cache-control', 'no-store')
      return showAll(database, { rules, receivers }, now())
    })
    const silencing = { schema: silenceOperation, ...guarded }
    app.put('/alerts/:rule/silence', silencing, async ({ params, body, principal }, reply) => {
      const { name: rule } = findRule(rules, params.rule)
      const { hours } = checkedBody(silenceBody, body, 'It is an object with hours.')
      const { name: by } = requirePrincipal(principal)
      await silence(database, { rule, until: new Date(now().getTime() + hours * oneHour), by })
      return reply.code(204).send(null)
    })
    const ending = { schema: endSilenceOperation, ...guarded }
    app.delete('/alerts/:rule/silence', ending, async ({ params }, reply) => {
      await endSilence(database, findRule(rules, params.rule).name)
      return reply.code(204).send(null)
    })
    const taking = { schema: acknowledgeOperation, ...guarded }
    app.post('/alerts/:rule/acknowledge', taking, async ({ params, body, principal }, reply) => {
      const { name: rule } = findRule(rules, params.rule)
      const { subject } = checkedBody(acknowledgeBody, body, 'It is an object with subject.')
      const { name: by } = requirePrincipal(principal)
      if (!(await acknowledge(database, { rule, subject, by, now: now() }))) throw noSuchAlert()
      return reply.code(204).send(null)
    })
    return Promise.resolve()
  }

async function showAll(database: Queryable, { rules, receivers }: AlertFile, now: Date) {
  const [alerts, silences, notices] = await Promise.all([
    listAlerts(database),
    listSilences(database, now),
    listNotices(database),
  ])
  const names = receivers.map(({ name }) => name)
  return {
    alerts: alerts.flatMap((alert) => {
      const rule = rules.find(({ name }) => name === alert.rule)
      return rule === undefined ? [] : [showAlert(alert, rule)]
    }),
    rules: rules.map((rule) => ({
      ...showRule(rule, names),
      ...showSilence(silences.find((one) => one.rule === rule.name)),
    })),
    notices: notices.map((one) => ({ ...one, made: one.made.toISOString() })),
  }
}

/** Requires the role ADMIN, before the body is read. */
function demandOperator(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  requireRole(request.principal, 'ADMIN')
  done()
}

const oneHour = 3_600_000

function findRule(rules: readonly AlertRule[], name: string): AlertRule {
  const found = rules.find((one) => one.name === name)
  if (found !== undefined) return found
  throw new AppError('HUB-RTE-003', 'There is no such rule.', {
    hint: 'GET /alerts lists the rules of HUB_ALERTS.',
  })
}

function noSuchAlert(): AppError {
  return new AppError('HUB-RTE-003', 'There is no such alert.', {
    hint: 'It may have ended. GET /alerts lists current alerts.',
  })
}

type Alert = Awaited<ReturnType<typeof listAlerts>>[number]

function showAlert(alert: Alert, rule: AlertRule) {
  const { subject, since, fired, notified, acknowledged, acknowledgedBy } = alert
  return {
    ...{ rule: rule.name, subject, acknowledgedBy },
    state: fired === null ? ('pending' as const) : ('firing' as const),
    text: describe(rule, alert),
    since: since.toISOString(),
    notified: notified?.toISOString() ?? null,
    acknowledged: acknowledged?.toISOString() ?? null,
  }
}

function showRule({ name, watch, of, limit, to }: AlertRule, receivers: readonly string[]) {
  const { limit: meaning } = conditions[watch]
  return { name, watch, of: of ?? null, limit, meaning, receivers: [...(to ?? receivers)] }
}

function showSilence(found: Awaited<ReturnType<typeof listSilences>>[number] | undefined) {
  return { silencedUntil: found?.until.toISOString() ?? null, silencedBy: found?.by ?? null }
}
