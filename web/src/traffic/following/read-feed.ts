import { readResponse } from '../../api/index.ts'
import type { TrafficEvent, Geometry, Texts } from '../events/event.ts'
import { toKinds, toSeverity } from '../events/event.ts'

/** A feed as last read, with its ETag. */
export type ReadFeed = { readonly tag: string; readonly events: readonly TrafficEvent[] }

type Answer = { readonly json: () => Promise<Feed> }

export const feedAccept = 'application/geo+json'

export function feedPath(provider: string): string {
  return `/traffic/v1/situation-publication/${encodeURIComponent(provider)}`
}

/** Reads a feed. If its ETag is unchanged, the known state is returned. */
export async function readFeed(
  provider: string,
  known: ReadFeed | undefined,
  signal: AbortSignal,
): Promise<ReadFeed> {
  const options = { signal, accept: feedAccept, cache: 'no-cache' } as const
  const response = await readResponse(feedPath(provider), {}, options)
  const tag = response.headers.get('etag') ?? ''
  if (known !== undefined && tag !== '' && tag === known.tag) {
    await response.body?.cancel()
    return known
  }
  const answer: Answer = response
  const { features } = await answer.json()
  return { tag, events: features.map(fromFeed) }
}

/** A situation of the traffic feed as GeoJSON. */
type FeedFeature = {
  readonly id: string
  readonly geometry: Geometry | null
  readonly properties: {
    readonly version: number
    readonly origin: string
    readonly type: string
    readonly severity: string
    readonly tags: readonly string[]
    readonly start: string
    readonly end: string | null
    readonly recorded: string
    readonly title: Texts | null
    readonly text: Texts | null
    readonly locationDescription: string | null
    readonly metadata: Readonly<Record<string, unknown>> | null
    readonly status: string
  }
}

type Feed = { readonly features: readonly FeedFeature[] }

/** Converts a situation of the feed to an event. */
function fromFeed({ id, geometry, properties }: FeedFeature): TrafficEvent {
  const { version, origin, type, severity, tags, start, end, recorded } = properties
  return {
    ...{ id, origin, type, version },
    kinds: toKinds(tags),
    severity: toSeverity(severity),
    road: roadOf(properties.metadata),
    start: Date.parse(start),
    end: end === null ? undefined : Date.parse(end),
    isCancelled: properties.status === 'cancelled',
    recorded: Date.parse(recorded),
    title: properties.title ?? {},
    text: properties.text ?? {},
    place: properties.locationDescription ?? undefined,
    geometry: geometry ?? undefined,
  }
}

/** Returns the road, which providers state in the metadata. */
export function roadOf(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const road = metadata?.['road'] ?? metadata?.['Road']
  return typeof road === 'string' && road !== '' ? road : undefined
}
