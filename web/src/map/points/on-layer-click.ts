import type { Map as MapLibreMap, MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl'

/** Fingers are wider than the things they point at. */
const reach = 6

/** Whose things are below the pointer, by map. */
const pointedAt = new WeakMap<MapLibreMap, Set<unknown>>()

/** Reports which thing of some layers is clicked, the topmost one; the pointer shows that it can be. */
export function onLayerClick(
  map: MapLibreMap,
  layers: readonly string[],
  told: (feature: MapGeoJSONFeature) => void,
): () => void {
  const find = ({ point }: MapMouseEvent) => {
    const there = layers.filter((layer) => map.getLayer(layer) !== undefined)
    const corner = (sign: number): [number, number] => [
      point.x + sign * reach,
      point.y + sign * reach,
    ]
    return map.queryRenderedFeatures([corner(-1), corner(1)], { layers: there })[0]
  }
  const click = (event: MapMouseEvent) => {
    // Who draws an area does not choose what lies below it.
    if (event.defaultPrevented || isDrawing(map)) return
    const feature = find(event)
    if (feature !== undefined) told(feature)
  }
  // Several kinds of things lie on one map: the pointer shows that it is over any of them.
  const over = pointedAt.get(map) ?? new Set()
  pointedAt.set(map, over)
  const hover = (event: MapMouseEvent) => {
    if (isDrawing(map)) return
    if (find(event) === undefined) over.delete(find)
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
