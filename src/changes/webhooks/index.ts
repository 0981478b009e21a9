// Webhooks of the change feed: the hub notifies subscribers of new changes, and they read them.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Registry } from 'prom-client'
import { requirePrincipal, requireRole } from '../../access/index.ts'
import type { Principal } from '../../access/index.ts'
import type { Every } from '../../async/index.ts'
import { AppError } from '../../errors/index.ts'
import { checkedBody, internet, jsonType, readJsonBodies } from '../../http/index.ts'
import type { Outside } from '../../http/index.ts'
import { findFeed } from '../feed.ts'
import type { Following } from '../follow.ts'
import { deliverNotifications } from './deliver.ts'
import { beginAt } from './examine.ts'
import {
  subscribeOperation,
  subscriptionRequest,
  subscriptionOperation,
  subscriptionsOperation,
  unsubscribeOperation,
} from './schemas.ts'
import { checkAddress } from './send.ts'
import { listSubscriptions, removeSubscriptions, storeSubscription } from './subscriptions.ts'

export { secretPattern } from './schemas.ts'
export { postSigned } from './send.ts'

type Deps = {
  readonly following: Following
  readonly publicUrl: string
  readonly metrics: Registry
  readonly every: Every
  readonly onError: (error: unknown) => void
  /** Whether receivers may run on this machine: only if no other machine can reach the hub. */
  readonly loopback: 'allowed' | 'refused'
  /** Transport of the notifications. Default: the internet; tests replace it. */
  readonly outside?: Outside
}

const subscriber = 'ChangeSubscriber'

/** Serves `/changes/{feed}/subscriptions`, and delivers the notifications (docs/webhooks.md). */
export const webhookRoutes =
  ({ outside = internet, ...deps }: Deps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { database, sources, now } = deps.following
    const sending = { ...deps, outside, now }
    const end = deliverNotifications(sending)
    app.addHook('onClose', end)
    readJsonBodies(app)
    const path = '/changes/:feed/subscriptions'
    const guarded = { schema: subscribeOperation, bodyLimit: maxBytes, onRequest: demandRole }
    app.post(path, guarded, async (request, reply) => {
      const { principal, params, body } = request
      const created = await subscribe(sending, { principal, name: params.feed, body })
      const { location, ...shown } = created
      void reply.code(201).headers({ location, 'cache-control': 'no-store' })
      return reply.type(jsonType).send(JSON.stringify(shown))
    })
    app.get(path, { schema: subscriptionsOperation }, async (request, reply) => {
      const subject = subjectOf(request.principal)
      const feed = findFeed(sources, request.params.feed)
      const subscriptions = await listSubscriptions(database, { feed: feed.name, subject })
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify({ subscriptions }))
    })
    app.get(`${path}/:id`, { schema: subscriptionOperation }, async (request, reply) => {
      const subject = subjectOf(request.principal)
      const [found] = await listSubscriptions(database, { ...request.params, subject })
      if (found === undefined) throw noSuchSubscription()
      void reply.header('cache-control', 'no-store').type(jsonType)
      return reply.send(JSON.stringify(found))
    })
    app.delete(`${path}/:id`, { schema: unsubscribeOperation }, async (request, reply) => {
      const subject = subjectOf(request.principal)
      const removed = await removeSubscriptions(database, { ...request.params, subject })
      if (removed === 0) throw noSuchSubscription()
      return reply.code(204).send(null)
    })
  }

type Subscribing = Required<Pick<Deps, 'following' | 'publicUrl' | 'loopback' | 'outside'>>

type Request = {
  readonly principal: Principal
  /** Name of the feed. */
  readonly name: string
  readonly body: unknown
}

async function subscribe(deps: Subscribing, request: Request) {
  const { following, publicUrl } = deps
  const { database, secrets, sources, now } = following
  const { principal, name } = request
  const { url: written, secret = newSecret() } = checkedBody(
    subscriptionRequest,
    request.body,
    subscriptionHint,
  )
  const owner = ownerOf(principal)
  const feed = findFeed(sources, name)
  const url = await allowedUrl(deps, written)
  const { from, offset } = await beginAt(following, feed, owner)
  const subscription = {
    feed: feed.name,
    url,
    secret: secrets.seal(secret),
    owner,
    from,
    now: now(),
  }
  const stored = await storeSubscription(database, subscription)
  const location = `${publicUrl}/changes/${encodeURIComponent(feed.name)}/subscriptions/${stored.id}`
  return { ...stored, secret, offset, location }
}

/** Enough for a URL and a key. */
const maxBytes = 8192

/** Runs before the body is read, as for all writes (decision D33). */
function demandRole(request: FastifyRequest, _reply: unknown, done: () => void) {
  requireRole(request.principal, 'ADMIN', subscriber)
  done()
}

function ownerOf(principal: Principal) {
  const { subject, client, name, roles } = requirePrincipal(principal)
  return { subject, client, name, roles: [...roles] }
}

/** Returns whose subscriptions a caller may see and delete; undefined for those of all callers. */
function subjectOf(principal: Principal): string | undefined {
  const { subject, roles } = requirePrincipal(principal)
  return roles.has('ADMIN') ? undefined : subject
}

const subscriptionHint =
  'It is an object with url and, if you want to choose the key yourself, secret.'

/** Generates a key of 256 random bits in the format of Standard Webhooks. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** @throws AppError HUB-CHG-003 if the URL is not allowed */
async function allowedUrl(
  guard: Parameters<typeof checkAddress>[0],
  written: string,
): Promise<string> {
  const checked = await checkAddress(guard, written)
  if (checked.kind === 'allowed') return checked.url.href
  const expected = ['https URL of a host on the public internet']
  throw new AppError('HUB-CHG-003', checked.detail, {
    issues: [{ pointer: '/url', detail: checked.detail, expected }],
  })
}

function noSuchSubscription(): AppError {
  return new AppError('HUB-RTE-003', 'You have no such subscription to this feed.', {
    hint: 'GET /changes/{feed}/subscriptions lists your subscriptions.',
  })
}
