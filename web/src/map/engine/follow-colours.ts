import type { Map as MapLibreMap } from 'maplibre-gl'
import { readColours } from './colours.ts'
import { tilePaint } from './map-style.ts'

/** Has a map follow the page when it becomes dark or light. */
export function followColours(map: MapLibreMap, signal: AbortSignal): void {
  const follow = () => {
    for (const [name, value] of Object.entries(readColours(map.getContainer()))) {
      map.setGlobalStateProperty(name, value)
    }
    if (map.getLayer('tiles') === undefined) return
    const paint = tilePaint(lightOf(map.getContainer()))
    map.setPaintProperty('tiles', 'raster-brightness-max', paint['raster-brightness-max'])
    map.setPaintProperty('tiles', 'raster-saturation', paint['raster-saturation'])
  }
  const system = matchMedia('(prefers-color-scheme: dark)')
  const observer = new MutationObserver(follow)
  system.addEventListener('change', follow)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => {
    system.removeEventListener('change', follow)
    observer.disconnect()
  })
}

/** Whether the page is dark here, whoever decided it: then its paper is. */
export function lightOf(element: HTMLElement): 'light' | 'dark' {
  const [red = '255'] = /\d+/.exec(getComputedStyle(element).backgroundColor) ?? []
  return Number(red) < 128 ? 'dark' : 'light'
}
