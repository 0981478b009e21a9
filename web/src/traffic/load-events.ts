import { readJson } from '../api/index.ts'
import type { DescribedRequest } from '../request/index.ts'
import type { Geometry, TrafficEvent } from './events/event.ts'
import { announcementFields, fromAnnouncement } from './events/from-announcement.ts'
import type { Announcement } from './events/from-announcement.ts'
import type { Provider } from './load-providers.ts'
import type { Span } from './span.ts'

type Features = {
  readonly features: readonly {
    readonly properties: Announcement
    readonly geometry: Geometry | null
  }[]
}

/** The request for every event of a span of time, past and future ones too. */
export function requestOf(providers: readonly Provider[], { from, to }: Span): DescribedRequest {
  const query = {
    source: providers.flatMap(({ sources }) => sources).join(','),
    begin: new Date(from).toISOString(),
    end: new Date(to).toISOString(),
    ...{ format: 'geojson', stream: true, fields: announcementFields },
  }
  return { path: '/v1/Announcement', query }
}

export async function loadEvents(
  request: DescribedRequest,
  signal: AbortSignal,
): Promise<readonly TrafficEvent[]> {
  const { features } = await readJson<Features>(request.path, request.query, signal)
  return features.map(({ properties, geometry }) => fromAnnouncement(properties, geometry))
}
