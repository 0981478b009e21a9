import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
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
import {
  acknowledgeBody,
  acknowledgeOperation,
  alertsOperation,
  endSilenceOperation,
  silenceBody,
  silenceOperation,
} from './schemas.ts'
import { describe } from './watch.ts'

type Deps = {
  readonly database: Queryable
  /** Undefined without HUB_ALERTS. */
  readonly file: AlertFile | undefined
  readonly now: () => Date
}

/** `/alerts` (docs/alerts.md). */
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

/** Before the body is read. */
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
    hint: 'It may be over. GET /alerts lists those that are not.',
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
