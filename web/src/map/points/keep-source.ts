import type { FeatureCollection } from 'geojson'
import type {
  FilterSpecification,
  GeoJSONSource,
  GeoJSONSourceSpecification,
  LayerSpecification,
  Map as MapLibreMap,
} from 'maplibre-gl'

export type KeptSource = {
  readonly layers: readonly string[]
  readonly set: (data: FeatureCollection) => void
  /** Sets the filter of the layer whose id ends with this word. */
  readonly filter: (word: string, filter: FilterSpecification) => void
  readonly source: () => GeoJSONSource | undefined
  readonly remove: () => void
}

const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** Puts data and their layers on a map, and takes all of it away again. */
export function keepSource(
  map: MapLibreMap,
  id: string,
  {
    layers,
    options = {},
  }: {
    readonly layers: readonly LayerSpecification[]
    readonly options?: Partial<GeoJSONSourceSpecification>
  },
): KeptSource {
  map.addSource(id, { type: 'geojson', data: nothing, ...options })
  for (const layer of layers) map.addLayer(layer)
  let isGone = false
  map.once('remove', () => {
    isGone = true
  })
  const source = () => map.getSource<GeoJSONSource>(id)
  return {
    layers: layers.map((layer) => layer.id),
    source,
    set: (data) => {
      void source()?.setData(data)
    },
    filter: (word, filter) => {
      const layer = layers.find((one) => one.id.endsWith(word))
      if (layer !== undefined && map.getLayer(layer.id) !== undefined) {
        map.setFilter(layer.id, filter)
      }
    },
    remove: () => {
      // A map that is gone has taken everything with it.
      if (isGone) return
      for (const { id: layer } of layers) if (map.getLayer(layer)) map.removeLayer(layer)
      if (map.getSource(id)) map.removeSource(id)
    },
  }
}
