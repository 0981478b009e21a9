import type { Geometry } from 'geojson'
import type { Map as MapLibreMap } from 'maplibre-gl'
import type { Dataset, DatasetQuery } from '../../dataset/query/index.ts'
import type { PlaceFeature } from '../points/shape-layers.ts'
import { boxAround, boxInView, fit, goTo } from '../camera.ts'
import type { Box } from '../camera.ts'
import { readResponse } from '../../api/index.ts'
import { fieldsOf, placesRequest } from './places-request.ts'

/** Converts a GeoJSON feature of the hub to a place; undefined if it has no geometry. */
export function toPlace(feature: unknown, fields: readonly string[]): PlaceFeature | undefined {
  if (!isFeature(feature)) return undefined
  const { geometry, properties } = feature
  if (geometry === null || properties === null) return undefined
  const [idField = 'Id', ...titles] = fields
  const title = titles
    .map((field) => properties[field])
    .find((text): text is string => typeof text === 'string' && text !== '')
  const id = properties[idField]
  return typeof id === 'string' ? { id, title: title ?? '', geometry } : undefined
}

type Found = {
  readonly geometry: Geometry | null
  readonly properties: Readonly<Record<string, unknown>> | null
}

function isFeature(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && 'geometry' in value && 'properties' in value
}

/**
 * Reports whether a place may be visible within a box. For lines and areas, only their bounding
 * boxes are compared.
 */
export function isInBox({ geometry }: PlaceFeature, [west, south, east, north]: Box): boolean {
  if (geometry.type === 'Point') {
    const [x = NaN, y = NaN] = geometry.coordinates
    return x >= west && x <= east && y >= south && y <= north
  }
  const box = boxAround(geometry)
  if (box === undefined) return false
  return box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south
}

/**
 * Incremental parser of a GeoJSON collection: `push` accepts the next part of the text and returns
 * the features that are now complete.
 */
type FeatureReader = {
  readonly push: (text: string) => readonly unknown[]
}

const codeOf = (sign: string) => sign.charCodeAt(0)
const [quote, backslash, opens, closes] = ['"', '\\', '{', '}'].map(codeOf)

/** Creates a parser that shows a large response while it arrives and never blocks for long. */
export function createFeatureReader(): FeatureReader {
  let head = ''
  let isInside = false
  let kept = ''
  const scan = createScanner()

  const enter = (text: string): string => {
    head += text
    const begin = /"features"\s*:\s*\[/.exec(head)
    if (begin === null) return ''
    isInside = true
    return head.slice(begin.index + begin[0].length)
  }
  return {
    push: (text) => {
      const rest = isInside ? text : enter(text)
      const offset = kept.length
      kept += rest
      const features: unknown[] = []
      let done = 0
      for (const [from, to] of scan(kept, offset)) {
        features.push(JSON.parse(kept.slice(from, to)))
        done = to
      }
      kept = scan.forget(kept, done)
      return features
    },
  }
}

/** Finds where objects start and end. Braces within strings do not count (RFC 8259, section 7). */
function createScanner() {
  let depth = 0
  let start = 0
  let isText = false
  let isEscaped = false

  const step = (code: number, at: number): number | undefined => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (code === backslash) isEscaped = true
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === opens) {
      if (depth === 0) start = at
      depth += 1
    } else if (code === closes) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    return undefined
  }
  function* scan(text: string, offset: number): Generator<readonly [number, number]> {
    for (let at = offset; at < text.length; at += 1) {
      const end = step(text.charCodeAt(at), at)
      if (end !== undefined) yield [start, end]
    }
  }
  return Object.assign(scan, {
    /** Drops the text that has been parsed. */
    forget: (text: string, done: number): string => {
      const from = depth > 0 ? start : Math.max(done, text.length)
      start = 0
      return text.slice(from)
    },
  })
}

/** Maximum number of places. More would be neither readable nor fast. */
const mostPlaces = 50_000

export type Places = {
  readonly places: readonly PlaceFeature[]
  readonly withoutPlace: number
  /** Whether there are more places than were loaded. */
  readonly isCut: boolean
}

type PlacesWanted = {
  readonly dataset: Dataset
  readonly query: DatasetQuery
  readonly language: string
  readonly signal: AbortSignal
  readonly onprogress: (count: number) => void
}

/** Loads ids, names and places of all records of a query, in one compact response that streams. */
export async function loadPlaces(wanted: PlacesWanted): Promise<Places> {
  const { dataset, query, language, signal, onprogress } = wanted
  const fields = fieldsOf(dataset, language)
  const request = placesRequest(dataset, query, language)
  const accept = 'application/geo+json'
  const { body } = await readResponse(request.path, request.query, { signal, accept })
  const places: PlaceFeature[] = []
  let withoutPlace = 0
  const reader = createFeatureReader()
  const text = (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await text.read(); !part.done; part = await text.read()) {
    for (const feature of reader.push(part.value)) {
      const place = toPlace(feature, fields)
      if (place === undefined) withoutPlace += 1
      else places.push(place)
    }
    onprogress(places.length)
    if (places.length > mostPlaces) {
      await text.cancel()
      return { places: places.slice(0, mostPlaces), withoutPlace, isCut: true }
    }
  }
  return { places, withoutPlace, isCut: false }
}

const near = 12

/**
 * Brings a place that was selected elsewhere into view. If it is in view already, the map does not
 * move.
 */
export function showPlace(map: MapLibreMap, place: PlaceFeature): void {
  if (isInBox(place, boxInView(map))) return
  if (place.geometry.type === 'Point') {
    goTo(map, place.geometry.coordinates, Math.max(near, map.getZoom()))
    return
  }
  const box = boxAround(place.geometry)
  if (box !== undefined) fit(map, box, { how: 'ease' })
}
