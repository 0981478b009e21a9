import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { parseXml } from '../../push/index.ts'
import type { EventItem } from '../../timeseries/index.ts'
import { heldBy, readPublication, toSlug } from '../../traffic/index.ts'
import type { Held } from '../../traffic/index.ts'
import { refusal } from './source.ts'

/** The hub that takes what another feed publishes. */
export type Target = {
  /** The situations of an origin that it has, by its own feed. */
  readonly loadHeld: (origin: string) => Promise<Held>
  /**
   * Pushes events, and waits until they are processed.
   * @returns the items that it rejected
   * @throws Error when not all of them were accepted and processed
   */
  readonly push: (origin: string, items: readonly EventItem[]) => Promise<readonly Rejected[]>
}

export type Rejected = { readonly item: EventItem | undefined; readonly reason: string }

type Deps = {
  readonly fetch: typeof fetch
  /** Without a slash at the end. */
  readonly hub: string
  /** `provider/dataset` */
  readonly stream: string
  /** A new access token. */
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

/** Requests take as long as a hub may wait for its database. */
const patience = 60_000

/** Access tokens are valid for five minutes. */
const tokenLifetime = 240_000

/** How long a message may wait for its processing. */
const processing = 600_000

export function toTarget(deps: Deps): Target {
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

/** Requests with a token, which is requested again when it is old or refused. */
function authorized({ fetch: send, hub, requestToken, now }: Deps): Send {
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
  { request, stream, pause, now }: Deps & { readonly request: Send },
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
  throw new Error(`Message ${id} is not processed after ten minutes.`)
}

/** Characters and items of a message, well below the limit of a body. */
const longestPart = 2_000_000
const mostItems = 500

function* inParts(items: readonly EventItem[]): Generator<readonly EventItem[]> {
  let part: EventItem[] = []
  let length = 0
  for (const item of items) {
    const size = JSON.stringify(item).length
    if (part.length === mostItems || (part.length > 0 && length + size > longestPart)) {
      yield part
      part = []
      length = 0
    }
    part.push(item)
    length += size
  }
  if (part.length > 0) yield part
}
