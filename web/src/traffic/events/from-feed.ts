import { toKinds, toSeverity } from './event.ts'
import type { Geometry, Texts, TrafficEvent } from './event.ts'

/** A situation of the traffic feed as GeoJSON. */
export type FeedFeature = {
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

export type Feed = { readonly features: readonly FeedFeature[] }

/** The event that a situation of the feed tells of. */
export function fromFeed({ id, geometry, properties }: FeedFeature): TrafficEvent {
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

/** Providers name the road in what they say besides. */
export function roadOf(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const road = metadata?.['road'] ?? metadata?.['Road']
  return typeof road === 'string' && road !== '' ? road : undefined
}
