import { Type } from 'typebox'
import { exactly, orNull, problem } from '../../lang/schemas.ts'

const tags = ['Changes']
const security = [{ bearer: [] }]
const refusals = { 400: problem, 401: problem, 404: problem }

const feed = Type.String({
  maxLength: 300,
  examples: ['Accommodation'],
  description: 'name of GET /changes',
})
const id = Type.String({
  maxLength: 36,
  pattern: '^[0-9A-Fa-f-]+$',
  description: 'id of the subscription',
})
const time = (description: string) => Type.String({ format: 'date-time', description })

/** A key of 24 to 64 bytes in base64, in the format of Standard Webhooks. */
export const secretPattern =
  '^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$'

const states = {
  active: 'active',
  ended: 'ended: the receiver responded with 410',
  failed: 'failed: every attempt over three days failed',
} as const

const fields = {
  id: Type.String({ format: 'uuid' }),
  feed: Type.String(),
  url: Type.String(),
  owner: Type.String({ description: 'Subject of the token that created it' }),
  created: time('When it was created'),
  state: Type.Enum(['active', 'ended', 'failed'], {
    description: Object.values(states).join('; '),
  }),
  attempts: Type.Integer({
    minimum: 0,
    description: 'Failed attempts to deliver the current notification',
  }),
  nextAttempt: orNull(time('When the current notification is sent next')),
  lastAttempt: orNull(time('When a notification was last sent')),
  lastSuccess: orNull(time('When a notification was last accepted')),
  lastStatus: orNull(
    Type.Integer({ description: 'Status of the last response; null if there was none' }),
  ),
  lastError: orNull(Type.String({ description: 'Why the last attempt failed' })),
}

const subscription = Type.Object(fields)

/** Body of a request to subscribe. */
export const subscriptionRequest = exactly(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'URL of the receiver: https, on the public internet',
    }),
    secret: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: secretPattern,
        description:
          'Key of the signatures: whsec_ and 24 to 64 bytes in base64. Default: generated',
      }),
    ),
  },
  { examples: [{ url: 'https://receiver.example.org/hub' }] },
)

/** `POST /changes/{feed}/subscriptions` (docs/webhooks.md). */
export const subscribeOperation = {
  operationId: 'subscribe',
  summary: 'Subscribe to notifications of new changes in a feed',
  description:
    'The role ChangeSubscriber is required. Notifications are signed as in Standard Webhooks and state the feed and its new offset; the changes themselves are read with GET /changes/{feed}.',
  tags,
  security,
  params: Type.Object({ feed }),
  body: subscriptionRequest,
  response: {
    201: Type.Object({
      ...fields,
      secret: Type.String({ description: 'Key of the signatures; shown only here' }),
      offset: Type.String({ description: 'You are notified of changes after this offset' }),
    }),
    ...refusals,
    403: problem,
    409: problem,
    413: problem,
    415: problem,
  },
}

/** `GET /changes/{feed}/subscriptions`. */
export const subscriptionsOperation = {
  operationId: 'listSubscriptions',
  summary: 'Your subscriptions to a feed, and how their deliveries went',
  description: 'With the role ADMIN, the subscriptions of all callers.',
  tags,
  security,
  params: Type.Object({ feed }),
  response: { 200: Type.Object({ subscriptions: Type.Array(subscription) }), ...refusals },
}

/** `GET /changes/{feed}/subscriptions/{id}`. */
export const subscriptionOperation = {
  operationId: 'getSubscription',
  summary: 'A subscription, and how its deliveries went',
  description: 'For its owner, and with the role ADMIN.',
  tags,
  security,
  params: Type.Object({ feed, id }),
  response: { 200: subscription, ...refusals },
}

/** `DELETE /changes/{feed}/subscriptions/{id}`. */
export const unsubscribeOperation = {
  operationId: 'unsubscribe',
  summary: 'End a subscription',
  description: 'For its owner, and with the role ADMIN. Nothing more is sent.',
  tags,
  security,
  params: Type.Object({ feed, id }),
  response: { 204: Type.Null({ description: 'The subscription is deleted' }), ...refusals },
}
