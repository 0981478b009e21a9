import type { Feature, FeatureCollection, Geometry } from 'geojson'

/** Something on a map. `paint` is a name of `colours.css`, where it is not that of the whole layer. */
export type PlaceFeature = {
  readonly id: string
  readonly title: string
  readonly geometry: Geometry
  readonly paint?: string
}

/** What is kept of it on the map: clicks find it by `id`. */
export type PlaceProperties = { readonly id: string; readonly paint?: string }

/** Features as the map wants them. */
export function toCollection(
  features: readonly PlaceFeature[],
): FeatureCollection<Geometry, PlaceProperties> {
  return {
    type: 'FeatureCollection',
    features: features.map(({ id, geometry, paint }): Feature<Geometry, PlaceProperties> => ({
      type: 'Feature',
      geometry,
      properties: { id, ...(paint === undefined ? {} : { paint }) },
    })),
  }
}

export function isPoint({ geometry }: PlaceFeature): boolean {
  return geometry.type === 'Point' || geometry.type === 'MultiPoint'
}
