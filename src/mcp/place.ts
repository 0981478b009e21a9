import { Type } from 'typebox'
import { AppError } from '../errors/index.ts'
import { objectsOf, textsOf } from '../lang/json.ts'
import type { Members } from '../lang/json.ts'
import { fold } from './words.ts'
import type { Ask } from './ask-hub.ts'

/** A point on the earth, with the name of the place. */
export type Place = {
  readonly latitude: number
  readonly longitude: number
  readonly name?: string
}

/** Tool arguments that specify a place. */
export const placeArguments = {
  place: Type.Optional(
    Type.String({
      ...{ minLength: 2, maxLength: 200, examples: ['Meran'] },
      description: 'Name of a town, region or record, in any language',
    }),
  ),
  latitude: Type.Optional(
    Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, WGS 84; in place of a name' }),
  ),
  longitude: Type.Optional(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'Degrees, WGS 84; in place of a name',
    }),
  ),
}

type PlaceArguments = {
  readonly place?: string
  readonly latitude?: number
  readonly longitude?: number
}

/**
 * Resolves the place that the arguments specify.
 * @throws AppError HUB-QRY-001 if the arguments specify no place, or an unknown one
 */
export async function placeOf(ask: Ask, given: PlaceArguments): Promise<Place> {
  const { place, latitude, longitude } = given
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  if (place !== undefined) return findPlace(ask, place)
  throw new AppError('HUB-QRY-001', 'Give a place, or latitude and longitude.')
}

/** Types of records that usually serve as landmarks. They are searched before all other types. */
const towns = ['municipality', 'district', 'region', 'skiarea', 'area']

/**
 * Finds a place by its name in any language: a town or region first, otherwise any record with that
 * title.
 * @throws AppError HUB-QRY-001 if the hub has no place with this name
 */
async function findPlace(ask: Ask, name: string): Promise<Place> {
  for (const type of [towns, undefined]) {
    const { body } = await ask('/v1/Find', {
      ...{ q: name, type, pagesize: 25 },
      fields: [...titles, 'Latitude', 'Longitude', 'GpsInfo.[0].Latitude', 'GpsInfo.[0].Longitude'],
    })
    const found = objectsOf(body['Items']).flatMap(toPlace)
    const [first] = found
    const exact = found.find(({ names }) => names.some((one) => fold(one) === fold(name)))
    const best = exact ?? first
    if (best !== undefined) return best.place
  }
  throw new AppError('HUB-QRY-001', `The hub has no place called ${JSON.stringify(name)}.`, {
    hint: 'Try the name in another language, or give latitude and longitude.',
  })
}

const titles = ['de', 'it', 'en'].map((language) => `Detail.${language}.Title`)

function toPlace(item: Members) {
  const [latitude, longitude] = ['Latitude', 'Longitude'].map((name) =>
    Number(item[name] ?? item[`GpsInfo.[0].${name}`] ?? NaN),
  )
  if (latitude === undefined || longitude === undefined) return []
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return []
  const names = textsOf(titles.map((title) => item[title]))
  const [name = String(item['Id'])] = names
  return [
    { names, place: { latitude, longitude, name: `${name} (${String(item['_Meta.Type'])})` } },
  ]
}

/** Mean radius of the earth, in metres. */
const radius = 6_371_008.8

/** Returns the distance between two points on the sphere, in metres. */
export function distanceBetween(one: Place, other: Place): number {
  const [a, b] = [toRadians(one.latitude), toRadians(other.latitude)]
  const half = (angle: number) => Math.sin(angle / 2) ** 2
  const chord =
    half(b - a) + Math.cos(a) * Math.cos(b) * half(toRadians(other.longitude - one.longitude))
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(chord)))
}

const toRadians = (degrees: number) => (degrees * Math.PI) / 180
