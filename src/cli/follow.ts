/** `hub import --follow`: imports what another DATEX II feed publishes, and keeps doing so. */
import { InvalidArgumentError } from 'commander'
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { publicUrlOf } from '../config/index.ts'
import { prepare } from './context.ts'
import type { Context } from './context.ts'
import { issuerOf, requestToken, toForm } from './token.ts'
import { heldBy, readPublication, stepTo } from '../traffic/index.ts'
import type { Held } from '../traffic/index.ts'
import { refusal, requestFeed, retryAfterOf } from './follow-source.ts'
import type { Taken } from './follow-source.ts'
import { parseXml } from '../push/index.ts'
import { toSlug } from '../timeseries/index.ts'
import type { EventItem } from '../timeseries/index.ts'

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

/**
 * Follows a feed according to the options of the command. Returns whether everything was imported.
 */
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
  /** Resolves after a time, or at once when the process is asked to stop. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly isStopped: () => boolean
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

type Request = {
  readonly address: URL
  /** Default: the name of the publisher in the feed. */
  readonly origin: string | undefined
  /** Seconds between two requests. */
  readonly every: number
  readonly isOnce: boolean
}

/**
 * The last document imported, and what the hub has since. It is kept in memory only; a killed
 * process loses no data.
 */
type State = { readonly taken: Taken; readonly held: Held }

/**
 * Follows a feed until the process is asked to stop, or imports one document.
 * @returns whether the last request succeeded and no item of any document was rejected
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

/**
 * Imports the next document. It counts as imported once all its changes have been processed; until
 * then it is requested again.
 */
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

/** Longest pause after failures, in ms, unless the source specifies a longer one. */
const maxPause = 900_000
const oneDay = 86_400_000

type Wait = {
  readonly failures: number
  readonly retryAfter: number | undefined
  /** In seconds. */
  readonly every: number
}

/**
 * Returns the pause in ms. It doubles with each failure, with a random part so that many followers
 * do not return at once.
 */
export function delayAfter({ failures, retryAfter, every }: Wait, random: () => number): number {
  const regular = every * 1000
  if (failures === 0) return regular
  const grown = Math.max(regular, Math.min(regular * 2 ** failures, maxPause))
  const pause = Math.max(regular, grown * (0.5 + random() / 2))
  return Math.max(pause, Math.min(retryAfter ?? 0, oneDay))
}

type Target = {
  readonly loadHeld: (origin: string) => Promise<Held>
  /**
   * Pushes events, and waits until they are processed.
   * @returns the items that the hub rejected
   * @throws Error if not all of them were accepted and processed
   */
  readonly push: (origin: string, items: readonly EventItem[]) => Promise<readonly Rejected[]>
}

type Rejected = { readonly item: EventItem | undefined; readonly reason: string }

type TargetDeps = {
  readonly fetch: typeof fetch
  /** URL without a trailing slash. */
  readonly hub: string
  /** `provider/dataset` */
  readonly stream: string
  readonly requestToken: () => Promise<string>
  readonly now: () => Date
  readonly pause: (milliseconds: number) => Promise<void>
}

const accepted = Type.Object({ id: Type.String() })

const receipt = Type.Object({
  state: Type.String(),
  reason: Type.Union([Type.String(), Type.Null()]),
  rejected: Type.Array(
    Type.Object({ index: Type.Union([Type.Integer(), Type.Null()]), reason: Type.String() }),
  ),
})

/** Time limit of a request in ms: as long as a hub may wait for its database. */
const patience = 60_000

/** How long an access token is used, in ms. It is valid for five minutes. */
const tokenLifetime = 240_000

/** How long a message may wait to be processed, in ms. */
const processing = 600_000

export function toTarget(deps: TargetDeps): Target {
  const request = authorized(deps)
  return {
    loadHeld: async (origin) => {
      const url = `${deps.hub}/traffic/v1/situation-publication/${encodeURIComponent(toSlug(origin))}`
      const headers = { accept: 'application/xml', 'cache-control': 'no-cache' }
      const signal = AbortSignal.timeout(patience)
      const response = await deps.fetch(url, { headers, signal })
      const body = await response.text()
      // A provider without events has no feed.
      if (response.status === 404) return new Map()
      if (response.status !== 200) throw refusal(response, deps.now())
      return heldBy(readPublication(parseXml(body, 100)))
    },
    push: async (origin, items) => {
      const rejected: Rejected[] = []
      for (const part of inParts(items)) {
        const found = await pushPart({ ...deps, request }, origin, part)
        rejected.push(
          ...found.map(({ index, reason }) => ({ item: part[index ?? part.length], reason })),
        )
      }
      return rejected
    },
  }
}

type Post = {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Send = (path: string, post?: Post) => Promise<unknown>

/**
 * Returns a function that sends requests with a token, and gets a new token when the current one is
 * old or refused.
 */
function authorized({ fetch: send, hub, requestToken, now }: TargetDeps): Send {
  let token: { readonly text: string; readonly since: number } | undefined
  return async (path, post) => {
    for (let tries = 0; ; tries++) {
      const time = now().getTime()
      if (token === undefined || time - token.since > tokenLifetime)
        token = { text: await requestToken(), since: time }
      const headers = { ...post?.headers, authorization: `Bearer ${token.text}` }
      const signal = AbortSignal.timeout(patience)
      const response = await send(`${hub}${path}`, { ...post, headers, signal })
      const body = await response.text()
      if (response.status === 200) {
        const answer: unknown = JSON.parse(body)
        return answer
      }
      token = undefined
      if (response.status !== 401 || tries > 0) throw refusal(response, now())
    }
  }
}

async function pushPart(
  { request, stream, pause, now }: TargetDeps & { readonly request: Send },
  origin: string,
  items: readonly EventItem[],
) {
  const body = JSON.stringify({ kind: 'events', origin, items })
  const key = createHash('sha256').update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const answer = await request(`/push/${stream}`, { method: 'POST', headers, body })
  const { id } = Parse(accepted, answer)
  const deadline = now().getTime() + processing
  for (let wait = 100; now().getTime() < deadline; wait = Math.min(wait * 2, 5000)) {
    const { state, reason, rejected } = Parse(receipt, await request(`/push/${stream}/${id}`))
    if (state === 'dead') throw new Error(`Message ${id} could not be processed: ${reason ?? ''}.`)
    if (state !== 'accepted' && state !== 'processing') return rejected
    await pause(wait)
  }
  throw new Error(`Message ${id} has not been processed after ten minutes.`)
}

/** Maximum number of characters and of items in a message, well below the body limit. */
const maxPartLength = 2_000_000
const maxItems = 500

function* inParts(items: readonly EventItem[]): Generator<readonly EventItem[]> {
  let part: EventItem[] = []
  let length = 0
  for (const item of items) {
    const size = JSON.stringify(item).length
    if (part.length === maxItems || (part.length > 0 && length + size > maxPartLength)) {
      yield part
      part = []
      length = 0
    }
    part.push(item)
    length += size
  }
  if (part.length > 0) yield part
}
