import type { FeatureCollection } from 'geojson'
import type {
  FilterSpecification,
  GeoJSONSource,
  GeoJSONSourceSpecification,
  LayerSpecification,
  Map as MapLibreMap,
  MapGeoJSONFeature,
  MapMouseEvent,
} from 'maplibre-gl'

type KeptSource = {
  readonly layers: readonly string[]
  readonly set: (data: FeatureCollection) => void
  /** Sets the filter of the layer whose id ends with this word. */
  readonly filter: (word: string, filter: FilterSpecification) => void
  readonly source: () => GeoJSONSource | undefined
  readonly remove: () => void
}

const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** Adds a source and its layers to a map; `remove` removes all of them. */
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
      // A removed map has already removed its sources and layers.
      if (isGone) return
      for (const { id: layer } of layers) if (map.getLayer(layer)) map.removeLayer(layer)
      if (map.getSource(id)) map.removeSource(id)
    },
  }
}

/** Tolerance of clicks in pixels, because fingers are imprecise. */
const reach = 6

/** For each map, the handlers whose features are below the pointer. */
const pointedAt = new WeakMap<MapLibreMap, Set<unknown>>()

/**
 * Reports clicks on features of some layers, the topmost first. The pointer changes over them.
 * @returns a function that stops it
 */
export function onLayerClick(
  map: MapLibreMap,
  layers: readonly string[],
  told: (feature: MapGeoJSONFeature, others: readonly MapGeoJSONFeature[]) => void,
): () => void {
  const find = ({ point }: MapMouseEvent) => {
    const there = layers.filter((layer) => map.getLayer(layer) !== undefined)
    const corner = (sign: number): [number, number] => [
      point.x + sign * reach,
      point.y + sign * reach,
    ]
    return map.queryRenderedFeatures([corner(-1), corner(1)], { layers: there })
  }
  const click = (event: MapMouseEvent) => {
    // Drawing an area must not select what is below it.
    if (event.defaultPrevented || isDrawing(map)) return
    const [feature, ...others] = find(event)
    if (feature !== undefined) told(feature, others)
  }
  // Several sets of layers share one map, so the pointer must change over any of them.
  const over = pointedAt.get(map) ?? new Set()
  pointedAt.set(map, over)
  const hover = (event: MapMouseEvent) => {
    if (isDrawing(map)) return
    if (find(event).length === 0) over.delete(find)
    else over.add(find)
    map.getCanvas().style.cursor = over.size === 0 ? '' : 'pointer'
  }
  map.on('click', click)
  map.on('mousemove', hover)
  return () => {
    over.delete(find)
    map.off('click', click)
    map.off('mousemove', hover)
  }
}

/** Reports whether the user is drawing on the map. Drawing marks its container. */
function isDrawing(map: MapLibreMap): boolean {
  return map.getContainer().dataset['drawing'] !== undefined
}
