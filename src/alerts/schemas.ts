import { Type } from 'typebox'
import { exactly, orNull, problem } from '../lang/schemas.ts'

const tags = ['Operation']
const security = [{ bearer: [] }]
const refusals = { 401: problem, 403: problem }
const time = (description: string) => Type.String({ format: 'date-time', description })

const ruleShown = Type.Object({
  name: Type.String(),
  watch: Type.String({ description: 'Such as stream-silent' }),
  of: orNull(Type.String({ description: 'The only subject; null: each' })),
  limit: Type.Number(),
  meaning: Type.String({ description: 'What the limit means' }),
  receivers: Type.Array(Type.String()),
  silencedUntil: orNull(time('Nobody is notified before then')),
  silencedBy: orNull(Type.String({ description: 'Name of the user' })),
})

const alertShown = Type.Object({
  rule: Type.String(),
  subject: Type.String({ description: 'Stream, origin or node; empty for the hub as a whole' }),
  state: Type.Enum(['pending', 'firing'], {
    description: 'pending: not for as long as the rule requires',
  }),
  text: Type.String({ description: 'What was found' }),
  since: time('Since when it is so'),
  notified: orNull(time('When the receivers were last notified')),
  acknowledged: orNull(time('When somebody took it on')),
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

/** `GET /alerts`. */
export const alertsOperation = {
  operationId: 'getAlerts',
  summary: 'Alerts, the rules behind them, and what has not reached its receiver',
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

export const silenceBody = exactly(
  { hours: Type.Number({ exclusiveMinimum: 0, maximum: 2160, description: 'From now on' }) },
  { examples: [{ hours: 8 }] },
)

export const acknowledgeBody = exactly(
  { subject: Type.String({ maxLength: 300, description: 'As in GET /alerts' }) },
  { examples: [{ subject: 'demo/parking' }] },
)

const changed = { 204: Type.Null({ description: 'Done' }), 400: problem, ...refusals, 404: problem }
const written = { ...changed, 413: problem, 415: problem }

/** `PUT /alerts/{rule}/silence`. */
export const silenceOperation = {
  operationId: 'silenceRule',
  summary: 'Tell nobody about a rule for some hours',
  description: 'For operators (role ADMIN). Its alerts stay visible.',
  ...{ tags, security, params: ruleParams, body: silenceBody, response: written },
}

/** `DELETE /alerts/{rule}/silence`. */
export const endSilenceOperation = {
  operationId: 'endSilence',
  summary: 'End the silence of a rule',
  description:
    'For operators (role ADMIN). Receivers are notified of firing alerts within a minute.',
  ...{ tags, security, params: ruleParams, response: changed },
}

/** `POST /alerts/{rule}/acknowledge`. */
export const acknowledgeOperation = {
  operationId: 'acknowledgeAlert',
  summary: 'Take an alert on: no more reminders',
  description: 'For operators (role ADMIN). The receivers are still notified when it ends.',
  ...{ tags, security, params: ruleParams, body: acknowledgeBody, response: written },
}
