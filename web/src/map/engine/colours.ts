import type { Map as MapLibreMap } from 'maplibre-gl'
import { tilePaint } from './open-map.ts'

/** The colours of maps by name; each is a custom property of `colours.css`. */
export const colourNames = [
  'outside',
  'land',
  'tint0',
  'tint1',
  'tint2',
  'tint3',
  'hairline',
  'border',
  'edge',
  'label',
  'halo',
  'ink',
  'sheet',
  'accent',
  'chosen',
  'content',
  'timeseries',
  'traffic',
  'stale',
  ...Array.from({ length: 6 }, (_, index) => `step${index}` as const),
  ...Array.from({ length: 8 }, (_, index) => `kind${index}` as const),
] as const

export type ColourName = (typeof colourNames)[number]

/** Refers to a colour in a style; it follows when the page becomes dark. */
export function colour(name: ColourName): ['global-state', string] {
  return ['global-state', name]
}

/** Reads the colours as the page shows them now: custom properties alone would say `light-dark(…)`. */
export function readColours(within: HTMLElement): Readonly<Record<string, string>> {
  const probe = document.createElement('span')
  within.append(probe)
  const found = colourNames.map((name) => {
    probe.style.color = `var(--map-${name})`
    return [name, getComputedStyle(probe).color] as const
  })
  probe.remove()
  return Object.fromEntries(found)
}

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
