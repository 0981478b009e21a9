/** `hub import --follow`: takes what another DATEX II feed publishes, and keeps doing so. */
import { InvalidArgumentError } from 'commander'
import { setTimeout as wait } from 'node:timers/promises'
import { publicUrlOf } from '../../compose/index.ts'
import { prepare } from '../context.ts'
import type { Context } from '../context.ts'
import { issuerOf, requestToken, toForm } from '../token.ts'
import { followFeed } from './follow-feed.ts'
import { toTarget } from './target.ts'

export type FollowOptions = {
  readonly follow: URL
  readonly stream: string
  readonly origin?: string
  readonly hub?: string
  readonly client?: string
  readonly secretFile?: string
  readonly every: number
  readonly once?: true
}

/** Follows a feed as the options of the command say, and returns whether all of it was taken. */
export async function runFollow(context: Context, options: FollowOptions): Promise<boolean> {
  const { follow: address, stream, client, secretFile, every, once } = options
  if (client === undefined)
    throw new Error('--follow pushes to a running hub. Use --client and --secret-file.')
  const { config } = prepare(context, 'quiet')
  const url = options.hub === undefined ? {} : { url: options.hub }
  const issuer = issuerOf(config, url)
  const form = await toForm(client, secretFile === undefined ? {} : { secretFile }, context)
  const stop = new AbortController()
  void context.untilStopped().then(() => {
    stop.abort()
  })
  const pause = async (milliseconds: number) => {
    await wait(milliseconds, undefined, { signal: stop.signal }).catch(() => undefined)
  }
  const { now, version, print, complain } = context
  const target = toTarget({
    ...{ fetch: context.fetch, stream, now, pause },
    hub: options.hub?.replace(/\/+$/, '') ?? publicUrlOf(config),
    requestToken: () => requestToken(context, issuer, form),
  })
  return await followFeed(
    {
      ...{ fetch: context.fetch, target, version, now, pause, print, complain },
      random: Math.random,
      isStopped: () => stop.signal.aborted,
    },
    { address, origin: options.origin, every, isOnce: once === true },
  )
}

export function parseAddress(text: string): URL {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url !== null && isWeb && url.username === '' && url.password === '') return url
  throw new InvalidArgumentError('Expected an http or https URL without a user name and password.')
}

export function parseEvery(text: string): number {
  if (/^\d{2,5}$/.test(text) && Number(text) >= 10) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of seconds of at least 10.')
}
