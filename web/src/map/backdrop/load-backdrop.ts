import type { FeatureCollection, Geometry } from 'geojson'
import { once, readJson } from '../../api/index.ts'
import { toBackdrop } from './outline.ts'
import type { Backdrop, Outline } from './outline.ts'

/** Records without a shape are there, too. */
type Answer = FeatureCollection<Geometry | null, Outline['properties']>

/** The hub's own shapes, requested once. Where there are none maps are drawn on an empty sheet. */
export const loadBackdrop = once(async (): Promise<Backdrop> => {
  const { features } = await readJson<Answer>('/v1/GeoShapes', {
    format: 'geojson',
    fields: 'Name,Type',
    pagesize: 1000,
  })
  return toBackdrop(features.filter(isOutline))
})

function isOutline(feature: Answer['features'][number]): feature is Outline {
  const type = feature.geometry?.type
  return type === 'Polygon' || type === 'MultiPolygon'
}
