import type { Geometry } from 'geojson'
import type { Dataset } from '../../dataset/query/index.ts'
import type { PlaceFeature } from '../points/place-feature.ts'

/** Where the name of a record stands, best first, beside what every record has. */
const titlesOf: Readonly<Record<string, readonly string[]>> = {
  Accommodation: ['AccoDetail.{language}.Name'],
  AccommodationRoom: ['AccoRoomDetail.{language}.Name'],
  GeoShape: ['Name'],
}

/** The members that a map needs of a record: nothing but its id and its name. */
export function fieldsOf({ service, type }: Dataset, language: string): readonly string[] {
  if (service === 'timeseries') return ['scode', 'sname']
  const titles = titlesOf[type] ?? ['Detail.{language}.Title']
  return ['Id', ...titles.map((path) => path.replace('{language}', language)), 'Shortname']
}

/** A feature of the hub as a place; undefined if it has none. */
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
