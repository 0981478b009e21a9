import { isIPv4 } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { faultOfUrl, publicAddressesOf } from '../../http/index.ts'
import type { Outside } from '../../http/index.ts'
import type { Claimed, Notification, Outcome } from './subscriptions.ts'

/** Where and how the hub sends notifications. */
export type Sending = {
  readonly outside: Outside
  /** Whether receivers may run on this machine: only if no other machine can reach the hub. */
  readonly loopback: 'allowed' | 'refused'
  readonly now: () => Date
}

type Checked =
  | { readonly kind: 'allowed'; readonly url: URL; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly detail: string }

const refused = (detail: string): Checked => ({ kind: 'refused', detail })

/** Milliseconds within which a receiver must respond. */
const patience = 10_000

/**
 * Checks whether notifications may be sent to a URL, and resolves its host. Must run before every
 * notification, because the name may resolve to another address by then.
 */
export async function checkAddress(
  { outside, loopback }: Pick<Sending, 'outside' | 'loopback'>,
  written: string,
  signal = AbortSignal.timeout(patience),
): Promise<Checked> {
  const url = URL.parse(written)
  if (url === null) return refused('This is not a valid URL.')
  if (loopback === 'allowed' && isLoopback(url)) {
    return { kind: 'allowed', url, addresses: loopbackAddressesOf(url) }
  }
  if (url.protocol !== 'https:') return refused('The URL does not begin with https:.')
  const fault = faultOfUrl(url)
  if (fault !== undefined) return refused(fault)
  try {
    const found = await publicAddressesOf(outside, url, signal)
    if (found.kind === 'public') return { kind: 'allowed', url, addresses: found.addresses }
    return refused(
      found.kind === 'unknown'
        ? 'The host is unknown.'
        : 'The host is not one of the public internet.',
    )
  } catch {
    return refused('The host is unknown, or its name could not be resolved in time.')
  }
}

function isLoopback({ protocol, hostname }: URL): boolean {
  const isHttp = protocol === 'http:' || protocol === 'https:'
  return isHttp && (hostname === 'localhost' || loopbackAddress(hostname) !== undefined)
}

function loopbackAddress(hostname: string): string | undefined {
  if (hostname === '[::1]') return '::1'
  return isIPv4(hostname) && hostname.startsWith('127.') ? hostname : undefined
}

/** Returns loopback addresses without a resolver, which could return others. */
function loopbackAddressesOf({ hostname }: URL): readonly string[] {
  const address = loopbackAddress(hostname)
  return address === undefined ? ['127.0.0.1', '::1'] : [address]
}

/**
 * Delivers a notification according to Standard Webhooks. Redirects are not followed, and only the
 * status of the response is read.
 * @param ended aborts the delivery
 */
export async function sendNotification(
  sending: Sending,
  { url, secret, delivery, body }: Pick<Claimed, 'url' | 'secret'> & Notification,
  ended: AbortSignal,
): Promise<Outcome> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(patience)])
  const checked = await checkAddress(sending, url, signal)
  if (checked.kind === 'refused') return { kind: 'failed', status: null, error: checked.detail }
  return postSigned(sending, { ...checked, secret, delivery, body }, signal)
}

type Post = Notification & {
  readonly url: URL
  /** Addresses of the URL's host. */
  readonly addresses: readonly string[]
  readonly secret: string
}

/** Signs a notification and posts it to a URL that has been checked. */
export async function postSigned(
  { outside, now }: Pick<Sending, 'outside' | 'now'>,
  { url, addresses, secret, delivery, body }: Post,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const headers = signed({ secret, delivery, body }, now())
    const response = await outside.exchange({ url, addresses, signal, headers, body })
    response.destroy()
    return toOutcome(response.statusCode ?? 0)
  } catch {
    const error = signal.aborted
      ? `The receiver did not respond within ${String(patience / 1000)} seconds.`
      : 'The connection to the receiver failed.'
    return { kind: 'failed', status: null, error }
  }
}

function signed({ secret, delivery, body }: Pick<Claimed, 'secret'> & Notification, time: Date) {
  return {
    'content-type': 'application/json',
    'user-agent': 'hub-webhooks',
    'webhook-id': delivery,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(delivery, time, body),
  }
}

function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'accepted', status }
  if (status === 410) return { kind: 'gone', status }
  return { kind: 'failed', status, error: `The receiver responded with ${String(status)}.` }
}
