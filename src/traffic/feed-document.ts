import { createHash } from 'node:crypto'
import { packOnce } from '../http/index.ts'
import type { Encoding, PackedBytes } from '../http/index.ts'
import { startOf } from './lifetime.ts'
import type { Publication, WrittenEvent } from './publication.ts'
import type { Candidate } from './situation.ts'

/** A text that is ready to be sent in any encoding. */
export type Body = {
  readonly contentType: string
  /** Strong, thus another one for each encoding (RFC 9110 section 8.8.3.3). */
  readonly etag: (encoding: Encoding) => string
  readonly bytes: PackedBytes
}

/** A built publication: itself the body as DATEX II, and the same situations as GeoJSON. */
export type FeedDocument = Publication &
  Body & {
    /**
     * Milliseconds since 1970, a whole second. Later than that of the document before when the bytes
     * are other ones, also within the same second (RFC 9110 section 8.8.2.2); so it may lie ahead.
     */
    readonly lastModified: number
    /** Made when first requested. */
    readonly geojson: () => Body
  }

const second = 1000

/** Of Brotli: a feed is built seldom and read often. */
const quality = 5

/** @param previous the document that callers may still hold */
export function toFeedDocument(publication: Publication, previous?: FeedDocument): FeedDocument {
  let geojson: Body | undefined
  const body = toBody(publication.xml, 'application/xml; charset=utf-8')
  const time = Math.floor(publication.publicationTime.getTime() / second) * second
  const isOther = previous?.etag('identity') !== body.etag('identity')
  const earliest = previous === undefined ? time : previous.lastModified + (isOther ? second : 0)
  return {
    ...publication,
    ...body,
    lastModified: Math.max(time, earliest),
    geojson: () => (geojson ??= toBody(toGeoJson(publication), 'application/geo+json')),
  }
}

function toBody(text: string, contentType: string): Body {
  const plain = Buffer.from(text)
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27)
  const tags = { identity: `"${digest}"`, gzip: `"${digest}-gzip"`, br: `"${digest}-br"` }
  return { contentType, etag: (encoding) => tags[encoding], bytes: packOnce(plain, quality) }
}

/**
 * The situations of a publication as a GeoJSON FeatureCollection (RFC 7946), in the same order. A
 * feature's `id` is that of the situation; its properties say in plain words what the record says.
 */
function toGeoJson({ written, publicationTime }: Publication): string {
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
