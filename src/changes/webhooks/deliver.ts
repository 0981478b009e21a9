import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { joinRunning } from '../../async/index.ts'
import type { Every } from '../../async/index.ts'
import { examineFeed } from './examine.ts'
import type { Following } from '../follow.ts'
import { sendNotification } from './send.ts'
import type { Sending } from './send.ts'
import {
  claimSubscriptions,
  countSubscriptions,
  releaseSubscription,
  storeExamined,
  storeNotification,
  storeOutcome,
} from './subscriptions.ts'
import type { Claimed, Notification } from './subscriptions.ts'

type Deps = Sending & {
  readonly following: Following
  readonly metrics: Registry
  readonly every: Every
  readonly onError: (error: unknown) => void
}

/** Interval at which the feeds are checked for changes, in milliseconds. */
const interval = 1000
const oneMinute = 60_000

/** Subscriptions that one node works on at a time. */
const maxAtOnce = 16

/**
 * Notifies subscribers of new changes. Each subscription is processed by one node at a time and has
 * one notification in flight: changes in the meantime are covered by the next one.
 * @returns a function that stops the delivery, and resolves when nothing is being sent any more
 */
export function deliverNotifications(deps: Deps): () => Promise<void> {
  const { every, now, onError } = deps
  const { database, areRightsKnown } = deps.following
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const note = keepMetrics(deps)
  const start = (claimed: Claimed) => {
    const work = attend(deps, claimed, { note, ended: closing.signal })
      .catch(onError)
      .finally(() => running.delete(work))
    running.add(work)
  }
  const look = joinRunning(async () => {
    const free = maxAtOnce - running.size
    if (free === 0 || closing.signal.aborted || !areRightsKnown()) return
    const claims = await claimSubscriptions(database, now(), free)
    for (const claimed of claims) start(claimed)
  })
  const stop = every(interval, () => look().catch(onError))
  return async () => {
    stop()
    note.stop()
    closing.abort()
    await look().catch(onError)
    await Promise.all(running)
  }
}

type Attending = { readonly note: Note; readonly ended: AbortSignal }

/**
 * Delivers the next notification of a subscription: looks for new changes and sends it. After an
 * error, the subscription rests until its lease expires.
 */
async function attend(deps: Deps, claimed: Claimed, { note, ended }: Attending): Promise<void> {
  const { database, secrets, now } = deps.following
  const notification = claimed.notification ?? (await findNotification(deps, claimed))
  if (notification === undefined) return
  const outcome = await sendNotification(
    deps,
    { ...claimed, ...notification, secret: secrets.open(claimed.secret) },
    ended,
  )
  if (ended.aborted && outcome.kind === 'failed') {
    // This node is stopping, which is not a failure of the receiver.
    await releaseSubscription(database, claimed)
    return
  }
  note.outcome(outcome.kind)
  const attempts = claimed.notification === undefined ? 0 : claimed.attempts
  await storeOutcome(database, { ...claimed, attempts }, { outcome, now: now() })
}

async function findNotification(deps: Deps, claimed: Claimed): Promise<Notification | undefined> {
  const { database, now } = deps.following
  const { examined, body } = await examineFeed(deps.following, claimed)
  if (body !== undefined) {
    return storeNotification(database, claimed, { examined, body, now: now() })
  }
  await storeExamined(database, claimed, { examined, now: now() })
  return undefined
}

type Note = { readonly outcome: (kind: string) => void; readonly stop: () => void }

function keepMetrics({ following: { database }, metrics, every, onError }: Deps): Note {
  const deliveries = new Counter({
    name: 'hub_webhook_deliveries_total',
    help: 'Attempts to deliver a notification, by result',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  })
  const gauge = new Gauge({
    name: 'hub_webhook_subscriptions',
    help: 'Subscriptions to change feeds, by state',
    labelNames: ['state'] as const,
    registers: [metrics],
  })
  const count = async () => {
    const counts = await countSubscriptions(database)
    for (const state of ['active', 'ended', 'failed']) gauge.set({ state }, counts.get(state) ?? 0)
  }
  const stop = every(oneMinute, () => count().catch(onError))
  return { outcome: (outcome) => deliveries.inc({ outcome }), stop }
}
