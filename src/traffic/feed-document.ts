import { createHash } from 'node:crypto'
import { atOnce, inSlices } from '../async/index.ts'
import { packOnce } from '../http/index.ts'
import type { Encoding, PackedBytes } from '../http/index.ts'
import { changesSince } from './changes.ts'
import type { History } from './changes.ts'
import { startOf } from './lifetime.ts'
import type { Printed, Publication, WrittenEvent } from './publication.ts'
import { toSituation3 } from './situation.ts'
import type { Candidate, Supplier } from './situation.ts'
import { encodingSteps, printBoth } from '../datex/index.ts'
import type { Encodings, PrintedElement } from '../datex/index.ts'

/** A text that is ready to be sent in any encoding. */
export type Body = {
  readonly contentType: string
  /** A strong tag, which is therefore different for each encoding (RFC 9110 section 8.8.3.3). */
  readonly etag: (encoding: Encoding) => string
  readonly bytes: PackedBytes
}

/** Situations as DATEX II and as GeoJSON. */
export type Situations = Body & {
  /** Created on the first request. */
  readonly geojson: () => Promise<Body>
}

/** The situations in both encodings of DATEX II v3, and notes about what v3 cannot express. */
export type Version3 = {
  readonly xml: Body
  readonly json: Body
  readonly notes: readonly string[]
}

/** A built publication. */
export type FeedDocument = Publication &
  Situations & {
    /**
     * Milliseconds since 1970, in whole seconds. If the bytes have changed, it is later than that
     * of the previous document, even within the same second (RFC 9110 section 8.8.2.2), so it may
     * be in the future.
     */
    readonly lastModified: number
    readonly history: History
    /** The same situations as DATEX II v3, created on the first request. */
    readonly version3: () => Promise<Version3>
    /**
     * Returns what changed since the document with this publication time, or undefined if that is
     * not known.
     */
    readonly changesSince: (publicationTime: Date) => Situations | undefined
  }

const second = 1000

const xmlType = 'application/xml; charset=utf-8'

/** Brotli quality. A feed is built seldom and read often. */
const quality = 5

type Context = {
  /** The previous document, which callers may still hold. */
  readonly previous: FeedDocument | undefined
  readonly supplier: Supplier
  readonly history: History
}

export function toFeedDocument(publication: Publication, context: Context): FeedDocument {
  const { previous, supplier, history } = context
  const situations = toSituations(publication)
  const time = Math.floor(publication.publicationTime.getTime() / second) * second
  const isOther = previous?.etag('identity') !== situations.etag('identity')
  const earliest = previous === undefined ? time : previous.lastModified + (isOther ? second : 0)
  return {
    ...publication,
    ...situations,
    lastModified: Math.max(time, earliest),
    history,
    version3: once(() => version3Steps(publication, supplier)),
    changesSince: (since) => {
      const changes = changesSince({ ...publication, history }, { since, supplier })
      return changes && toSituations(changes)
    },
  }
}

function* version3Steps(
  publication: Publication,
  supplier: Supplier,
): Generator<undefined, Version3> {
  const { xml, json, notes } = yield* document3Steps(publication, supplier)
  const bodies = {
    xml: yield* bodySteps(xml, xmlType),
    json: yield* bodySteps(json, 'application/json; charset=utf-8'),
  }
  return { ...bodies, notes }
}

/**
 * Returns a function that creates a value on the first call, with pauses for other requests. After
 * a failure, the next call tries again.
 */
function once<Value>(steps: () => Generator<undefined, Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () =>
    (made ??= inSlices(steps()).catch((error: unknown) => {
      made = undefined
      throw error
    }))
}

function toSituations(publication: Printed): Situations {
  return {
    ...toBody(publication.xml, xmlType),
    geojson: once(() => geoJsonSteps(publication)),
  }
}

function toBody(text: string, contentType: string): Body {
  return atOnce(bodySteps(text, contentType))
}

/** Number of bytes that are hashed in one step. */
const hashed = 1_000_000

function* bodySteps(text: string, contentType: string): Generator<undefined, Body> {
  const plain = Buffer.from(text)
  const hash = createHash('sha256')
  for (let from = 0; from < plain.length; from += hashed) {
    yield
    hash.update(plain.subarray(from, from + hashed))
  }
  const digest = hash.digest('base64url').slice(0, 27)
  const tags = { identity: `"${digest}"`, gzip: `"${digest}-gzip"`, br: `"${digest}-br"` }
  return { contentType, etag: (encoding) => tags[encoding], bytes: packOnce(plain, quality) }
}

/**
 * Prints the situations of a publication as a GeoJSON FeatureCollection (RFC 7946), in the same
 * order. A feature's `id` is that of the situation; its properties state in plain words what the
 * record states.
 */
function* geoJsonSteps({ written, publicationTime }: Printed): Generator<undefined, Body> {
  const features: string[] = []
  for (const [id, event] of written) {
    const feature = toFeature(id, event)
    if (feature !== undefined) features.push(JSON.stringify(feature))
    yield
  }
  const time = JSON.stringify(publicationTime)
  const text = `{"type":"FeatureCollection","publicationTime":${time},"features":[${features.join(',')}]}`
  return yield* bodySteps(text, 'application/geo+json')
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

/** A publication as DATEX II v3, and notes about what that version cannot express. */
type Document3 = Encodings & { readonly notes: readonly string[] }

/**
 * Prints the situations of a publication as a SituationPublication of DATEX II v3, in the same
 * order.
 */
export function* document3Steps(
  { written, publicationTime }: Printed,
  supplier: Supplier,
): Generator<undefined, Document3> {
  const notes = new Set<string>()
  const situation: PrintedElement[] = []
  for (const { event, candidate, phase, situation: known } of written.values()) {
    if (candidate === undefined || known === undefined || phase === 'gone') continue
    const note = (detail: string) => notes.add(`${event.series}: ${detail}`)
    const element = toSituation3(candidate, { supplier, phase }, note)
    if (element !== undefined) situation.push(printBoth(element))
    yield
  }
  const publication = {
    type: 'sit:SituationPublication',
    publicationTime,
    publisher: supplier,
    fields: { situation },
  }
  const encodings = yield* encodingSteps(publication, (detail) => notes.add(detail))
  return { ...encodings, notes: [...notes] }
}
