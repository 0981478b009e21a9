import { readResponse } from '../../api/index.ts'
import type { Dataset, DatasetQuery } from '../../dataset/query/index.ts'
import type { PlaceFeature } from '../points/place-feature.ts'
import { createFeatureReader } from './feature-reader.ts'
import { placesRequest } from './places-request.ts'
import { fieldsOf, toPlace } from './to-place.ts'

/** More at once is neither seen nor quick. */
const mostPlaces = 50_000

export type Places = {
  readonly places: readonly PlaceFeature[]
  readonly withoutPlace: number
  /** Whether there are more than were loaded. */
  readonly isCut: boolean
}

export type PlacesWanted = {
  readonly dataset: Dataset
  readonly query: DatasetQuery
  readonly language: string
  readonly signal: AbortSignal
  readonly onprogress: (count: number) => void
}

/** Loads ids, names and places of all records of a query, as one light answer that streams. */
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
