import { startOf } from './lifetime.ts'
import type { Publication } from './publication.ts'
import type { Candidate } from './situation.ts'
import type { WrittenEvent } from './written-event.ts'

/**
 * The situations of a publication as a GeoJSON FeatureCollection (RFC 7946), in the same order. A
 * feature's `id` is that of the situation; its properties say in plain words what the record says.
 */
export function toGeoJson({ written, publicationTime }: Publication): string {
  const features = [...written].flatMap(([id, event]) => toFeature(id, event) ?? [])
  return JSON.stringify({ type: 'FeatureCollection', publicationTime, features })
}

function toFeature(id: string, { candidate, phase, situation }: WrittenEvent): object | undefined {
  if (candidate === undefined || situation === undefined) return undefined
  return {
    type: 'Feature',
    id,
    geometry: candidate.event.geometry,
    properties: { ...propertiesOf(candidate), status: phase },
  }
}

function propertiesOf({ event, kind }: Candidate): object {
  return {
    version: event.version,
    origin: event.origin,
    name: event.name,
    type: kind.type,
    severity: kind.severity,
    tags: event.tags,
    start: startOf(event),
    end: event.end,
    recorded: event.recorded,
    firstRecorded: event.firstRecorded,
    title: event.title,
    text: event.text,
    description: event.description,
    locationDescription: event.locationDescription,
    metadata: event.metadata,
  }
}
