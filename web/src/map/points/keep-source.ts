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

/** Fingers are wider than the things they point at. */
const reach = 6

/** Whose things are below the pointer, by map. */
const pointedAt = new WeakMap<MapLibreMap, Set<unknown>>()

/** Reports which things of some layers are clicked, the topmost first; the pointer shows that it can be. */
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
    // Who draws an area does not choose what lies below it.
    if (event.defaultPrevented || isDrawing(map)) return
    const [feature, ...others] = find(event)
    if (feature !== undefined) told(feature, others)
  }
  // Several kinds of things lie on one map: the pointer shows that it is over any of them.
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

/** Whether somebody is drawing on the map; the drawing says so on its container. */
function isDrawing(map: MapLibreMap): boolean {
  return map.getContainer().dataset['drawing'] !== undefined
}
