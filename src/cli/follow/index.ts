/** `hub import --follow`: takes what another DATEX II feed publishes, and keeps doing so. */
import { InvalidArgumentError } from 'commander'
import { setTimeout as wait } from 'node:timers/promises'
import { publicUrlOf } from '../../compose/index.ts'
import { prepare } from '../context.ts'
import type { Context } from '../context.ts'
import { issuerOf, requestToken, toForm } from '../token.ts'
import { toTarget } from './target.ts'
import type { Target } from './target.ts'
import { stepTo } from '../../traffic/index.ts'
import type { Held } from '../../traffic/index.ts'
import { requestFeed, retryAfterOf } from './source.ts'
import type { Taken } from './source.ts'

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

type Deps = {
  readonly fetch: typeof fetch
  readonly target: Target
  readonly version: string
  readonly now: () => Date
  readonly random: () => number
  /** Resolves after a time, or at once when the process is told to stop. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly isStopped: () => boolean
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

type Request = {
  readonly address: URL
  /** Undefined: as the publisher names itself. */
  readonly origin: string | undefined
  /** Seconds from one request to the next. */
  readonly every: number
  readonly isOnce: boolean
}

/** What was taken last, and what the hub has since; a process that is killed loses nothing with it. */
type State = { readonly taken: Taken; readonly held: Held }

/**
 * Follows a feed until the process is told to stop, or takes one document.
 * @returns whether the last document was taken, and no item of any was rejected
 */
export async function followFeed(deps: Deps, request: Request): Promise<boolean> {
  let state: State | undefined
  let [failures, rejected] = [0, 0]
  for (;;) {
    let retryAfter: number | undefined
    try {
      const turn = await takeNext(deps, request, state)
      state = turn.state
      rejected += turn.rejected
      failures = 0
    } catch (error) {
      failures += 1
      retryAfter = retryAfterOf(error)
      deps.complain(error instanceof Error ? error.message : String(error))
    }
    if (!request.isOnce && !deps.isStopped())
      await deps.pause(delayAfter({ failures, retryAfter, every: request.every }, deps.random))
    if (request.isOnce || deps.isStopped()) return failures === 0 && rejected === 0
  }
}

type Turn = { readonly state: State | undefined; readonly rejected: number }

/** A document counts as taken once all that it changes is processed; until then it is requested again. */
async function takeNext(
  deps: Deps,
  { address, origin: wanted }: Request,
  state: State | undefined,
): Promise<Turn> {
  const { version, now, target } = deps
  const answer = await requestFeed(deps.fetch, { address, taken: state?.taken, version, now })
  if (answer === undefined) return { state, rejected: 0 }
  const { publication, isComplete, taken } = answer
  const origin = wanted ?? publication.supplier
  if (origin === undefined)
    throw new Error('The publication does not name its publisher. Use --origin.')
  const held = state?.held ?? (await target.loadHeld(origin))
  const step = stepTo(publication, { held, isComplete })
  const rejected = await target.push(origin, step.items)
  for (const { item, reason } of rejected)
    deps.complain(JSON.stringify({ situation: item?.series ?? null, reason }))
  if (step.items.length > 0 || state === undefined)
    deps.print(
      `${publication.publicationTime.toISOString()}: ${String(step.items.length)} of ` +
        `${String(publication.situations.length)} situations pushed, ${String(rejected.length)} rejected`,
    )
  return { state: { taken, held: step.held }, rejected: rejected.length }
}

/** The longest pause after failures that the source does not ask for, in ms. */
const longestPause = 900_000
const oneDay = 86_400_000

type Wait = {
  readonly failures: number
  readonly retryAfter: number | undefined
  /** Seconds. */
  readonly every: number
}

/** After failures twice as long each time, at random, so that many followers do not return at once. */
export function delayAfter({ failures, retryAfter, every }: Wait, random: () => number): number {
  const regular = every * 1000
  if (failures === 0) return regular
  const grown = Math.max(regular, Math.min(regular * 2 ** failures, longestPause))
  const pause = Math.max(regular, grown * (0.5 + random() / 2))
  return Math.max(pause, Math.min(retryAfter ?? 0, oneDay))
}
